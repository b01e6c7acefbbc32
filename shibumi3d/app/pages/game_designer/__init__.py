"""The game editor, in which users write their own games."""
