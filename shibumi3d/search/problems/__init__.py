"""Problems: positions of a game in which one turn and no other does what is asked, proved."""
