"""Nodes, i.e. executable expressions, with one module for each family of operations."""
