"""The start page and the page of saved games."""
