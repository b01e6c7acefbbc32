"""A game file made into a program for the engine, by the parts of the file: head, names, programs, ends."""
