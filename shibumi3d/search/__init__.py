"""Game search: computer players, solvers and worker processes.

The package is independent of the window and, except for the heuristics of some table kinds, of individual games.
"""

from shibumi3d.search.players import Analysis, Budget, Choice, Player, analyse, player

__all__ = ["Analysis", "Budget", "Choice", "Player", "analyse", "player"]
