"""Context for step builders: the nodes and Words of a machine, and data shared by steps."""

from __future__ import annotations

from shibumi3d.rules.marbles.engine.board import Word
from shibumi3d.rules.marbles.engine.build.expressions import NodeBuilder
from shibumi3d.rules.marbles.engine.machine import Machine
from shibumi3d.rules.marbles.engine.rules import Rules


class BuildContext:
    """Data that the step builders of one machine share.

    These are the machine and its rules, the builder of nodes, the Words of loops and blocks, and the data that the
    first and last steps of each block have in common.
    """

    def __init__(self, m: Machine) -> None:
        self.m = m
        self.rules: Rules = m.rules
        self.nodes = NodeBuilder(m)
        self.loop_words: dict[int, tuple[Word, Word, Word]] = {}
        self.block_words: dict[int, Word] = {}
        self.blocks: dict[int, object] = {}
        """Data shared by the first and last steps of each block, by block number."""

    def needs_mark(self, word: str) -> bool:
        """Return whether the machine must maintain the marks that ``word`` reads.

        ``word`` is "placed", "moved" or "fallen".
        """
        return self.m.for_display or word in self.rules.words_used

    def new_word(self) -> Word:
        """Return a new Word for a loop or block.

        The value of the Word is saved as part of the match.
        """
        word = Word(0)
        self.m.loop_words.append(word)
        return word

    def loop_counters(self, key: int) -> tuple[Word, Word, Word]:
        """Return the three Words of a ``repeat`` with ``times``, creating them on first use.

        ``key`` is the index of the loop's ``TimesBegin`` instruction in the program. The Words store the count of
        rounds, and the minimum and maximum number of rounds.
        """
        if key not in self.loop_words:
            self.loop_words[key] = (self.new_word(), self.new_word(), self.new_word())
        return self.loop_words[key]

    def block_word(self, key: int) -> Word:
        """Return the Word of the loop or block numbered ``key``, creating it on first use."""
        if key not in self.block_words:
            self.block_words[key] = self.new_word()
        return self.block_words[key]

    def words_for_repeat(self, key: int) -> tuple[Word, Word, Word]:
        """Return the three Words of a ``repeat`` without ``times``, creating them on first use.

        ``key`` is the index of the loop's ``RepeatBegin`` instruction in the program. The Words store the loop's
        iteration count, a hash of the state at the start of the current iteration, and a constant 0.
        """
        if key not in self.loop_words:
            before = Word(0)
            self.m.checkpoint_words.append(before)
            self.loop_words[key] = (self.new_word(), before, Word(0))
        return self.loop_words[key]
