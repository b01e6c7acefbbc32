"""Construction of machines from compiled rules.

Each term and instruction is bound to the numbers that it uses.
"""
