"""The table on which two seats set numbers in secret: medals with two sides, dice set by hand, jokers."""
