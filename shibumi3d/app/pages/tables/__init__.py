"""The page of tables of any kind but marbles: played and shown again by the contract of rules and scene alone."""
