"""The spiral on the table: where everything stands, how it moves, and what can be clicked."""
