"""Construction of machines from compiled rules.

Terms become nodes and instructions become steps, each bound to the numbers that it uses.
"""
