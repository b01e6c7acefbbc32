"""The page for playing a match with marbles, and its parts."""
