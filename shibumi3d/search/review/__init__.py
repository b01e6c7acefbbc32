"""Reviews of finished matches.

A review contains, for each turn, the value of the turn played and of the best one, and what is proved about them. A
seat is judged by what it knew when it moved, before chance decided the outcome. Solo games with a solver are the
exception; see :mod:`.solo`.
"""
