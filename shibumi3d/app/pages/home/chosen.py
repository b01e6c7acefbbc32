"""The game of the first page as it is set up: form, seats, who plays, how it begins; and what follows from that."""

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
    """What is chosen before a match, of the game that is chosen; nothing of it is seen here."""

    def __init__(self, app: Host) -> None:
        self.app = app
        self.entry: Entry | None = None
        self.seats = 2
        self.names = people(app.settings.names, 10)
        self.kinds = [PERSON] * len(self.names)
        """Who plays each seat."""
        self.size = 4
        self.variant = ""
        self.options: dict[str, int | str] = {}
        self.sure = False
        """Whether only deals that can be won are wanted."""
        self.claims = True
        """Whether a draw may be claimed when a position stands for the third time."""
        self.terms = Agreement()
        """What is agreed on besides the rules."""
        self.hand = ""
        self.counts: tuple[int, ...] = ()
        self.usual: tuple[int, ...] = ()
        self._warned: tuple[object, str] = ((), "")
        self._made: tuple[object, tuple[object, ...], Game | None] = (None, (), None)

    def take(self, entry: Entry) -> None:
        """Takes another game, as it was set up last."""
        self.entry = entry
        last = SetUp.last(entry, self.app.settings.setups.get(entry.id, {}))
        self.seats, self.size, self.variant = last.seats, last.size, last.variant
        self.options, self.claims, self.sure = dict(last.options), True, False
        self.terms.wanted = last.terms
        kept = self.app.settings.seats.get(entry.id, ())[: len(self.names)]
        self.kinds = [*kept, *self._against(len(self.names) - len(kept), bool(kept))]

    def game(self) -> Game | None:
        """The game as it is set up, if its rules are in order; made once, though much is asked of it."""
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
        """What can be said of it."""
        game = self.game()
        return game.facts(self.seats) if game is not None else None

    def may_be_sure(self) -> bool:
        """Whether the start is dealt by chance to people who win or lose together."""
        facts = self.facts()
        return facts is not None and bool(facts.drawn_from) and facts.solver == "win"

    def find_hand(self) -> None:
        """The stock that a solo game begins with and that may be chosen freely, if there is one."""
        facts = self.facts()
        self.hand, self.counts = facts.hand if facts is not None else ("", ())
        self.usual = self.counts

    def deal(self) -> dict[str, str] | None:
        """The hand that was chosen, if it differs from the one of the rules."""
        if not self.hand or self.counts == self.usual:
            return None
        return {self.hand: "".join(letter * n for letter, n in zip(LETTERS, self.counts, strict=False))}

    def warning(self) -> str:
        """A sentence when the start as set up can't be won."""
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
        """Who plays so many seats of which nothing is kept; ``known``: the first ones are not among these."""
        assert self.entry is not None
        if not number:
            return []
        if self._together():
            return [PERSON] * number
        other = usual(self.app.settings.seats, self.app.settings.played)
        return [other] * number if known else [PERSON, *[other] * (number - 1)]

    def _together(self) -> bool:
        """Whether those who play win or lose together, so that nobody plays against anybody."""
        facts = self.facts()
        return facts is not None and facts.solver != ""

    def like(self) -> str:
        """The kind of the strength that fits who plays here; "" where nobody is asked for who fits."""
        assert self.entry is not None
        if not any(map(fits, self.kinds[: self.seats])):
            return ""
        matches = self.app.results.matches(self.entry.id)
        settled_ = settled(self.kinds[: self.seats], self.names, matches)
        return next(filter(fits, settled_))
