"""Reviews of finished matches: the value of the best turn and of the turn played, and what is proved about both.

A seat is judged by what it knew when it moved, before chance decided the outcome.
"""
