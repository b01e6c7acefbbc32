"""Problems: positions in which exactly one turn is proved to achieve the goal."""
