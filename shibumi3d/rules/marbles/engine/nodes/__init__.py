"""Nodes: executable expressions, one module for each family of operations."""
