"""The selected game with its settings: seats, player types, size, variant, options and start position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.i18n import _
from shibumi3d.rules.errors import GameFileError, RuleFailure
from shibumi3d.rules.game import Facts, Game
from shibumi3d.rules.marbles.colour import LETTERS
from shibumi3d.search.levels import PERSON, fits

from ...board.opponents import settled, usual
from ...board.seating import people
from .setup import SetUp
from .terms_card import Agreement

if TYPE_CHECKING:
    from ...host import Host


class Chosen:
    """Model of the selected game and the settings for the next match; it contains no widgets."""

    def __init__(self, app: Host) -> None:
        self.app = app
        self.entry: Entry | None = None
        self.seats = 2
        self.names = people(app.settings.names, 10)
        self.kinds = [PERSON] * len(self.names)
        """Player type of each seat."""
        self.size = 4
        self.variant = ""
        self.options: dict[str, int | str] = {}
        self.sure = False
        """Whether only solvable deals are wanted."""
        self.claims = True
        """Whether a draw may be claimed on the third occurrence of a position."""
        self.terms = Agreement()
        """Match settings beyond the rules."""
        self.hand = ""
        self.counts: tuple[int, ...] = ()
        self.usual: tuple[int, ...] = ()
        self._warned: tuple[object, str] = ((), "")
        self._made: tuple[object, tuple[object, ...], Game | None] = (None, (), None)

    def take(self, entry: Entry) -> None:
        """Select another game and restore the settings last used for it."""
        self.entry = entry
        last = SetUp.last(entry, self.app.settings.setups.get(entry.id, {}))
        self.seats, self.size, self.variant = last.seats, last.size, last.variant
        self.options, self.claims, self.sure = dict(last.options), True, False
        self.terms.wanted = last.terms
        kept = self.app.settings.seats.get(entry.id, ())[: len(self.names)]
        self.kinds = [*kept, *self._against(len(self.names) - len(kept), bool(kept))]

    def game(self) -> Game | None:
        """Return the game in the selected size and variant, or None if its rules have errors.

        The result is cached.
        """
        assert self.entry is not None
        form = (self.size, self.variant, self.seats)
        if self._made[0] is not self.entry or self._made[1] != form:
            game: Game | None
            try:
                game = self.entry.game(size=self.size, variant=self.variant)
                game.facts(self.seats)
            except (GameFileError, CatalogueError, ValueError):
                game = None
            self._made = (self.entry, form, game)
        return self._made[2]

    def facts(self) -> Facts | None:
        """Return the facts about :meth:`game`, or None if its rules have errors."""
        game = self.game()
        return game.facts(self.seats) if game is not None else None

    def may_be_sure(self) -> bool:
        """Return whether the user may request a winnable deal.

        This is possible if the deal is random and the players win or lose together.
        """
        facts = self.facts()
        return facts is not None and bool(facts.drawn_from) and facts.solver == "win"

    def find_hand(self) -> None:
        """Update the name and the contents of the hand that a solo player may choose freely, if any."""
        facts = self.facts()
        self.hand, self.counts = facts.hand if facts is not None else ("", ())
        self.usual = self.counts

    def deal(self) -> dict[str, str] | None:
        """Return the chosen hand as a deal, or None if the standard hand is chosen."""
        if not self.hand or self.counts == self.usual:
            return None
        return {self.hand: "".join(letter * n for letter, n in zip(LETTERS, self.counts, strict=False))}

    def warning(self) -> str:
        """Return a warning if the match can't be won from this start, or an empty string."""
        if not self.hand or self.entry is None:
            return ""
        if self._warned[0] != (self.entry.id, self.size, self.variant, self.counts):
            try:
                game = self.entry.game(size=self.size, variant=self.variant)
                state = game.start(self.seats, 0, self.deal())
                text = _("You can't win with these marbles.") if state.solvable is False else ""
            except (ValueError, RuleFailure) as problem:
                text = _("{text}.", text=problem)
            self._warned = ((self.entry.id, self.size, self.variant, self.counts), text)
        return self._warned[1]

    def _against(self, number: int, known: bool) -> list[str]:
        """Return player types for ``number`` seats that have no stored type.

        If ``known`` is set, other seats have a stored type. Otherwise, a person takes the first seat.
        """
        assert self.entry is not None
        if not number:
            return []
        if self._together():
            return [PERSON] * number
        other = usual(self.app.settings.seats, self.app.settings.played)
        return [other] * number if known else [PERSON, *[other] * (number - 1)]

    def _together(self) -> bool:
        """Return whether the players win or lose together, as a team or as a single player."""
        facts = self.facts()
        return facts is not None and facts.solver != ""

    def like(self) -> str:
        """Return the adaptive player type with its current level, or "" if no seat has that type."""
        assert self.entry is not None
        if not any(map(fits, self.kinds[: self.seats])):
            return ""
        matches = self.app.results.matches(self.entry.id)
        settled_ = settled(self.kinds[: self.seats], self.names, matches)
        return next(filter(fits, settled_))
