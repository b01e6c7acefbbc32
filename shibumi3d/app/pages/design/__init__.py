"""Where people make games of their own."""
