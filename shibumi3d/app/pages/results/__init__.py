"""The page of results and statistics."""
