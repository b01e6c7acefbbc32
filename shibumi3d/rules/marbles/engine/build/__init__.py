"""Building machines from compiled rules: binds each term and instruction to the numbers it uses."""
