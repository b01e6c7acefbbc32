"""The Golden Spiral: two players bid in secret with two-sided medals, hand-set dice and jokers."""
