"""Pages on which matches are played and replayed, for tables of any kind."""
