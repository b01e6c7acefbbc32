"""Match page for all table kinds except marbles.

It uses only the interfaces of the rules and the scene, and doesn't depend on any particular game.
"""
