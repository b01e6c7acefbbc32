"""The command line, with one module per command. Importing these modules has no side effects."""
