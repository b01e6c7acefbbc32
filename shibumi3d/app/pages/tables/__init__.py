"""Match page for all table kinds except marbles.

It relies only on the interfaces of the rules and of the scene, not on any particular game.
"""
