"""Nodes, i.e. executable expressions, with one module for each kind of operation."""
