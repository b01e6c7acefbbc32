"""What steps are made of: the nodes and boxes of one machine, and what the steps of a loop share."""

from __future__ import annotations

from shibumi3d.rules.marbles.engine.board import Word
from shibumi3d.rules.marbles.engine.build.expressions import NodeBuilder
from shibumi3d.rules.marbles.engine.rules import Rules
from shibumi3d.rules.marbles.engine.workspace import Machine


class Maker:
    """What the makers of steps are given, for one machine."""

    def __init__(self, m: Machine) -> None:
        self.m = m
        self.rules: Rules = m.rules
        self.nodes = NodeBuilder(m)
        self.loops: dict[int, tuple[Word, Word, Word]] = {}
        self.single: dict[int, Word] = {}
        self.blocks: dict[int, object] = {}
        """What the two ends of a block share, by its number."""

    def marks(self, word: str) -> bool:
        """Return whether placed, moved or fallen marbles must be kept in mind."""
        return self.m.full or word in self.rules.uses

    def new_word(self) -> Word:
        """Return a new box of a loop, saved with the match."""
        word = Word(0)
        self.m.loops.append(word)
        return word

    def of_loop(self, key: int) -> tuple[Word, Word, Word]:
        """Return the boxes of the loop numbered ``key``."""
        if key not in self.loops:
            self.loops[key] = (self.new_word(), self.new_word(), self.new_word())
        return self.loops[key]

    def of_block(self, key: int) -> Word:
        """Return the one box of the loop or block numbered ``key``."""
        if key not in self.single:
            self.single[key] = self.new_word()
        return self.single[key]

    def of_repeat(self, key: int) -> tuple[Word, Word, Word]:
        """Return the boxes of a ``repeat`` without ``times``: its rounds, what lay everywhere, and one that stays 0."""
        if key not in self.loops:
            before = Word(0)
            self.m.prints.append(before)
            self.loops[key] = (self.new_word(), before, Word(0))
        return self.loops[key]
