"""The page of problems: those of the day, streaks, and those of each game."""
