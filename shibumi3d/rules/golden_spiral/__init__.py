"""The Golden Spiral, a game of secret bids for two players, with medals, dice and jokers.

The medals have two sides, and the players set the dice by hand instead of throwing them.
"""
