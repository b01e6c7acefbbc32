"""Pages on which matches are played, and the parts of the replay page, for tables of any kind."""
