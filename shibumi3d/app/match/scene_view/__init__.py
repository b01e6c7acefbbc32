"""Match page for all kinds of table except those with marbles.

It uses only the interfaces of the rules and the scene, and doesn't depend on any particular game.
"""
