"""The command line: a module a command, none of which opens anything when imported."""
