"""Why a choice is good: reasons read off the rules, each a question that the engine answers.

Nothing is said that was not found: where the work allowed does not last, or where secrets and chance come in, fewer
reasons are given. "Would win" is said of what wins at once after at least half of all the other ways to go on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from shibumi3d.i18n import P_, Message, Plural, Translatable
from shibumi3d.rules.errors import IllegalMove, RuleFailure, Unforeseen
from shibumi3d.rules.explained import Explained, Grounded
from shibumi3d.rules.game import Game, Move
from shibumi3d.rules.search import FastGame, Search
from shibumi3d.search.kinds import search_of
from shibumi3d.search.players import Choice
from shibumi3d.search.solver import CHOICE

WORK = 20_000
"""Choices tried for the reasons of a move when nothing else is said."""
MOST = 2
"""Reasons that are said."""
SAMPLED = 6
"""Ways to go on in which all is looked for that would win; in the others only what was found in these is tried."""
LOOKED = 60
"""Turns looked ahead at most for what can be forced."""
NAMED = 2
"""Places that are named; of more it is said how many they are."""

Way = tuple[int, ...]
"""Choices one after the other."""

STOPS = (
    P_("why.stops", "stops {who}, who would win at {place}"),
    P_("why.stops.line", "stops {who}, who would win at {place} with {line}"),
    P_("why.stops.two", "stops {who}, who would win at {place} or {other}"),
    Plural(
        P_("why.stops.many", "stops {who}, who would win at {n} place"),
        "stops {who}, who would win at {n} places",
    ),
)
THREATENS = (
    P_("why.threatens", "threatens to win at {place}"),
    P_("why.threatens.line", "threatens to win at {place} with {line}"),
    P_("why.threatens.two", "threatens to win at {place} and at {other} at once"),
    Plural(
        P_("why.threatens.many", "threatens to win at {n} place"), "threatens to win at {n} places at once"
    ),
)
"""What wins at one place, at one with a line, at two, at many."""


class _Enough(Exception):
    """The work allowed is used up."""


def reasons(
    game: Game, state: Any, move: Any, *, work: int = WORK, most: int = MOST, names: Sequence[str] = ()
) -> tuple[Message, ...]:
    """Return why a move (or its text, or the texts of the choices of a turn) is good for the seat to move at ``state``.

    They come in the order in which they weigh, at most ``most``; each is a sentence without its subject and without a
    full stop, as "wins". Of a view no more is told than it shows. ``work`` is the number of choices tried at most for
    each question, ``names`` are what the seats are called.
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
            continue  # what was not found out is not said
        finally:
            asked.stand()
        if len(found) >= most or asked.decided:
            break
    return tuple(found[:most])


def reasoned(game: Game, view: Any, choice: Choice, names: Sequence[str] = ()) -> Choice:
    """Return a choice with the reasons for it: those for the whole turn, where it was thought of one."""
    moves = next(
        (turn.moves for turn in choice.analysis.turns if turn.moves[0] == choice.move), (choice.move,)
    )
    try:
        return replace(choice, reasons=reasons(game, view, moves, names=names))
    except IllegalMove:  # what is hidden decides what is open
        return choice


class _Asked:
    """One choice, or the choices of a turn, of which it is asked why they are good."""

    def __init__(
        self,
        game: Game,
        view: Any,
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
        """The match is won: nothing else matters."""
        self.threatened = False
        """The other would win at once, so that what one threatens oneself comes too late."""
        self.way: Way = ()
        self.over = False
        """The turn is complete with these choices."""
        self.after: Any = None
        if fast is not None:
            self.stand()
            self.way = tuple(self.codes(self.whole, texts))
            with self.made(self.way):
                result = fast.result()
                self.over = result is not None or fast.seat != seat

    def questions(self) -> Iterator[Any]:
        """What is asked, in the order in which reasons weigh."""
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

    # ------------------------------------------------------------ in motion

    def stand(self) -> None:
        """Set the game to the moment asked about, with all the work to do again."""
        self.left = self.work
        if self.fast is not None:
            self.fast.load(self.whole, 0, careful=True)

    def attempt(self, code: int) -> bool:
        """Make a choice, if it is open now."""
        assert self.fast is not None
        self.left -= 1
        if self.left < 0:
            raise _Enough
        return self.fast.attempt(code)

    @contextmanager
    def made(self, way: Way) -> Iterator[bool]:
        """Make choices one after the other, for the block; whether all of them are open is told."""
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
        """The ways to complete the turn of whoever chooses now, each with a number for where it leads.

        The game stands at the end of each while that is looked at; ways that lead to the same come once.
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
                # A match that is over has no position of its own: what won it is told apart by the last choice.
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
        """Whether the match is over, won by that seat alone."""
        assert self.fast is not None
        result = self.fast.result()
        return result is not None and result.winners == 1 << seat

    def winning(self, seat: int) -> list[Way]:
        """The turns with which a seat that is to choose wins at once."""
        assert self.fast is not None
        if self.fast.result() is not None or self.fast.seat != seat:
            return []
        return [way for way, _ in self.turns() if self.won_by(seat)]

    def looming(self, ways: Sequence[Way], seat: int) -> dict[str, tuple[Way, Way]]:
        """The places at which a seat wins at once after at least half of ``ways``, which are whole turns from here.

        Each comes with one of these, and how it is won then.
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

    # ------------------------------------------------------------ by name

    def codes(self, state: Any, texts: Iterable[str]) -> Iterator[int]:
        """The choices that texts name one after the other."""
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
        """The state after choices, and the last of them."""
        state, move = self.whole, None
        for way in ways:
            for code in way:
                move = self.game.move_of(state, code)
                state, _ = self.game.apply(state, move)
        return state, move

    def place_of(self, *ways: Way) -> str:
        """Where the last of some choices is made: of those of its turn, the last one that has a place."""
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

    def named(self, move: Any) -> str:
        """Where a choice is made."""
        return self.game.place(move) if isinstance(self.game, Explained) else str(move.text)

    def who(self, seat: int) -> Message | str:
        """What a seat is called."""
        if self.names:
            return self.names[seat]
        return (
            Message(P_("why.other", "the other"))
            if self.view.seats == 2
            else Message(P_("why.seat", "player {n}"), n=seat + 1)
        )

    def at(
        self, texts: Sequence[Translatable], places: dict[str, tuple[Way, Way]], first: Way, **values: object
    ) -> Message:
        """A sentence about what would win, and where: ``first`` is made before the choices that come with a place."""
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

    # ------------------------------------------------------------ the questions

    def wins(self) -> list[Message]:
        """Whether it wins at once, or within the turn."""
        with self.made(self.way):
            if self.won_by(self.seat):
                self.decided = True
                return [Message(P_("why.wins", "wins"))]
            assert self.fast is not None
            if self.fast.result() is None and not self.over and self.winning(self.seat):
                self.decided = True
                return [
                    Message(
                        Plural(
                            P_("why.wins-in", "wins in this turn"), "wins in {n} turns, whatever is answered"
                        ),
                        n=1,
                    )
                ]
        return []

    def forces(self) -> list[Message]:
        """Whether it is proved that it wins, whatever is answered."""
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
                    Plural(P_("why.wins-in", "wins in this turn"), "wins in {n} turns, whatever is answered"),
                    n=(turns + 1) // 2,
                )
            ]
        if asked == self.seat and found and found[0].low == 1.0:
            self.decided = True
            return [
                Message(
                    Plural(P_("why.wins-in", "wins in this turn"), "wins in {n} turns, whatever is answered"),
                    n=(found[0].turns + 1) // 2,
                )
            ]
        low, high, _ = search.solved(work, _never)
        if (high == 0.0) if asked != self.seat else (low == 1.0):
            self.decided = True
            return [
                Message(
                    P_("why.no-answer", "leaves {who} no answer that does not lose"),
                    who=self.who(1 - self.seat),
                )
            ]
        return []

    def others(self) -> list[Way]:
        """The other turns, but those that lead to the same."""
        with self.made(self.way):
            assert self.fast is not None
            same = self.fast.key()
        return [way for way, key in self.turns() if key != same and way != self.way]

    def stops(self) -> list[Message]:
        """Whether it stops somebody who would win."""
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
        """Whether it is proved that it does not lose, and that everything else does."""
        if self.threatened:
            return []
        first = self.texts[0]
        found = self.search.forced(LOOKED, self.work * CHOICE // 2, _never)
        others = [one for one in found if one.moves[0] != first]
        if not others or any(one.high > 0.0 for one in others):
            return []
        holds = [one for one in found if one.moves[0] == first and one.low > 0.0]
        # A turn of several choices may go wrong later.
        return (
            [Message(P_("why.only", "is the only way not to lose"))] if holds and len(self.texts) == 1 else []
        )

    def threatens(self) -> list[Message]:
        """Whether it would win at once next, if that is not answered."""
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
        """What the game itself says of it."""
        if not isinstance(self.game, Grounded):
            return []
        move = self.game.parse(self.view, self.texts[0], self.seat)
        return list(self.game.grounds(self.view, move, self.seat, self.who))

    def counts(self) -> list[Message]:
        """What it takes, scores and lets fall; whether it surely wins, where nothing else could say so."""
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
                Message(Plural(P_("why.falls", "lets {n} marble fall"), "lets {n} marbles fall"), n=fallen)
            )
        return found

    def places(self) -> set[str]:
        """Where a first choice is open now."""
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
        """Whether it opens a place to the next player, which no other turn does."""
        assert self.fast is not None
        before = self.places()
        with self.made(self.way):
            if self.fast.result() is not None:
                return []
            new = self.places() - before - {self.named(self.state_after((code,))[1]) for code in self.way[:1]}
        return [Message(P_("why.opens", "opens {place}"), place=new.pop())] if len(new) == 1 else []

    def leaves(self) -> list[Message]:
        """Whether it leaves fewer answers than any other turn."""
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
                        P_("why.fewest", "leaves {who} a single choice"),
                        "leaves {who} {n} choices, the fewest there can be",
                    ),
                    n=number,
                    who=self.who(who),
                )
            ]
            if others
            else []
        )


def _spread(ways: Sequence[Way], most: int) -> Sequence[Way]:
    """So many of the ways, evenly spread."""
    if len(ways) <= most:
        return ways
    return [ways[number * len(ways) // most] for number in range(most)]


def _never() -> bool:
    return False
