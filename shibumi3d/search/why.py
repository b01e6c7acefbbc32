"""Explanations of why a move is good.

Each explanation answers a question about the rules, which is put to the engine.

Only verified reasons are given, so there are fewer if the work limit is reached or if hidden information or chance is
involved. A move counts as stopping a win that would work at once after at least half of the other turns. It counts as
threatening a win that would work at once after at least half of the replies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from shibumi3d.i18n import P_, Message, Plural, Translatable
from shibumi3d.rules.errors import IllegalMove, RuleFailure, Unforeseen
from shibumi3d.rules.explained import Explained, Grounded
from shibumi3d.rules.game import Game, Move
from shibumi3d.rules.search import FastGame, Search
from shibumi3d.search.kinds import search_of
from shibumi3d.search.players import Choice
from shibumi3d.search.solver import CHOICE

if TYPE_CHECKING:
    from shibumi3d.rules.game import State

WORK = 20_000
"""Default number of moves tried for each question."""
MOST = 2
"""Default number of reasons given."""
SAMPLED = 6
"""Number of turns after which a full search for wins is made.

After all other turns, only the wins found in this way are tried.
"""
LOOKED = 60
"""Maximum number of turns to look ahead for forced results."""
NAMED = 2
"""Maximum number of places that are named; more than that are only counted."""

Way = tuple[int, ...]
"""A sequence of moves, as the numbers that the engine uses."""

STOPS = (
    P_("why.stops", "stops {who} from winning at {place}"),
    P_("why.stops.line", "stops {who} from winning at {place} with the line {line}"),
    P_("why.stops.two", "stops {who} from winning at {place} or {other}"),
    Plural(
        P_("why.stops.many", "stops {who} from winning at {n} place"),
        "stops {who} from winning at {n} places",
    ),
)
THREATENS = (
    P_("why.threatens", "threatens to win at {place}"),
    P_("why.threatens.line", "threatens to win at {place} with the line {line}"),
    P_("why.threatens.two", "threatens to win at both {place} and {other}"),
    Plural(
        P_("why.threatens.many", "threatens to win at {n} place"), "threatens to win at {n} places at once"
    ),
)
"""Texts for a win at one place, at one place by a line, at two places, and at more places."""


class _Enough(Exception):
    """Raised when the work limit is reached."""


def reasons(
    game: Game, state: State, move: Move, *, work: int = WORK, most: int = MOST, names: Sequence[str] = ()
) -> tuple[Message, ...]:
    """Return why a move is good for the seat to move at ``state``, most important reason first.

    ``move`` is a move, its text, or the texts of all moves of a turn. Each reason is a sentence without a subject or a
    full stop, such as "wins"; there are at most ``most`` reasons. They reveal no more than the seat's view shows.
    ``work`` is the maximum number of moves tried for each question. ``names`` contains the names of the seats.
    """
    seat = state.to_move
    if seat is None:
        return ()
    texts = [move] if isinstance(move, str) else [move.text] if isinstance(move, Move) else list(move)
    view = game.view(state, seat)
    search = search_of(game, view, seat, 1)
    asked = _Asked(game, view, search, seat, texts, work, names)
    found: list[Message] = []
    for question in asked.questions():
        try:
            found += question()
        except (_Enough, RuleFailure, Unforeseen, IllegalMove, MemoryError):
            continue  # give no reason that is not verified
        finally:
            asked.stand()
        if len(found) >= most or asked.decided:
            break
    return tuple(found[:most])


def reasoned(game: Game, view: State, choice: Choice, names: Sequence[str] = ()) -> Choice:
    """Return a choice together with the reasons for it.

    If the analysis includes the whole turn, the reasons refer to the whole turn.
    """
    moves = next(
        (turn.moves for turn in choice.analysis.turns if turn.moves[0] == choice.move), (choice.move,)
    )
    try:
        return replace(choice, reasons=reasons(game, view, moves, names=names))
    except IllegalMove:  # the view does not show which moves are legal
        return choice


class _Asked:
    """A move to be explained, or the moves of a turn."""

    def __init__(
        self,
        game: Game,
        view: State,
        search: Search,
        seat: int,
        texts: Sequence[str],
        work: int,
        names: Sequence[str],
    ) -> None:
        self.game, self.view, self.seat, self.texts, self.names = game, view, seat, texts, names
        self.search = search
        self.whole = search.whole
        self.work = self.left = work
        facts = game.facts(view.seats)
        blind = facts.secrets or facts.simultaneous or facts.series or facts.solver != "" or view.seats < 2
        fast = None if blind or (facts.chance and not search.exact) else game.fast(view.seats)
        self.fast: FastGame | None = fast
        self.scored = facts.scored
        self.decided = False
        """Whether the move wins by force, so that no other reason matters."""
        self.threatened = False
        """Whether the other seat can win at once, so that the move's own threats come too late."""
        self.way: Way = ()
        self.over = False
        """Whether the moves in ``way`` complete the turn."""
        self.after: State = None
        if fast is not None:
            self.stand()
            self.way = tuple(self.codes(self.whole, texts))
            with self.made(self.way):
                result = fast.result()
                self.over = result is not None or fast.seat != seat

    def questions(self) -> Iterator[Any]:
        """Yield the questions, ordered by the importance of the reasons."""
        if self.fast is not None:
            yield self.wins
            if self.search.exact:
                yield self.forces
            if self.over:
                yield self.stops
                if self.search.exact:
                    yield self.only
                yield self.threatens
        yield self.grounds
        yield self.counts
        if self.fast is not None and self.over:
            yield self.opens
            yield self.leaves

    # ------------------------------------------------------------ trying moves

    def stand(self) -> None:
        """Load the position in question, and reset the work limit."""
        self.left = self.work
        if self.fast is not None:
            self.fast.load(self.whole, 0, careful=True)

    def attempt(self, code: int) -> bool:
        """Make a move if it is legal; return whether it was made."""
        assert self.fast is not None
        self.left -= 1
        if self.left < 0:
            raise _Enough
        return self.fast.attempt(code)

    @contextmanager
    def made(self, way: Way) -> Iterator[bool]:
        """Make a sequence of moves within a ``with`` block; yield whether all of them are legal."""
        assert self.fast is not None
        number = 0
        for code in way:
            if code not in self.fast.candidates() or not self.attempt(code):
                break
            number += 1
        try:
            yield number == len(way)
        finally:
            for _ in range(number):
                self.fast.unmake()

    def turns(self) -> Iterator[tuple[Way, int]]:
        """Yield the complete turns of the seat to move, each with a key of its final position.

        The moves of a turn are made while it is yielded. If several turns lead to the same position, only one is
        yielded.
        """
        fast = self.fast
        assert fast is not None
        seat, seen = fast.seat, set[int]()

        def further(way: Way) -> Iterator[tuple[Way, int]]:
            for code in fast.candidates():
                if not self.attempt(code):
                    continue
                key = fast.key()
                ended = fast.result() is not None
                # Final positions have no key of their own, so winning turns are distinguished by their moves.
                if ended or key not in seen:
                    seen.add(key)
                    here = (*way, code)
                    if ended or fast.seat != seat:
                        yield here, hash((here, 0)) if ended else key
                    else:
                        yield from further(here)
                fast.unmake()

        yield from further(())

    def won_by(self, seat: int) -> bool:
        """Return whether the match is over and the seat is the only winner."""
        assert self.fast is not None
        result = self.fast.result()
        return result is not None and result.winners == 1 << seat

    def winning(self, seat: int) -> list[Way]:
        """Return the turns with which a seat wins at once; return none if the seat is not to move."""
        assert self.fast is not None
        if self.fast.result() is not None or self.fast.seat != seat:
            return []
        return [way for way, _ in self.turns() if self.won_by(seat)]

    def looming(self, ways: Sequence[Way], seat: int) -> dict[str, tuple[Way, Way]]:
        """Return the places at which a seat wins at once after at least half of the turns in ``ways``.

        Each place is given with one of these turns and the winning turn that follows it.
        """
        found: dict[Way, Way] = {}
        for way in _spread(ways, SAMPLED):
            with self.made(way):
                for win in self.winning(seat):
                    found.setdefault(win, way)
        places: dict[str, tuple[Way, Way]] = {}
        hits: dict[str, set[int]] = {}
        for win, way in found.items():
            name = self.place_of(way, win)
            places.setdefault(name, (way, win))
            hits.setdefault(name, set())
        if not found:
            return {}
        named = {win: self.place_of(way, win) for win, way in found.items()}
        for number, way in enumerate(ways):
            with self.made(way):
                assert self.fast is not None
                if self.fast.result() is not None or self.fast.seat != seat:
                    continue
                for win, name in named.items():
                    if number not in hits[name]:
                        with self.made(win) as open_:
                            if open_ and self.won_by(seat):
                                hits[name].add(number)
        return {name: places[name] for name, each in hits.items() if 2 * len(each) >= len(ways)}

    # ------------------------------------------------------------ names of moves and points

    def codes(self, state: State, texts: Iterable[str]) -> Iterator[int]:
        """Yield the move numbers that correspond to a sequence of move texts."""
        assert self.fast is not None
        number = 0
        for text in texts:
            made, here = self.game.parse(state, text), state
            code = next(
                code for code in self.fast.choices() if self.game.move_of(here, code).text == made.text
            )
            self.fast.make(code)
            number += 1
            state, _ = self.game.apply(state, made)
            yield code
        self.after = state
        for _ in range(number):
            self.fast.unmake()

    def state_after(self, *ways: Way) -> tuple[Any, Any]:
        """Return the state after the given sequences of moves, and the last move."""
        state, move = self.whole, None
        for way in ways:
            for code in way:
                move = self.game.move_of(state, code)
                state, _ = self.game.apply(state, move)
        return state, move

    def place_of(self, *ways: Way) -> str:
        """Return the place of the last sequence, i.e. the place of its last move that has one."""
        name = ""
        state = self.whole
        for number, way in enumerate(ways):
            for code in way:
                move = self.game.move_of(state, code)
                state, _ = self.game.apply(state, move)
                place = self.named(move)
                if number == len(ways) - 1 and (place != move.text or not name):
                    name = place
        return name

    def named(self, move: Move) -> str:
        """Return the place of a move as text."""
        return self.game.place(move) if isinstance(self.game, Explained) else str(move.text)

    def who(self, seat: int) -> Message | str:
        """Return the name of a seat."""
        if self.names:
            return self.names[seat]
        return (
            Message(P_("why.other", "the opponent"))
            if self.view.seats == 2
            else Message(P_("why.seat", "player {n}"), n=seat + 1)
        )

    def at(
        self, texts: Sequence[Translatable], places: dict[str, tuple[Way, Way]], first: Way, **values: object
    ) -> Message:
        """Return a sentence about wins and their places.

        ``first`` contains the moves that precede those in ``places``.
        """
        if len(places) > NAMED:
            return Message(texts[3], n=len(places), **values)
        if len(places) == NAMED:
            one, other = places
            return Message(texts[2], place=one, other=other, **values)
        ((place, ways),) = places.items()
        line = ""
        if isinstance(self.game, Explained):
            line = self.game.decider(self.state_after(first, *ways)[0])
        if line:
            return Message(texts[1], place=place, line=line, **values)
        return Message(texts[0], place=place, **values)

    # ------------------------------------------------------------ reasons

    def wins(self) -> list[Message]:
        """Return a reason if the move wins at once, or later in the same turn."""
        with self.made(self.way):
            if self.won_by(self.seat):
                self.decided = True
                return [Message(P_("why.wins", "wins"))]
            assert self.fast is not None
            if self.fast.result() is None and not self.over and self.winning(self.seat):
                self.decided = True
                return [
                    Message(
                        Plural(P_("why.wins-in", "wins this turn"), "wins in {n} turns, whatever the reply"),
                        n=1,
                    )
                ]
        return []

    def forces(self) -> list[Message]:
        """Return a reason if the move is proved to win against any reply."""
        assert self.fast is not None
        state = self.after
        asked = state.to_move
        if asked is None:
            return []
        search = search_of(self.game, self.game.view(state, asked), asked, 1)
        work = self.work * CHOICE // 4
        found = search.forced(LOOKED, work, _never)
        if asked != self.seat and found and all(one.high == 0.0 for one in found):
            self.decided = True
            turns = 1 + max(one.turns for one in found)
            return [
                Message(
                    Plural(P_("why.wins-in", "wins this turn"), "wins in {n} turns, whatever the reply"),
                    n=(turns + 1) // 2,
                )
            ]
        if asked == self.seat and found and found[0].low == 1.0:
            self.decided = True
            return [
                Message(
                    Plural(P_("why.wins-in", "wins this turn"), "wins in {n} turns, whatever the reply"),
                    n=(found[0].turns + 1) // 2,
                )
            ]
        low, high, _ = search.solved(work, _never)
        if (high == 0.0) if asked != self.seat else (low == 1.0):
            self.decided = True
            return [
                Message(
                    P_("why.no-answer", "leaves {who} only losing replies"),
                    who=self.who(1 - self.seat),
                )
            ]
        return []

    def others(self) -> list[Way]:
        """Return the other turns, except those that lead to the same position as the move."""
        with self.made(self.way):
            assert self.fast is not None
            same = self.fast.key()
        return [way for way, key in self.turns() if key != same and way != self.way]

    def stops(self) -> list[Message]:
        """Return a reason if the move stops a win by the next player."""
        assert self.fast is not None
        with self.made(self.way):
            if self.fast.result() is not None:
                return []
            who = self.fast.seat
            if self.winning(who):
                self.threatened = True
                return []
        others = self.others()
        places = self.looming(others, who) if others else {}
        return [self.at(STOPS, places, (), who=self.who(who))] if places else []

    def only(self) -> list[Message]:
        """Return a reason if the move is proved to be the only one that does not lose."""
        if self.threatened:
            return []
        first = self.texts[0]
        found = self.search.forced(LOOKED, self.work * CHOICE // 2, _never)
        others = [one for one in found if one.moves[0] != first]
        if not others or any(one.high > 0.0 for one in others):
            return []
        holds = [one for one in found if one.moves[0] == first and one.low > 0.0]
        # A turn of several moves may still go wrong later.
        return (
            [Message(P_("why.only", "is the only way to avoid losing"))]
            if holds and len(self.texts) == 1
            else []
        )

    def threatens(self) -> list[Message]:
        """Return a reason if the move threatens to win at once on the next turn."""
        assert self.fast is not None
        with self.made(self.way):
            if self.threatened or self.fast.result() is not None:
                return []
            answers = [way for way, _ in self.turns()]
        if not answers:
            return []
        whole, self.whole = self.whole, self.after
        try:
            self.fast.load(self.after, 0, careful=True)
            places = self.looming(answers, self.seat)
            return [self.at(THREATENS, places, ())] if places else []
        finally:
            self.whole = whole

    def grounds(self) -> list[Message]:
        """Return the reasons provided by the game itself."""
        if not isinstance(self.game, Grounded):
            return []
        move = self.game.parse(self.view, self.texts[0], self.seat)
        return list(self.game.grounds(self.view, move, self.seat, self.who))

    def counts(self) -> list[Message]:
        """Return reasons based on the effects of the move.

        They give the number of marbles that the move takes or drops, and the number of points that it scores. If the
        move wins, this is the only reason.
        """
        state, taken, fallen = self.view, 0, 0
        chosen = 0
        for text in self.texts:
            move = self.game.parse(state, text, self.seat)
            known = self.game.foresee(state, move)
            if known is None:
                return []
            if isinstance(self.game, Explained):
                tally = self.game.tallied(known.events)
                taken += tally.get("taken", 0)
                fallen += tally.get("fallen", 0)
            chosen += move.kind in ("take", "points")
            state = known.after
            if state is None:
                break
        if state is not None and state.result is not None and state.result.winners == (self.seat,):
            return [Message(P_("why.wins", "wins"))]
        gained = 0
        if state is not None and self.scored:
            gained = state.scores[self.seat] - self.view.scores[self.seat]
        found = []
        if taken and not chosen:
            found.append(Message(Plural(P_("why.takes", "takes {n} marble"), "takes {n} marbles"), n=taken))
        if gained > 0:
            found.append(Message(Plural(P_("why.scores", "scores {n} point"), "scores {n} points"), n=gained))
        if fallen:
            found.append(
                Message(Plural(P_("why.falls", "makes {n} marble fall"), "makes {n} marbles fall"), n=fallen)
            )
        return found

    def places(self) -> set[str]:
        """Return the places of all first moves that can be made now."""
        assert self.fast is not None
        return {name for name in self._first() if name}

    def _first(self) -> Iterator[str]:
        assert self.fast is not None
        for code in self.fast.choices():
            self.left -= 1
            move = self.game.move_of(self.whole, code)
            name = self.named(move)
            yield name if name != move.text else ""

    def opens(self) -> list[Message]:
        """Return a reason if the move makes exactly one new place available to the next player."""
        assert self.fast is not None
        before = self.places()
        with self.made(self.way):
            if self.fast.result() is not None:
                return []
            new = self.places() - before - {self.named(self.state_after((code,))[1]) for code in self.way[:1]}
        return [Message(P_("why.opens", "opens up {place}"), place=new.pop())] if len(new) == 1 else []

    def leaves(self) -> list[Message]:
        """Return a reason if the move leaves the next player fewer moves than any other turn does."""
        assert self.fast is not None
        with self.made(self.way):
            if self.fast.result() is not None:
                return []
            number, who = len(self.fast.choices()), self.fast.seat
        others = self.others()
        for way in others:
            with self.made(way):
                self.left -= 1
                if self.fast.result() is None and len(self.fast.choices()) <= number:
                    return []
        return (
            [
                Message(
                    Plural(
                        P_("why.fewest", "leaves {who} only one choice"),
                        "leaves {who} only {n} choices, the fewest possible",
                    ),
                    n=number,
                    who=self.who(who),
                )
            ]
            if others
            else []
        )


def _spread(ways: Sequence[Way], most: int) -> Sequence[Way]:
    """Return at most ``most`` of the sequences, evenly distributed."""
    if len(ways) <= most:
        return ways
    return [ways[number * len(ways) // most] for number in range(most)]


def _never() -> bool:
    return False
