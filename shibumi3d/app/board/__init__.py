"""Widgets and logic shared by the pages that play and replay matches."""
