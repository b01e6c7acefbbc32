"""Tournaments of 3 to 16 people and computer players who share a screen: rounds, results and standings.

Every match is between two players, even if its game also allows other numbers of players. A tournament is an immutable
value; all changes return a new one. The result of a match played in the program is read from the match's file rather
than passed on in memory, so that nothing is lost if the program is killed.

Tie-breaks follow the FIDE Handbook, C.07: in a Swiss tournament Buchholz, then Sonneborn–Berger and the number of wins;
in a round robin Sonneborn–Berger, then the number of wins. As in C.07, a bye or a forfeit in a Swiss tournament counts
for the tie-breaks as a match against somebody with the player's own points. If a player withdraws from a round robin
before half of their matches are played, none of these matches count, and the player has no rank (C.05).
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import LocalizedError, Message
from shibumi3d.match.clock import TimeLimit
from shibumi3d.match.history import PERSON
from shibumi3d.match.match import Match
from shibumi3d.match.pairings import (
    Contender,
    Pair,
    knockout_bracket,
    pair_knockout,
    pair_swiss,
    round_robin_rounds,
    seat_pair,
)
from shibumi3d.match.record import Record
from shibumi3d.match.special_moves import SWAP, allows_swap_rule
from shibumi3d.names import make_distinct, normalize

PLAYER_COUNTS = (3, 16)
"""Minimum and maximum number of players."""
ROUND_ROBIN, DOUBLE_ROUND_ROBIN, SWISS, KNOCKOUT = "round-robin", "double-round-robin", "swiss", "knockout"
SYSTEMS = (ROUND_ROBIN, DOUBLE_ROUND_ROBIN, SWISS, KNOCKOUT)
BY_HAND, BY_FORFEIT = "hand", "forfeit"
"""How a result came about without a match in the program: it was entered by hand, or a player withdrew."""
WIN_FIRST, DRAW, WIN_SECOND = (1.0, 0.0), (0.5, 0.5), (0.0, 1.0)
"""Points of the first and the second seat for each result: a win of the first, a draw, and a win of the second."""


class TournamentError(LocalizedError, ValueError):
    """Raised if a tournament can't be set up, changed or read. The message is for users."""


@dataclass(frozen=True, slots=True)
class TournamentPlayer:
    """A player in a tournament.

    ``player_type`` is "person", "random" or the level of a computer player.
    """

    name: str
    player_type: str = PERSON
    has_withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class TournamentGame:
    """A game that is played in a tournament, with its size (0 for the default), variant and options.

    If ``has_swap_rule`` is set, the second seat may take over the first turn. If ``can_claim_repetition`` is set, a
    draw may be claimed when a turn begins with the same position and the same seat to move for the third time.
    """

    game: str
    size: int = 0
    variant: str = ""
    options: Mapping[str, int | str] = field(default_factory=dict)
    has_swap_rule: bool = False
    can_claim_repetition: bool = True


@dataclass(frozen=True, slots=True)
class TournamentMatch:
    """A match of a tournament, or a bye if there is only one player.

    ``round`` is numbered from 1. ``players`` holds the numbers of the players in seat order; it is empty for a knockout
    pair in which nobody is left. ``file`` is the name of the file in the folder of matches, or "" before the match has
    begun. ``points`` holds the points of each seat; it is empty while no result is recorded, and for a bye (see
    :meth:`Tournament.points_of`). ``decided_by`` is :data:`BY_HAND` or :data:`BY_FORFEIT`, or "" if the match was
    played or has no recorded result.
    """

    round: int
    players: Pair
    file: str = ""
    points: tuple[float, ...] = ()
    decided_by: str = ""

    @property
    def is_bye(self) -> bool:
        """Whether the match has only one player."""
        return len(self.players) == 1


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place in the standings.

    ``rank`` starts at 1. Players who are still tied after all tie-breaks share a rank, and a player whose matches don't
    count has rank 0. ``tie_breaks`` are compared in order. In a knockout, ``round_lost`` is the round in which the
    player was eliminated, or 0 if that hasn't happened.
    """

    player: int
    rank: int
    played: int
    wins: int
    draws: int
    losses: int
    points: float
    tie_breaks: tuple[float, ...]
    round_lost: int = 0


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament: its players in the order of their seeding, and its matches in the order of play.

    ``rounds`` is the total number of rounds. The rounds cycle through ``games``. ``time_limit`` is None if there are no
    clocks. Create a tournament with :func:`new_tournament`.
    """

    name: str
    system: str
    rounds: int
    games: tuple[TournamentGame, ...]
    players: tuple[TournamentPlayer, ...]
    matches: tuple[TournamentMatch, ...] = ()
    time_limit: TimeLimit | None = None

    # Rounds

    @property
    def is_round_robin(self) -> bool:
        """Whether everybody meets everybody, so that all rounds are known from the start."""
        return self.system in (ROUND_ROBIN, DOUBLE_ROUND_ROBIN)

    @property
    def current_round(self) -> int:
        """Number of the first round with undecided matches, or of the last paired round if all matches are decided.

        It is 0 if no round has been paired.
        """
        open_rounds = [match.round for match in self.matches if not self.points_of(match)]
        return min(open_rounds, default=max((match.round for match in self.matches), default=0))

    def game_of(self, match: TournamentMatch) -> TournamentGame:
        """Return the game of a match."""
        return self.games[(match.round - 1) % len(self.games)]

    def round_matches(self, number: int) -> list[TournamentMatch]:
        """Return the matches and byes of round ``number``."""
        return [match for match in self.matches if match.round == number]

    def resting_players(self, number: int) -> list[int]:
        """Return the players who have no match in round ``number`` of a round robin.

        In other tournaments, the list is empty.
        """
        busy = {player for match in self.round_matches(number) for player in match.players}
        return [player for player in range(len(self.players)) if player not in busy and self.is_round_robin]

    def points_of(self, match: TournamentMatch) -> tuple[float, ...]:
        """Return the points of each seat, or an empty tuple if they aren't known yet.

        A bye is worth 1 point. For a knockout pair in which nobody is left, the result is also ``(1.0,)``, so that it
        counts as decided. If one player of a match without a recorded result has withdrawn, the opponent gets 1 point;
        if both have, each gets 0.
        """
        if match.points or len(match.players) < 2:
            return match.points or (1.0,)
        withdrawn = [self.players[player].has_withdrawn for player in match.players]
        return tuple(float(not each) for each in withdrawn) if any(withdrawn) else ()

    def is_forfeit(self, match: TournamentMatch) -> bool:
        """Return whether a match was decided because a player withdrew."""
        is_open = len(match.players) == 2 and not match.points
        return match.decided_by == BY_FORFEIT or (is_open and bool(self.points_of(match)))

    @property
    def is_round_complete(self) -> bool:
        """Whether all matches paired so far are decided."""
        return all(self.points_of(match) for match in self.matches)

    @property
    def is_over(self) -> bool:
        """Whether there is nothing left to play."""
        if not self.is_round_complete:
            return False
        return self.current_round >= self.rounds or len(self._active_players()) < 2

    @property
    def can_start_round(self) -> bool:
        """Whether the next round can be paired.

        This is never the case in a round robin, which is paired completely at the start.
        """
        return self.is_round_complete and not self.is_over and not self.is_round_robin

    def _active_players(self) -> list[int]:
        """Return the players for the next round, leaving out those who have withdrawn.

        Once a knockout has begun, only players who advance from the current round are returned.
        """
        active = [number for number, player in enumerate(self.players) if not player.has_withdrawn]
        if self.system == KNOCKOUT and self.matches:
            winners = self.knockout_winners(self.current_round)
            return [player for player in active if player in winners]
        return active

    def start_round(self) -> Tournament:
        """Return the tournament with the pairs of the next round added.

        Matches decided by a withdrawal become final.
        """
        decided = tuple(
            replace(match, points=self.points_of(match), decided_by=BY_FORFEIT)
            if self.is_forfeit(match)
            else match
            for match in self.matches
        )
        current = replace(self, matches=decided)
        number = current.current_round + 1
        if self.system == KNOCKOUT:
            if number == 1:
                pairs = knockout_bracket(len(self.players))
            else:
                active = self._active_players()
                pairs = pair_knockout(
                    [winner if winner in active else None for winner in current.knockout_winners(number - 1)]
                )
            pairs = [
                seat_pair(current._contender(pair[0]), current._contender(pair[1]), board)
                if len(pair) == 2
                else pair
                for board, pair in enumerate(pairs)
            ]
        else:
            pairs = pair_swiss([current._contender(player) for player in self._active_players()])
        return replace(current, matches=(*decided, *(TournamentMatch(number, pair) for pair in pairs)))

    def _contender(self, player: int) -> Contender:
        own = [match for match in self.matches if player in match.players]
        unplayed = [match for match in own if match.is_bye or self.is_forfeit(match)]
        points = {match: self.points_of(match)[match.players.index(player)] for match in own}
        return Contender(
            player,
            sum(points.values()),
            frozenset(other for match in own for other in match.players if other != player),
            any(points[match] for match in unplayed),
            tuple(match.players.index(player) for match in own if match not in unplayed),
        )

    # Knockout

    def _knockout_pairs(self, number: int) -> list[list[TournamentMatch]]:
        """Return the matches of each pair in round ``number``, in the order of the bracket.

        If a pair has a second match, that match is a replay.
        """
        by_pair: dict[frozenset[int], list[TournamentMatch]] = {}
        for index, match in enumerate(self.round_matches(number)):
            # Pairs in which both players have withdrawn are empty, and there can be several.
            by_pair.setdefault(frozenset(match.players) or frozenset((-1 - index,)), []).append(match)
        return list(by_pair.values())

    def knockout_winners(self, number: int) -> list[int | None]:
        """Return which player advances from each pair in round ``number``, in the order of the bracket.

        None stands for an empty or undecided pair, or one without a winner because both players withdrew. After two
        draws, the player with the better seed advances.
        """
        return [self._pair_winner(matches) for matches in self._knockout_pairs(number)]

    def _pair_winner(self, matches: Sequence[TournamentMatch]) -> int | None:
        players = matches[0].players
        if len(players) < 2:
            return players[0] if players else None
        for match in matches:
            points = self.points_of(match)
            if points and points[0] != points[1]:
                return match.players[points.index(max(points))]
        if len(matches) > 1 and self.points_of(matches[-1]) == DRAW:
            return min(players)
        return None

    def _with_replays(self) -> Tournament:
        """Return the tournament with a replay for each knockout pair whose first match was drawn.

        The seats are swapped in a replay. Replays that are no longer needed are removed, unless they have begun or have
        a recorded result.
        """
        if self.system != KNOCKOUT:
            return self
        matches: list[TournamentMatch] = []
        for number, _round in groupby(self.matches, lambda match: match.round):
            for first, *others in self._knockout_pairs(number):
                matches.append(first)
                if len(first.players) == 2 and self.points_of(first) == DRAW:
                    matches += others or [TournamentMatch(number, first.players[::-1])]
                else:
                    matches += [match for match in others if match.points or match.file]
        return replace(self, matches=tuple(matches))

    # Changes

    def can_change(self, index: int) -> bool:
        """Return whether the result of the match at ``index`` may still be entered or changed.

        In a round robin, this is always possible. In other tournaments, it is possible only until the next round is
        paired. A match with fewer than two players, such as a bye, has no result to enter.
        """
        match = self.matches[index]
        last = max(each.round for each in self.matches)
        return len(match.players) == 2 and (self.is_round_robin or match.round == last)

    def index_of(self, match: TournamentMatch) -> int:
        """Return the index of a match. Raises TournamentError if it has changed or is no longer in the tournament."""
        try:
            return self.matches.index(match)
        except ValueError:
            raise TournamentError("this match was changed in another window") from None

    def with_match(self, index: int, **changes: object) -> Tournament:
        """Return the tournament with ``changes`` to the match at ``index``, for example to its result or file.

        In a knockout, replays are added or removed as needed.
        """
        changed = replace(self.matches[index], **changes)  # type: ignore[arg-type]
        matches = (*self.matches[:index], changed, *self.matches[index + 1 :])
        return replace(self, matches=matches)._with_replays()

    def with_withdrawal(self, player: int, has_withdrawn: bool) -> Tournament:
        """Return the tournament after a player has withdrawn or come back.

        In a knockout, replays are added or removed as needed.
        """
        changed = replace(self.players[player], has_withdrawn=has_withdrawn)
        players = (*self.players[:player], changed, *self.players[player + 1 :])
        return replace(self, players=players)._with_replays()

    # Standings

    def left_out_players(self) -> frozenset[int]:
        """Return the players whose matches don't count.

        A player who has withdrawn from a round robin is left out if fewer than half of the player's matches have a
        recorded result. In other tournaments, nobody is left out.
        """
        if not self.is_round_robin:
            return frozenset()
        found = []
        for number, player in enumerate(self.players):
            own = [match for match in self.matches if number in match.players]
            if player.has_withdrawn and 2 * sum(bool(match.points) for match in own) < len(own):
                found.append(number)
        return frozenset(found)

    def standings(self) -> list[Standing]:
        """Return the standings, best player first; players whose matches don't count come last."""
        out = self.left_out_players()
        counted = [
            (match, points)
            for match in self.matches
            if (points := self.points_of(match)) and out.isdisjoint(match.players)
        ]
        totals = [
            sum(points[match.players.index(player)] for match, points in counted if player in match.players)
            for player in range(len(self.players))
        ]
        rows = [self._standing(player, counted, totals) for player in range(len(self.players))]
        keys = {row.player: self._sort_key(row, row.player in out) for row in rows}
        rows.sort(key=lambda row: (keys[row.player], row.player))
        ranks = {row.player: 1 + sum(keys[other.player] < keys[row.player] for other in rows) for row in rows}
        return [replace(row, rank=0 if row.player in out else ranks[row.player]) for row in rows]

    def _sort_key(self, row: Standing, is_left_out: bool) -> tuple[object, ...]:
        if self.system == KNOCKOUT:
            return (-(row.round_lost or self.rounds + 1),)
        return is_left_out, -row.points, tuple(-value for value in row.tie_breaks)

    def _standing(
        self,
        player: int,
        counted: Sequence[tuple[TournamentMatch, tuple[float, ...]]],
        totals: Sequence[float],
    ) -> Standing:
        own = [(match, points) for match, points in counted if player in match.players]
        wins = draws = losses = 0
        buchholz = sonneborn_berger = 0.0
        for match, points in own:
            seat = match.players.index(player)
            gained = points[seat]
            is_unplayed = match.is_bye or (self.is_forfeit(match) and not self.is_round_robin)
            opponent_points = totals[player] if is_unplayed else totals[match.players[1 - seat]]
            buchholz += opponent_points
            sonneborn_berger += gained * opponent_points
            if not match.is_bye:
                wins, draws, losses = wins + (gained == 1), draws + (gained == 0.5), losses + (gained == 0)
        tie_breaks: tuple[float, ...] = (sonneborn_berger, float(wins))
        if self.system == SWISS:
            tie_breaks = buchholz, *tie_breaks
        lost = 0
        if self.system == KNOCKOUT:
            tie_breaks = ()
            lost = self._round_lost(player)
        played = sum(not match.is_bye for match, _points in own)
        return Standing(player, 0, played, wins, draws, losses, totals[player], tie_breaks, lost)

    def _round_lost(self, player: int) -> int:
        """Return the round in which a player left the knockout, or 0 if the player hasn't left it."""
        for number in range(1, max((match.round for match in self.matches), default=0) + 1):
            for matches in self._knockout_pairs(number):
                if player in matches[0].players:
                    winner = self._pair_winner(matches)
                    both_left = bool(self.points_of(matches[0])) and not any(self.points_of(matches[0]))
                    if winner not in (None, player) or both_left:
                        return number
        if self.players[player].has_withdrawn:
            return max((match.round for match in self.matches if player in match.players), default=1)
        return 0


def round_count(system: str, player_count: int) -> int:
    """Return the number of rounds in a tournament.

    For a Swiss tournament, which has no fixed number of rounds, this is the usual number: as many as in a knockout.
    """
    halvings = (player_count - 1).bit_length()
    if system in (SWISS, KNOCKOUT):
        return halvings
    return (player_count - 1 + player_count % 2) * (2 if system == DOUBLE_ROUND_ROBIN else 1)


def max_swiss_rounds(player_count: int) -> int:
    """Return the maximum number of rounds of a Swiss tournament: as many as a round robin has."""
    return round_count(ROUND_ROBIN, player_count)


def new_tournament(
    name: str,
    system: str,
    games: Sequence[TournamentGame],
    players: Sequence[TournamentPlayer],
    *,
    rounds: int = 0,
    time_limit: TimeLimit | None = None,
    shuffle_seed: int | None = None,
) -> Tournament:
    """Return a new tournament with the pairings of its first round, or of all rounds in a round robin.

    ``rounds`` is the number of rounds of a Swiss tournament, limited to :func:`max_swiss_rounds`; 0 stands for the
    usual number. ``time_limit`` is None for matches without clocks. If ``shuffle_seed`` is given, it determines a
    random seeding of the players; otherwise, they are seeded in the order of ``players``. If several players have the
    same name, their names are made distinct. Raises TournamentError if there are too few or too many players, or no
    game.
    """
    least, most = PLAYER_COUNTS
    if not least <= len(players) <= most:
        raise TournamentError("a tournament needs {least} to {most} players", least=least, most=most)
    if not games:
        raise TournamentError("a tournament needs a game")
    names = make_distinct([normalize(player.name) for player in players])
    seeded = [replace(player, name=one) for player, one in zip(players, names, strict=True)]
    if shuffle_seed is not None:
        random.Random(f"tournament/{shuffle_seed}").shuffle(seeded)
    count = round_count(system, len(players))
    if system == SWISS and rounds:
        count = min(rounds, max_swiss_rounds(len(players)))
    tournament = Tournament(name, system, count, tuple(games), tuple(seeded), (), time_limit)
    if not tournament.is_round_robin:
        return tournament.start_round()
    rounds_of_pairs = round_robin_rounds(len(players), is_double=system == DOUBLE_ROUND_ROBIN)
    matches = [
        TournamentMatch(number, pair) for number, pairs in enumerate(rounds_of_pairs, 1) for pair in pairs
    ]
    return replace(tournament, matches=tuple(matches))


def explain_unsuitable(entry: Entry) -> Message | None:
    """Return why a game can't be played in a tournament, or None if it can.

    A game that two can play is judged as a game for two. Raises GameFileError if the file is invalid.
    """
    least, most = entry.players
    if most < 2:
        return Message("This game is for one player, so it can't be played against anyone.")
    if least > 2:
        return Message(
            "This game needs more than two players, but each match of a tournament is between two."
        )
    if entry.game().facts(2).common_loss_reasons:
        return Message("In this game, the players win or lose together.")
    return None


def make_match(tournament: Tournament, index: int, entry: Entry, seed: int) -> Match:
    """Create the match that is planned at ``index`` in the tournament.

    ``entry`` is the catalogue entry of its game. The swap rule is left out if the game doesn't allow it, and the clocks
    are left out if the game has simultaneous moves. Raises CatalogueError, GameFileError, RuleFailure or ValueError if
    the match can't be set up.
    """
    planned = tournament.matches[index]
    form = tournament.game_of(planned)
    game = entry.game(size=form.size or None, variant=form.variant or None, options=dict(form.options))
    has_clock = not game.facts(2).has_simultaneous_moves
    players = [tournament.players[player] for player in planned.players]
    return Match(
        game,
        [player.name for player in players],
        seed,
        player_types=[player.player_type for player in players],
        can_claim_repetition=form.can_claim_repetition,
        has_swap_rule=form.has_swap_rule and allows_swap_rule(game.facts(2), 2),
        time_limit=tournament.time_limit if has_clock else None,
    )


def points_from_record(record: Record) -> tuple[float, ...]:
    """Return the points of both players of a saved match, or an empty tuple if it isn't over.

    The players are in the order in which they took their seats, before any swap.
    """
    if record.result is None:
        return ()
    winners = record.result.winners
    if len(winners) != 1:
        return DRAW
    is_swapped = any(SWAP in turn for turn in record.turns)
    return WIN_FIRST if (winners[0] == 0) != is_swapped else WIN_SECOND
