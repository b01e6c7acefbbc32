"""Construction of machines from compiled rules.

Terms become nodes and instructions become steps, each bound to the Words that it uses.
"""
