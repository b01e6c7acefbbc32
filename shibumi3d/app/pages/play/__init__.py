"""The page on which a match is played, put together from parts that each do one thing."""
