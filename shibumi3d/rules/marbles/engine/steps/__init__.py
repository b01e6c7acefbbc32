"""Executable steps of programs, grouped by kind."""
