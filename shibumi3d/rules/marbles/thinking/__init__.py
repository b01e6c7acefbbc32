"""Who wins and what is best: searches, proofs and what is known of whole games. Takes games as they are played."""
