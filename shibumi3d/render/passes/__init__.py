"""Each draws one family of things: programs, arrays, and how they are drawn."""
