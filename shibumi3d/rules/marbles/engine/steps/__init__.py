"""The instructions of programs ready to run, by family."""
