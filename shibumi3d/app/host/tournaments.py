"""The store of tournaments, and the transfer of results from match files to tournaments."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from shibumi3d.match.record import Record, RecordError, load
from shibumi3d.match.tournament import Tournament, points_from_record
from shibumi3d.match.tournament_store import SavedTournament, TournamentStore

if TYPE_CHECKING:
    from . import Host


def tournament_store(app: Host) -> TournamentStore:
    """Return the store for tournaments; its folder is next to the folder of the matches."""
    return TournamentStore(app.store.folder.parent / "tournaments")


def tournament_on_screen(app: Host) -> SavedTournament | None:
    """Return the tournament to which the match on the screen belongs, or None if there is no such tournament."""
    path = app.matches.current_path
    return tournament_store(app).find_by_match(path.name) if path is not None else None


def match_record(app: Host, file: str) -> Record | None:
    """Return the record of a tournament's match from the file named ``file``.

    Returns None if the name is empty because the match hasn't begun, or if the file can't be read.
    """
    if file:
        with suppress(RecordError):
            return load(app.store.folder / file)
    return None


def collect_results(app: Host, tournament: Tournament) -> Tournament:
    """Return the tournament with the results of all matches that have ended, read from their files."""
    index = 0
    while index < len(tournament.matches):
        match = tournament.matches[index]
        if match.file and not match.points:
            record = match_record(app, match.file)
            points = points_from_record(record) if record is not None else ()
            if points:
                # A drawn match of a knockout is followed by another one, which has no file yet.
                tournament = tournament.with_match(index, points=points)
        index += 1
    return tournament
