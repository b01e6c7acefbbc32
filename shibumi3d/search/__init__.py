"""Game search: computer players, solvers and worker processes.

The package is independent of individual games and of the window.
"""

from shibumi3d.search.players import Analysis, Budget, Choice, Player, analyse, player

__all__ = ["Analysis", "Budget", "Choice", "Player", "analyse", "player"]
