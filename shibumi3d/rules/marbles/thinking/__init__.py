"""Analysis of marble games: search, proofs, stored solutions and learned evaluations."""
