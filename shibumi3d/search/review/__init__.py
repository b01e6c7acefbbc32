"""A finished match gone through turn by turn: what the best turn was worth, what was played was worth, what is proved.

What a seat did is judged by what that seat knew, and before chance had decided what came of it.
"""
