"""The first page, and the games that were kept."""
