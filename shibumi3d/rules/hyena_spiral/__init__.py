"""Hyena Spiral, a race to the well and back.

The first villager to reach the well becomes the hyena and hunts the others on their way home.
"""
