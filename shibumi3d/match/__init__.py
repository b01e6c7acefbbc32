"""Matches in progress: seats, move history, undo, records and autosave, independent of any display."""
