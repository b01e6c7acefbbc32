"""Search in marble games: tree search, proofs, stored solutions and learned evaluations."""
