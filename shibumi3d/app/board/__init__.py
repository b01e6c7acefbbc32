"""What playing and replaying have in common."""
