"""Starting, saving and opening matches, and replaying the current match under changed rules."""

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
"""Maximum number of bytes of saved games to read before a page is shown.

It is also the maximum length of a pasted record.
"""


def _day(path: Path) -> date | None:
    """Return the date of a file's last change, or None if it is missing or the date is out of range."""
    try:
        return date.fromtimestamp(path.stat().st_mtime)
    except (OSError, OverflowError, ValueError):
        return None


def _key(match: Match) -> str:
    """Return a key for a match that isn't in the store, or "" before its first move."""
    return key_of_text(match.game.id, match.record(undone=True).text()) if match.plies else ""


class Matches:
    """Service that starts, opens and saves matches; the match on the screen has a file of its own."""

    def __init__(self, app: Host) -> None:
        self.app = app
        self.saved: Record | None = None
        """Record of the unfinished match that was played last."""
        self.saved_path: Path | None = None
        self.kept: Path | None = None
        """File of the match on the screen."""
        self.series: Series | None = None
        """Results of the series of matches between computers being watched."""
        self.last_game = ""
        """ID of the game played last since the program started."""
        self._shown: set[tuple[object, ...]] = set()
        """Keys of the puzzles whose solutions were shown since the program started."""

    def look_for_saved(self) -> None:
        """Find the most recently played unfinished match."""
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
        """Start a match and show it; ``deal`` overrides random choices at the start.

        ``kinds`` gives the player type of each seat: a person, or a computer of some level. If ``repetition`` is set, a
        draw may be claimed when a position occurs for the third time. If ``remember`` is set, the names and choices
        become the defaults for the next match; set it for choices made on the home page.
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
        """Save a game's setup and its players as the defaults for the next match."""
        before = self.app.settings.names
        # The level of an adaptive opponent is chosen again for every match.
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
        """Show a match, and save it after every move to ``path`` if given, otherwise to a new file.

        The caller must already have claimed ``path``.
        """
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
        """Record that the program showed a puzzle's solution.

        The record also applies when the puzzle is started again.
        """
        match.shown = True
        self._shown.add(self._puzzle(match))

    def _puzzle(self, match: Match) -> tuple[object, ...]:
        """Return a key that is equal for matches of the same puzzle in the same store."""
        deal = tuple(sorted(match.deal.items()))
        game = match.game.id, match.game.variant, match.game.size, str(match.options)
        return self.app.store.folder, *game, match.seed, deal

    def _keep(self, match: Match, of: str = "") -> None:
        """Save a match to a new file; if it continues another match, ``of`` is the key of that match."""
        self.leave()
        try:
            self.kept = self.app.store.keep(match, datetime.now(), of)
        except OSError as problem:
            self.app.warn(_("Couldn't save the game: {problem}.", problem=problem))
        else:
            self.app.results.begins(key_of(self.kept))

    def part(self, match: Match) -> None:
        """Switch to a copy of the match on the screen if it is over, because it is about to continue.

        The original file keeps the ending. Statistics count both as the same match.
        """
        if self.kept is not None and match.state.to_move is None:
            self._keep(match, key_of(self.kept))

    def ended(self, match: Match) -> None:
        """Record the result of the match on the screen."""
        self.app.results.ended(match, key_of(self.kept) if self.kept is not None else "")

    def leave(self) -> None:
        """Stop saving the match on the screen, so that another window can open it."""
        if self.kept is not None:
            self.app.store.release(self.kept)
            self.kept = None

    def resume(self) -> None:
        """Resume the most recently played unfinished match."""
        if self.saved_path is not None:
            self.open_path(self.saved_path)

    def open_path(self, path: Path) -> None:
        """Open a record: continue an unfinished match, or replay a finished one.

        Moves are saved to the same file if it is in the store and no other window has it open. Otherwise they are saved
        to a copy, and the original file is not changed.
        """
        self.leave()
        self.series = None
        ours = self.app.store.holds(path)
        # Claim the file before reading it, so that no other program can write to it in between.
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
                # Save the result to which the moves lead. Otherwise the match would be offered again as unfinished.
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
        """Replay a match from its beginning, whether it is finished or not.

        An unfinished match can be continued from the replay, as with :meth:`open_path`.
        """
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
        """Return the match in a record, and its game.

        Raises RecordError, CatalogueError, GameFileError or ValueError.
        """
        record = replace(record, players=tuple(map(kind_of, record.players)))
        entry = entry_of(record, self.app.catalogue)
        return Match.from_record(record, game_of(record, entry)), entry

    def match_of(self, words: str) -> tuple[Match, Entry]:
        """Return the match whose record is ``text``, and its game.

        Raises RecordError, CatalogueError, GameFileError or ValueError.
        """
        return self._told(parse_record(words[:READ]))

    def open_text(self, words: str) -> None:
        """Open a match or a shared game from text, e.g. from the clipboard.

        A match is continued in a file of its own.
        """
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
        """Return the file of a game that isn't built in, or None for a built-in game."""
        if entry.path:
            return Path(entry.path)
        if entry.own and self.app.catalogue.user_folder is not None:
            return self.app.catalogue.user_folder / f"{entry.id}.yaml"
        return None

    def reread(self, match: Match, entry: Entry, path: Path) -> Match | str:
        """Replay the match under the current rules in its game file; show the new match and return it.

        If the rules are invalid or don't allow the moves made so far, return a sentence that explains this instead.
        """
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
        """Start the same game with the same players again, rotated by ``shift`` seats.

        If ``same`` is set, the deal stays the same. Otherwise, the match gets a new seed.
        """
        names, kinds = fitted(match.names, match.kinds, self.app.results.matches(entry.id))
        names, kinds = ((each[-shift:] + each[:-shift] if shift else each) for each in (names, kinds))
        # Keep hands that were chosen, and deal random ones again.
        facts = match.game.facts(len(names))
        drawn = match.deal.keys() if facts.drawn_from is None else facts.drawn_from
        deal = {name: given for name, given in match.deal.items() if same or name not in drawn}
        more = handicap.of_deal(deal, facts)
        if shift and any(map(any, more)):
            # The handicap stays with its player.
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
