"""Context for step builders: the nodes and numbers of a machine, and data shared by steps."""

from __future__ import annotations

from shibumi3d.rules.marbles.engine.board import Word
from shibumi3d.rules.marbles.engine.build.expressions import NodeBuilder
from shibumi3d.rules.marbles.engine.rules import Rules
from shibumi3d.rules.marbles.engine.workspace import Machine


class Maker:
    """Context for the step builders of one machine."""

    def __init__(self, m: Machine) -> None:
        self.m = m
        self.rules: Rules = m.rules
        self.nodes = NodeBuilder(m)
        self.loops: dict[int, tuple[Word, Word, Word]] = {}
        self.single: dict[int, Word] = {}
        self.blocks: dict[int, object] = {}
        """Data shared by the begin and end steps of a block, by its number."""

    def marks(self, word: str) -> bool:
        """Return whether the machine must maintain the marks that ``word`` reads.

        ``word`` is "placed", "moved" or "fallen".
        """
        return self.m.full or word in self.rules.uses

    def new_word(self) -> Word:
        """Create a number for a loop; it is saved as part of the match."""
        word = Word(0)
        self.m.loops.append(word)
        return word

    def of_loop(self, key: int) -> tuple[Word, Word, Word]:
        """Return the counter, minimum and maximum of loop ``key``, creating them on first use."""
        if key not in self.loops:
            self.loops[key] = (self.new_word(), self.new_word(), self.new_word())
        return self.loops[key]

    def of_block(self, key: int) -> Word:
        """Return the number stored for loop or block ``key``, creating it on first use."""
        if key not in self.single:
            self.single[key] = self.new_word()
        return self.single[key]

    def of_repeat(self, key: int) -> tuple[Word, Word, Word]:
        """Return the three numbers of a ``repeat`` without ``times``.

        They are its iteration count, a hash of the position at the start of the iteration, and a constant 0.
        """
        if key not in self.loops:
            before = Word(0)
            self.m.prints.append(before)
            self.loops[key] = (self.new_word(), before, Word(0))
        return self.loops[key]
