"""A marble match under the hand, without a page: what is chosen, pointed at and shown of it."""
