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

from shibumi3d import files
from shibumi3d.catalogue.problems import LIMITS, parse_problem_file
from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.catalogue.sharing import MAX_LINE_LENGTH, is_shared_line
from shibumi3d.i18n import _, localize, ngettext
from shibumi3d.match import sharing
from shibumi3d.match.history import PERSON
from shibumi3d.match.match import Match, entry_of_record, game_of_record
from shibumi3d.match.record import Record, RecordError
from shibumi3d.match.record import load as load_record
from shibumi3d.match.record import parse as parse_record
from shibumi3d.match.store import key_for_text, match_key
from shibumi3d.rules.errors import GameFileError, RuleFailure
from shibumi3d.rules.game import SEPARATE_OPTIONS
from shibumi3d.rules.marbles import handicap
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.search.levels import ADAPTIVE, is_adaptive, player_type_of

from ...match.copies import replay_with_rules
from ..host.courses import ReceivedCourse
from ..host.dialogs import ChoiceCard
from ..host.match_settings import DEFAULT_MATCH_SETTINGS, MatchSettings, parse_seed, shuffle_seats
from ..host.match_setup import MatchSetup
from ..host.player_setup import human_names, resolve_players
from ..host.problems import ReceivedProblemError, describe_problem_challenge
from ..host.solo import describe_challenge
from ..match.page import MatchPage

if TYPE_CHECKING:
    from shibumi3d.catalogue.solo import SoloDeal

    from ..host import Host
    from ..host.match_series import MatchSeries


MAX_READ_BYTES = 256 * 1024
"""Maximum number of bytes of saved games to read before a page is shown.

It is also the maximum length of a pasted record, in characters.
"""


MAX_OPENED_BYTES = max(MAX_LINE_LENGTH, LIMITS.size)
"""Maximum number of bytes read from a file to find out what it contains."""


def _modification_date(path: Path) -> date | None:
    """Return the date of a file's last change, or None if it can't be determined."""
    try:
        return date.fromtimestamp(path.stat().st_mtime)
    except (OSError, OverflowError, ValueError):
        return None


def _match_key(match: Match) -> str:
    """Return a key for a match that isn't in the store, or "" before its first move."""
    return key_for_text(match.game.id, match.record(include_undone=True).to_text()) if match.plies else ""


class Matches:
    """Service that starts, opens, saves and replays matches."""

    def __init__(self, app: Host) -> None:
        self.app = app
        self.unfinished: Record | None = None
        """Record of the most recently played unfinished match, or None."""
        self.unfinished_path: Path | None = None
        self.current_path: Path | None = None
        """File of the match on the screen, or None."""
        self.series: MatchSeries | None = None
        """Series of matches between computer players that is being watched, or None."""
        self.last_game_id = ""
        """ID of the game played most recently since the program started, or an empty string."""
        self._shown_puzzles: set[tuple[object, ...]] = set()
        """Keys of the puzzles whose solutions were shown since the program started."""

    def find_unfinished(self) -> None:
        saved = self.app.store.find_unfinished(MAX_READ_BYTES)
        self.unfinished = saved.record if saved is not None else None
        self.unfinished_path = saved.path if saved is not None and self.unfinished is not None else None

    def start(
        self,
        entry: Entry,
        names: list[str],
        size: int,
        variant: str,
        seed: int,
        deal: Mapping[str, str] | None = None,
        *,
        player_types: Sequence[str] = (),
        allow_repetition_claims: bool = True,
        options: Mapping[str, int | str] = MappingProxyType({}),
        settings: MatchSettings = DEFAULT_MATCH_SETTINGS,
        save_as_default: bool = True,
    ) -> None:
        """Start a match and show it.

        ``deal`` overrides random choices at the start. ``player_types`` gives the player type of each seat; seats
        without a type are played by people. If ``allow_repetition_claims`` is set, a draw may be claimed when a
        position occurs for the third time. If ``save_as_default`` is set, the people's names become the defaults for
        all games, and the other choices become the defaults for this game. Set it for choices made on the home page.

        If the match can't be started, a message says why.
        """
        wanted_types = (*player_types, *[PERSON] * (len(names) - len(player_types)))
        names, resolved_types = resolve_players(names, wanted_types, self.app.results.matches(entry.id))
        seated = [names, resolved_types]
        if settings.random_seats:
            seated = shuffle_seats(seed, *seated)
        try:
            chosen = {name: value for name, value in options.items() if name not in SEPARATE_OPTIONS}
            game = entry.game(size=size, variant=variant, options=chosen)
            facts = game.facts(len(names))
            more = handicap.parse_handicap(settings.handicap, facts)
            if more and settings.random_seats:
                more = tuple(shuffle_seats(seed, more)[0])
            match = Match(
                game,
                seated[0],
                seed,
                deal={**(deal or {}), **handicap.make_deal(more, facts)},
                player_types=seated[1],
                can_claim_repetition=allow_repetition_claims,
                has_swap_rule=settings.swap_rule,
                time_limit=settings.time_limit,
            )
        except (CatalogueError, GameFileError, RuleFailure, ValueError) as problem:
            self.app.show_message(_("Couldn't start this game: {problem}.", problem=problem))
            return
        self.series = None
        self.app.change_settings(
            played=(entry.id, *[game_id for game_id in self.app.settings.played if game_id != entry.id])
        )
        if save_as_default:
            self._save_as_default(
                entry, names, wanted_types, MatchSetup(len(names), size, variant, chosen, settings)
            )
        self.play(match, entry)

    def start_deal(self, deal: SoloDeal, entry: Entry) -> None:
        names = human_names(self.app.settings.names, 1)
        try:
            match = Match(deal.load_game(entry), names, deal.seed, position=deal.position)
            for move in deal.lead:
                match.play(move)
        except (CatalogueError, GameFileError, RuleFailure, ValueError) as problem:
            self.app.show_message(_("Couldn't start this game: {problem}.", problem=problem))
            return
        match.undo_limit = len(deal.lead)
        self.app.change_settings(
            played=(entry.id, *[game_id for game_id in self.app.settings.played if game_id != entry.id])
        )
        self.play(match, entry)

    def _save_as_default(
        self, entry: Entry, names: Sequence[str], player_types: Sequence[str], setup: MatchSetup
    ) -> None:
        before = self.app.settings.names
        # The level of an adaptive opponent is chosen again for every match.
        played = tuple(
            [ADAPTIVE if is_adaptive(player_type) else player_type for player_type in player_types]
        )
        saved_names = [
            before[seat] if player_type != PERSON and seat < len(before) else name
            for seat, (name, player_type) in enumerate(zip(names, played, strict=True))
            if seat < len(before) or player_type == PERSON
        ]
        setups = self.app.settings.setups
        self.app.change_settings(
            names=(*saved_names, *before[len(names) :]),
            seats={**self.app.settings.seats, entry.id: played},
            setups={**setups, entry.id: setup.to_saved(entry, setups.get(entry.id, {}))},
        )

    def play(self, match: Match, entry: Entry, path: Path | None = None) -> None:
        self.last_game_id = entry.id
        match.is_solution_shown = match.is_solution_shown or self._puzzle_key(match) in self._shown_puzzles
        self.series = None if path is not None else self.series
        if path is None:
            self._save_to_new_file(match)
        else:
            self.release_current()
            self.current_path = path
            match.start_autosave(path, save_now=False)
        self.app.pages.show_match(match, entry)

    def mark_solution_shown(self, match: Match) -> None:
        """Record, for this and later matches of the same puzzle, that the program has shown the solution."""
        match.is_solution_shown = True
        self._shown_puzzles.add(self._puzzle_key(match))

    def _puzzle_key(self, match: Match) -> tuple[object, ...]:
        """Return a key that is equal for matches of the same puzzle in the same store."""
        deal = tuple(sorted(match.deal.items()))
        game = match.game.id, match.game.variant, match.game.size, str(match.options)
        return self.app.store.folder, *game, match.seed, deal, str(match.position)

    def _save_to_new_file(self, match: Match, original_key: str = "") -> None:
        """Start autosaving a match to a new file, make that file the current one, and start timing the match.

        If the folder for saved matches can't be created, a warning is shown. If the match is a copy or a continuation
        of another match, ``original_key`` is the key of that match.
        """
        self.release_current()
        try:
            self.current_path = self.app.store.save_new(match, datetime.now(), original_key)
        except OSError as problem:
            self.app.show_warning(_("Couldn't save the game: {problem}.", problem=problem))
        else:
            self.app.results.start_timing(match_key(self.current_path))

    def prepare_continuation(self, match: Match) -> None:
        """Start a new file for the continuation of ``match``, the match on the screen, if it is over.

        The original file keeps the ending. Statistics count both files as the same match.
        """
        if self.current_path is not None and match.state.to_move is None:
            self._save_to_new_file(match, match_key(self.current_path))

    def record_result(self, match: Match) -> None:
        self.app.results.record_result(
            match, match_key(self.current_path) if self.current_path is not None else ""
        )

    def release_current(self) -> None:
        if self.current_path is not None:
            self.app.store.release(self.current_path)
            self.current_path = None

    def resume_unfinished(self) -> None:
        if self.unfinished_path is not None:
            self.open_file(self.unfinished_path)

    def open_path(self, path: Path, *, replay: bool = False) -> None:
        """Open a file of any kind: a saved match, a game, problems, or a text with a link or a shared game.

        If ``replay`` is set, a match is replayed even if it is unfinished.
        """
        try:
            data = files.read(path, MAX_OPENED_BYTES)
        except OSError:
            data = b""  # opening the file below reports why it can't be read
        text = data.decode("utf-8-sig", "replace")
        match sharing.classify_file(text):
            case "game":
                self._start_game_file(path)
            case "problems":
                self._open_problems(data, path)
            case "shared game":
                self.app.pages.import_shared_game(text)
            case "link":
                self.open_link(sharing.find_link(text))
            case "match" if replay:
                self.replay_file(path)
            case "match":
                self.open_file(path)

    def _start_game_file(self, path: Path) -> None:
        """Start the game that a file defines, with two players or the nearest number that the game allows.

        If the game can't be started, a message says why.
        """
        try:
            entry = self.app.catalogue.open(path)
        except (GameFileError, OSError) as problem:
            self.app.show_message(_("Couldn't start this game: {problem}.", problem=problem))
            return
        seats = max(entry.players[0], min(entry.players[1], 2))
        names = human_names(self.app.settings.names, seats)
        self.start(entry, names, entry.size, "", parse_seed(""), save_as_default=False)

    def _open_problems(self, data: bytes, path: Path) -> None:
        """Add the problems in a file to the user's own problems, and show them, starting with the first.

        Problems that are built in aren't added, but are shown like the others. If the file can't be opened, a message
        says why.
        """
        library = self.app.results.problems
        try:
            # A file with the problems of a single game is named after it.
            problems = parse_problem_file(data, path.name, path.name.partition(".")[0])
            names = library.add_received(problems)
        except (GameFileError, ReceivedProblemError) as problem:
            self.app.show_message(_("This problem file can't be opened: {problem}.", problem=problem))
            return
        if names:
            self.app.pages.show_problem(ReceivedCourse(library, names))

    def open_file(self, path: Path) -> None:
        """Open a record: continue an unfinished match, or replay a finished one.

        New moves are saved to this file if it is in the store and no other window has it open. Otherwise they are saved
        to a copy, and the original file is not changed. If the record of a finished match lacks the result, the result
        is added to the file, but only if the file is in the store and no other window has it open. If the record can't
        be opened, a message says why.
        """
        self.release_current()
        self.series = None
        ours = self.app.store.contains(path)
        # Claim the file before reading it, so that no other program can write to it in between.
        claimed = ours and self.app.store.claim(path)
        try:
            record = load_record(path)
            match, entry = self._load_match(record)
        except (RecordError, CatalogueError, GameFileError, ValueError) as problem:
            self.app.store.release(path)
            self.app.show_message(_("{text}.", text=capitalize_first(localize(problem))))
            return
        if match.state.to_move is None:
            day = _modification_date(path)
            if claimed and record.result is None:
                # Save the result to which the moves lead. Otherwise the match would be offered again as unfinished.
                with suppress(OSError, RecordError):
                    match.record(include_undone=True).save(path)
            self.app.store.release(path)
            self.app.pages.show_saved_match(match, entry, day)
            return
        if claimed:
            self.current_path = path
            match.start_autosave(path, save_now=False)
        else:
            self._save_to_new_file(match, match_key(path) if ours else _match_key(match))
        self.app.pages.show_match(match, entry)
        if ours and not claimed:
            self.app.show_message(
                _("This game is already open in another window, so you are playing a copy of it.")
            )

    def replay_file(self, path: Path) -> None:
        """Replay the match in the file ``path`` from its beginning, whether it is finished or not.

        An unfinished match can be continued from the replay, in the same way as with :meth:`open_file`. If the file
        can't be opened, a message says why.
        """
        try:
            match, entry = self._load_match(load_record(path))
        except (RecordError, CatalogueError, GameFileError, ValueError) as problem:
            self.app.show_message(_("{text}.", text=capitalize_first(localize(problem))))
            return
        if match.state.to_move is None:
            self.open_file(path)
            return
        self.release_current()
        self.series = None
        match.go_to(len(match.plies) + len(match.undone))
        self.app.pages.show_saved_match(match, entry, _modification_date(path), path)

    def _load_match(self, record: Record) -> tuple[Match, Entry]:
        """Return the match in a record, and its game.

        Raises RecordError, CatalogueError, GameFileError or ValueError if the game is missing or invalid, or doesn't
        allow the moves.
        """
        record = replace(record, player_types=tuple(map(player_type_of, record.player_types)))
        entry = entry_of_record(record, self.app.catalogue)
        return Match.from_record(record, game_of_record(record, entry)), entry

    def parse_match(self, text: str) -> tuple[Match, Entry]:
        return self._load_match(parse_record(text[:MAX_READ_BYTES]))

    def open_text(self, text: str) -> None:
        """Open a link, a shared game or a match record from ``text``, which usually comes from the clipboard.

        A link is opened by :meth:`open_link`. An unfinished match in a record is saved to a new file and continued
        there; a finished match is replayed. Blank text is ignored. If any other text can't be opened, a message says
        why.
        """
        if not text.strip():
            return
        if link := sharing.find_link(text[:MAX_READ_BYTES]):
            self.open_link(link)
            return
        if is_shared_line(text):
            self.app.pages.import_shared_game(text)
            return
        if len(text) > MAX_READ_BYTES:
            self.app.show_message(_("The text on the clipboard is too long."))
            return
        try:
            match, entry = self.parse_match(text)
        except (RecordError, CatalogueError, GameFileError, ValueError) as problem:
            self.app.show_message(_("Couldn't open a game from the clipboard: {problem}.", problem=problem))
            return
        self.release_current()
        self.series = None
        if match.state.to_move is None:
            self.app.pages.show_saved_match(match, entry)
            return
        self._save_to_new_file(match, _match_key(match))
        self.app.pages.show_match(match, entry)

    def open_link(self, link: str) -> None:
        """Open a match, a challenge or a problem that another player has sent as a link.

        If a received match is already in the store, its new turns are added to the saved match. If the two matches
        diverge, the user chooses which match to open. If the link can't be opened, a message says why.
        """
        try:
            received = sharing.decode(link)
            if isinstance(received, sharing.Challenge):
                self._start_challenge(received)
                return
            if isinstance(received, sharing.ProblemChallenge):
                self._show_received_problem(received)
                return
            match, entry = self._load_match(received)
        except (RecordError, CatalogueError, GameFileError, RuleFailure, ValueError) as problem:
            self.app.show_message(_("This link can't be opened: {problem}.", problem=problem))
            return
        saved = self._find_shared(received)
        if saved is None:
            self._show_received(match, entry)
            return
        path, own_record = saved
        comparison = sharing.compare(received, own_record)
        if comparison.relation == "newer":
            self._add_turns(
                path, replace(own_record, turns=received.turns, undone=(), result=received.result)
            )
        elif comparison.relation == "fork":
            self._ask_about_fork(match, entry, path, comparison.common_turns + 1)
        else:
            self.open_file(path)
            if comparison.relation == "older":
                self.app.show_message(
                    _(
                        "Your match is ahead of this link: the link ends after turn {received}, your match after "
                        "turn {own}.",
                        received=len(received.turns),
                        own=len(own_record.turns),
                    )
                )

    def _find_shared(self, received: Record) -> tuple[Path, Record] | None:
        """Return the file and the record of the saved copy of a received match, or None if there is none.

        If there are several copies, one that doesn't diverge from the received match is preferred, then the one with
        the most turns in common with it.
        """
        candidates = []
        for saved in self.app.store.list_files():
            summary = saved.summary
            if summary is None or (summary.game, summary.seats) != (received.game, received.seats):
                continue
            record = saved.record
            if record is not None and sharing.is_same_match(received, record):
                comparison = sharing.compare(received, record)
                candidates.append(
                    ((comparison.relation != "fork", comparison.common_turns), saved.path, record)
                )
        if not candidates:
            return None
        _rank, path, record = max(candidates, key=lambda candidate: candidate[0])
        return path, record

    def _show_received(self, match: Match, entry: Entry) -> None:
        """Save a received match to a new file, show it, and replay its last turn."""
        self.release_current()
        self.series = None
        self._save_to_new_file(match)
        if self.current_path is not None:
            with suppress(OSError, RecordError):
                match.start_autosave(self.current_path)
        self._show_last_turn(match, entry)

    def _add_turns(self, path: Path, record: Record) -> None:
        """Save ``record``, which contains the received turns, to ``path``, and replay the last turn.

        If the match is over, its result is recorded. If the match is open in another window, or can't be loaded or
        saved, a message says so.
        """
        self.release_current()
        self.series = None
        if not self.app.store.claim(path):
            self.app.show_message(_("This match is open in another window. Open the link there."))
            return
        try:
            match, entry = self._load_match(record)
            match.start_autosave(path)
        except (RecordError, CatalogueError, GameFileError, ValueError, OSError) as problem:
            self.app.store.release(path)
            self.app.show_message(_("This link can't be opened: {problem}.", problem=problem))
            return
        self.current_path = path
        self._show_last_turn(match, entry)
        if match.state.to_move is None:
            self.record_result(match)

    def _show_last_turn(self, match: Match, entry: Entry) -> None:
        self.app.pages.show_match(match, entry)
        page = self.app.current_page
        if isinstance(page, MatchPage):
            page.actions.replay_last_turn()

    def _ask_about_fork(self, match: Match, entry: Entry, path: Path, turn: int) -> None:
        """Ask whether to open a received match or the user's own version of it.

        ``turn`` is the number of the first turn in which the two differ.
        """
        card = ChoiceCard(
            self.app,
            _(
                "This link and your match differ from turn {turn} on, perhaps because someone took back a turn. "
                "Your match stays saved either way.",
                turn=turn,
            ),
            (_("Open the link"), lambda: self._show_received(match, entry)),
            (_("Open my match"), lambda: self.open_file(path)),
        )
        self.app.root.open_popup(card, card.place, focus=card.continue_button)

    def _start_challenge(self, challenge: sharing.Challenge) -> None:
        """Save a challenge, start its deal and show the result to beat.

        Raises RecordError, CatalogueError, GameFileError or ValueError if the deal can't be played here.
        """
        names = human_names(self.app.settings.names, 1)
        record = replace(challenge.record, seats=tuple(names), player_types=(), result=None)
        match, entry = self._load_match(record)
        if match.state.to_move is None:
            raise sharing.SharingError("the match is over")
        match.undo_limit = match.cursor
        self.app.results.solo.save_challenge(challenge)
        self.play(match, entry)
        self.app.show_message(describe_challenge(challenge.result))

    def _show_received_problem(self, challenge: sharing.ProblemChallenge) -> None:
        """Save a problem received from another player, and show it with the result to beat.

        The problem isn't shown if it can't be saved. Raises :class:`.ReceivedProblemError` if it can't be played here.
        """
        library = self.app.results.problems
        names = library.add_received([challenge.problem])
        if names:
            library.save_challenge(names[0], challenge.result)
            self.app.pages.show_problem(ReceivedCourse(library, names))
            self.app.show_message(describe_problem_challenge(challenge.result))

    def game_file(self, entry: Entry) -> Path | None:
        if entry.path:
            return Path(entry.path)
        if entry.own and self.app.catalogue.user_folder is not None:
            return self.app.catalogue.user_folder / f"{entry.id}.yaml"
        return None

    def reload_rules(self, match: Match, entry: Entry, path: Path) -> Match | str:
        try:
            new_entry = self.app.catalogue.open(path)
            new_match, problem = replay_with_rules(match, new_entry)
        except GameFileError as wrong:
            first_problem, more = wrong.problems[0], len(wrong.problems) - 1
            line, message = first_problem.location.line, localize(first_problem.message)
            if more:
                return ngettext(
                    "Line {line} of the file: {message}. There is {n} more error. The old rules are still in use.",
                    "Line {line} of the file: {message}. There are {n} more errors. The old rules are still in use.",
                    more,
                    line=line,
                    message=message,
                )
            return _(
                "Line {line} of the file: {message}. The old rules are still in use.",
                line=line,
                message=message,
            )
        except (CatalogueError, RuleFailure, ValueError, OSError) as wrong:
            return _("Couldn't reload the rules: {problem}. The old rules are still in use.", problem=wrong)
        if problem:
            return problem
        if self.current_path is not None:
            new_match.start_autosave(self.current_path, save_now=False)
        self.app.pages.replace_match(new_match, new_entry, _("Rules reloaded."))
        return new_match

    def rematch(self, match: Match, entry: Entry, rotate_by: int = 0, *, same_deal: bool = False) -> None:
        solo_deal = self.app.results.solo.find(match)
        if same_deal and solo_deal is not None:
            self.start_deal(solo_deal, entry)
            return
        names, kinds = resolve_players(match.names, match.player_types, self.app.results.matches(entry.id))
        names, kinds = (
            (each[-rotate_by:] + each[:-rotate_by] if rotate_by else each) for each in (names, kinds)
        )
        # Keep hands that were chosen, and deal random ones again.
        facts = match.game.facts(len(names))
        drawn = match.deal.keys() if facts.dealable_names is None else facts.dealable_names
        deal = {name: value for name, value in match.deal.items() if same_deal or name not in drawn}
        more = handicap.handicap_from_deal(deal, facts)
        if rotate_by and any(map(any, more)):
            # The handicap stays with its player.
            deal = handicap.make_deal(more[-rotate_by:] + more[:-rotate_by], facts)
        try:
            new_match = Match(
                match.game,
                names,
                match.seed if same_deal else random.randrange(1_000_000),
                deal=deal,
                position=match.position,
                can_claim_repetition=match.can_claim_repetition,
                player_types=kinds,
                has_swap_rule=match.has_swap_rule,
                time_limit=match.clock.time_limit if match.clock is not None else None,
            )
        except RuleFailure as problem:
            self.app.show_message(_("Couldn't start this game: {problem}.", problem=problem))
        else:
            if self.series is not None:
                self.series.rotation += rotate_by
            self.play(new_match, entry)
