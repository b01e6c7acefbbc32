"""The Golden Spiral, in which two players bid in secret with medals, number dice and jokers.

The medals have two sides, and the players set the dice by hand instead of throwing them.
"""
