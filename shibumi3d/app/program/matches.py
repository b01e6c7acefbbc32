"""The match on the screen: begun, kept in a file, opened, played under other rules."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.catalogue.sharing import is_shared
from shibumi3d.i18n import _, localize
from shibumi3d.match.match import Match, entry_of, game_of
from shibumi3d.match.ply import PERSON
from shibumi3d.match.record import Record, RecordError
from shibumi3d.match.record import load as load_record
from shibumi3d.match.record import parse as parse_record
from shibumi3d.match.store import key_of, key_of_text
from shibumi3d.rules.errors import GameFileError, RuleFailure
from shibumi3d.rules.game import OWN_KEYS
from shibumi3d.rules.marbles import handicap
from shibumi3d.rules.wording import capital
from shibumi3d.search.levels import FITS, fits, kind_of

from ..board.opponents import fitted
from ..board.rereading import replayed
from ..host.terms import USUAL, Terms, lots
from ..pages.home.setup import SetUp

if TYPE_CHECKING:
    from ..host import Host
    from ..host.series import Series

READ = 256 * 1024
"""How many bytes of the games kept are read at most before a page shows."""


def _day(path: Path) -> date | None:
    """When a file was last changed; None where no calendar knows that day, or the file is gone."""
    try:
        return date.fromtimestamp(path.stat().st_mtime)
    except (OSError, OverflowError, ValueError):
        return None


def _key(match: Match) -> str:
    """What tells a match that came from outside from all others; empty where nobody has moved yet."""
    return key_of_text(match.game.id, match.record(undone=True).text()) if match.plies else ""


class Matches:
    """Begins and opens matches, and keeps the one on the screen in a file of its own."""

    def __init__(self, app: Host) -> None:
        self.app = app
        self.saved: Record | None = None
        """The match that was being played last."""
        self.saved_path: Path | None = None
        self.kept: Path | None = None
        """The file in which the match on the screen is kept."""
        self.series: Series | None = None
        """What the matches between computers that are watched have brought."""
        self.last_game = ""
        """The id of the game played last since the program began."""
        self._shown: set[tuple[object, ...]] = set()
        """The puzzles that were shown since the program began."""

    def look_for_saved(self) -> None:
        """Finds the match that was being played last."""
        found = self.app.store.unfinished(READ)
        self.saved = found.record if found is not None else None
        self.saved_path = found.path if found is not None and self.saved is not None else None

    def start(
        self,
        entry: Entry,
        names: list[str],
        size: int,
        variant: str,
        seed: int,
        deal: Mapping[str, str] | None = None,
        *,
        kinds: Sequence[str] = (),
        repetition: bool = True,
        options: Mapping[str, int | str] = MappingProxyType({}),
        terms: Terms = USUAL,
        remember: bool = True,
    ) -> None:
        """Begins a match, from ``deal`` where it says what chance would, and shows it.

        ``kinds`` are who plays the seats: persons, or computers of some strength. ``repetition``: a draw may be claimed
        when a position stands for the third time. ``remember``: the next match begins with these names and choices, as
        somebody made them on the first page.
        """
        wanted = (*kinds, *[PERSON] * (len(names) - len(kinds)))
        names, now = fitted(names, wanted, self.app.results.matches(entry.id))
        seated = [names, now]
        if terms.lot:
            seated = lots(seed, *seated)
        try:
            chosen = {name: value for name, value in options.items() if name not in OWN_KEYS}
            game = entry.game(size=size, variant=variant, options=chosen)
            facts = game.facts(len(names))
            more = handicap.read(terms.handicap, facts)
            if more and terms.lot:
                more = tuple(lots(seed, more)[0])
            match = Match(
                game,
                seated[0],
                seed,
                deal={**(deal or {}), **handicap.deal(more, facts)},
                kinds=seated[1],
                repetition=repetition,
                swap=terms.swap,
                pace=terms.pace,
            )
        except (CatalogueError, GameFileError, RuleFailure, ValueError) as problem:
            self.app.tell(_("Couldn't start this game: {problem}.", problem=problem))
            return
        self.series = None
        self.app.change(played=(entry.id, *[each for each in self.app.settings.played if each != entry.id]))
        if remember:
            self._remember(entry, names, wanted, SetUp(len(names), size, variant, chosen, terms))
        self.play(match, entry)

    def _remember(self, entry: Entry, names: Sequence[str], kinds: Sequence[str], setup: SetUp) -> None:
        """Keeps how a game was set up, and who sat there."""
        before = self.app.settings.names
        # Who fits is found anew for every match.
        played = tuple([FITS if fits(kind) else kind for kind in kinds])
        kept = [
            before[seat] if kind != PERSON and seat < len(before) else name
            for seat, (name, kind) in enumerate(zip(names, played, strict=True))
            if seat < len(before) or kind == PERSON
        ]
        setups = self.app.settings.setups
        self.app.change(
            names=(*kept, *before[len(names) :]),
            seats={**self.app.settings.seats, entry.id: played},
            setups={**setups, entry.id: setup.kept(entry, setups.get(entry.id, {}))},
        )

    def play(self, match: Match, entry: Entry, path: Path | None = None) -> None:
        """Shows a match; from its next move on it is kept in the store, in the file ``path`` if that is claimed."""
        self.last_game = entry.id
        match.shown = match.shown or self._puzzle(match) in self._shown
        self.series = None if path is not None else self.series
        if path is None:
            self._keep(match)
        else:
            self.leave()
            self.kept = path
            match.autosave(path, at_once=False)
        self.app.pages.play(match, entry)

    def was_shown(self, match: Match) -> None:
        """The program plays of a puzzle what somebody was to find: now, and whenever it is begun again."""
        match.shown = True
        self._shown.add(self._puzzle(match))

    def _puzzle(self, match: Match) -> tuple[object, ...]:
        """What makes two matches among those kept here the same puzzle."""
        deal = tuple(sorted(match.deal.items()))
        game = match.game.id, match.game.variant, match.game.size, str(match.options)
        return self.app.store.folder, *game, match.seed, deal

    def _keep(self, match: Match, of: str = "") -> None:
        """Keeps a match in a file of its own; ``of`` is the key of the match that it goes on from."""
        self.leave()
        try:
            self.kept = self.app.store.keep(match, datetime.now(), of)
        except OSError as problem:
            self.app.warn(_("Couldn't save the game: {problem}.", problem=problem))
        else:
            self.app.results.begins(key_of(self.kept))

    def part(self, match: Match) -> None:
        """The match on the screen goes on elsewhere than it went: one that is over keeps its end in its file, and what
        is played now goes into a copy, which is the same match where it is counted."""
        if self.kept is not None and match.state.to_move is None:
            self._keep(match, key_of(self.kept))

    def ended(self, match: Match) -> None:
        """The match on the screen is over."""
        self.app.results.ended(match, key_of(self.kept) if self.kept is not None else "")

    def leave(self) -> None:
        """The match on the screen is played no longer: another program may take it up."""
        if self.kept is not None:
            self.app.store.release(self.kept)
            self.kept = None

    def resume(self) -> None:
        """Takes up the match that was being played last."""
        if self.saved_path is not None:
            self.open_path(self.saved_path)

    def open_path(self, path: Path) -> None:
        """Opens a record: an unfinished match is played on, a finished one is shown.

        What is played stays in the file of the match if that lies among the games kept and no other window plays it;
        else a copy goes on, and the file stays as it is.
        """
        self.leave()
        self.series = None
        ours = self.app.store.holds(path)
        # Claimed before it is read, so that nobody writes it between.
        claimed = ours and self.app.store.claim(path)
        try:
            record = load_record(path)
            match, entry = self._told(record)
        except (RecordError, CatalogueError, GameFileError, ValueError) as problem:
            self.app.store.release(path)
            self.app.tell(_("{text}.", text=capital(localize(problem))))
            return
        if match.state.to_move is None:
            day = _day(path)
            if claimed and record.result is None:
                # What its moves lead to is written into it: else it would be offered again as unfinished.
                with suppress(OSError, RecordError):
                    match.record(undone=True).save(path)
            self.app.store.release(path)
            self.app.pages.over(match, entry, day)
            return
        if claimed:
            self.kept = path
            match.autosave(path, at_once=False)
        else:
            self._keep(match, key_of(path) if ours else _key(match))
        self.app.pages.play(match, entry)
        if ours and not claimed:
            self.app.tell(_("This game is already open in another window, so you are playing a copy of it."))

    def show_path(self, path: Path) -> None:
        """Shows the match that a record tells, from its beginning, whether it is over or not; from there one that is
        not goes on as :meth:`open_path` has it."""
        try:
            match, entry = self._told(load_record(path))
        except (RecordError, CatalogueError, GameFileError, ValueError) as problem:
            self.app.tell(_("{text}.", text=capital(localize(problem))))
            return
        if match.state.to_move is None:
            self.open_path(path)
            return
        self.leave()
        self.series = None
        match.goto(len(match.plies) + len(match.undone))
        self.app.pages.over(match, entry, _day(path), path)

    def _told(self, record: Record) -> tuple[Match, Entry]:
        """The match that a record tells. Raises RecordError, CatalogueError, GameFileError or ValueError."""
        record = replace(record, players=tuple(map(kind_of, record.players)))
        entry = entry_of(record, self.app.catalogue)
        return Match.from_record(record, game_of(record, entry)), entry

    def match_of(self, words: str) -> tuple[Match, Entry]:
        """The match that a text tells. Raises RecordError, CatalogueError, GameFileError or ValueError."""
        return self._told(parse_record(words[:READ]))

    def open_text(self, words: str) -> None:
        """Opens the match that a text tells, such as one that was copied; it goes on in a file of its own."""
        if not words.strip():
            return
        if is_shared(words):
            self.app.pages.take_in(words)
            return
        if len(words) > READ:
            self.app.tell(_("The text on the clipboard is too long."))
            return
        try:
            match, entry = self.match_of(words)
        except (RecordError, CatalogueError, GameFileError, ValueError) as problem:
            self.app.tell(_("The clipboard doesn't contain a game: {problem}.", problem=problem))
            return
        self.leave()
        self.series = None
        if match.state.to_move is None:
            self.app.pages.over(match, entry)
            return
        self._keep(match, _key(match))
        self.app.pages.play(match, entry)

    def file_of(self, entry: Entry) -> Path | None:
        """The file of a game that did not come with the program."""
        if entry.path:
            return Path(entry.path)
        if entry.own and self.app.catalogue.user_folder is not None:
            return self.app.catalogue.user_folder / f"{entry.id}.yaml"
        return None

    def reread(self, match: Match, entry: Entry, path: Path) -> Match | str:
        """The match under the rules that its file has now; a sentence when these do not carry it."""
        try:
            fresh = self.app.catalogue.open(path)
            again, problem = replayed(match, fresh)
        except GameFileError as wrong:
            first, more = wrong.problems[0], len(wrong.problems) - 1
            if more:
                return _(
                    "Line {line} of the file: {message} (and {n} more). The old rules are still in use.",
                    more,
                    line=first.mark.line,
                    message=first.message,
                )
            return _(
                "Line {line} of the file: {message}. The old rules are still in use.",
                line=first.mark.line,
                message=localize(first.message).rstrip("?."),
            )
        except (CatalogueError, RuleFailure, ValueError, OSError) as wrong:
            return _("{problem}. The old rules are still in use.", problem=wrong)
        if problem:
            return problem
        if self.kept is not None:
            again.autosave(self.kept, at_once=False)
        self.app.pages.play_on(again, fresh, _("Rules reloaded."))
        return again

    def rematch(self, match: Match, entry: Entry, shift: int = 0, *, same: bool = False) -> None:
        """The same game and people again, everybody ``shift`` seats on; from another seed, or the ``same`` deal."""
        names, kinds = fitted(match.names, match.kinds, self.app.results.matches(entry.id))
        names, kinds = ((each[-shift:] + each[:-shift] if shift else each) for each in (names, kinds))
        # A hand that was chosen stays; what was dealt by chance is dealt anew.
        facts = match.game.facts(len(names))
        drawn = match.deal.keys() if facts.drawn_from is None else facts.drawn_from
        deal = {name: given for name, given in match.deal.items() if same or name not in drawn}
        more = handicap.of_deal(deal, facts)
        if shift and any(map(any, more)):
            # It goes along with who has it.
            deal = handicap.deal(more[-shift:] + more[:-shift], facts)
        try:
            again = Match(
                match.game,
                names,
                match.seed if same else random.randrange(1_000_000),
                deal=deal,
                position=match.position,
                repetition=match.repetition,
                kinds=kinds,
                swap=match.swap,
                pace=match.clock.pace if match.clock is not None else None,
            )
        except RuleFailure as problem:
            self.app.tell(_("Couldn't start this game: {problem}.", problem=problem))
        else:
            if self.series is not None:
                self.series.shift += shift
            self.play(again, entry)
