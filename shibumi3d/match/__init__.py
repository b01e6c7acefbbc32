"""A game being played: seats, history, undo, records, autosave. No pixels."""
