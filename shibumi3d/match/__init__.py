"""Matches being played: seats, move history, undo, records and autosave. Independent of any display."""
