"""The command line: one module per command, without side effects on import."""
