"""The pages of the program: home, play, replay, settings."""
