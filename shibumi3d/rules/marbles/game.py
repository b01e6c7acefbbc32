"""A marble game: four verbs on a frozen state, and a view that keeps secrets, by the rules of a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from random import Random
from typing import Any

from shibumi3d.rules.errors import IllegalMove, RuleFailure
from shibumi3d.rules.game import Deal
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles import position, reasons, sentences
from shibumi3d.rules.marbles.colour import LETTERS
from shibumi3d.rules.marbles.engine.board import key_of_cells
from shibumi3d.rules.marbles.engine.fast import FastGame
from shibumi3d.rules.marbles.engine.rules import RECURS, WORK, Result, Rules, Snapshot
from shibumi3d.rules.marbles.engine.tree import Tree
from shibumi3d.rules.marbles.engines import Runner, engine_of, runner_of
from shibumi3d.rules.marbles.facts import MarbleFacts, facts_of
from shibumi3d.rules.marbles.foresight import Foresight, foresee
from shibumi3d.rules.marbles.hidden import sampled
from shibumi3d.rules.marbles.language.program import compile_rules
from shibumi3d.rules.marbles.move import Move, compact
from shibumi3d.rules.marbles.notation import code_of, move_fields, place_of
from shibumi3d.rules.marbles.state import UNCOUNTED, MarbleOutcome, State
from shibumi3d.rules.marbles.texts import SIGNS
from shibumi3d.rules.source import Item


class RuleGame:
    """A game played by the rules of a file, for one board size and variant.

    ``players`` is (least, most). Rules are compiled when a number of seats is first used.
    """

    kind = "marbles"

    def __init__(
        self,
        id: str,
        title: str,
        item: Item,
        players: tuple[int, int],
        size: int = 4,
        variant: str = "",
        meta: Any = None,
    ) -> None:
        self.id = id
        self.title = title
        self.players = players
        self.size = size
        self.variant = variant
        self.meta = meta
        self._item = item
        self._rules: dict[int, Rules] = {}
        self._offered: tuple[Snapshot | None, dict[str, int], tuple[Move, ...]] = (None, {}, ())
        """The moves found last, and where."""
        self._made: tuple[State, str, State, tuple[ev.Event, ...]] | None = None
        """The choice made last: from where, which, and what came of it."""
        self.effort = 0.0
        """What the last question or choice cost, as a part of what one may cost."""
        self._facts: dict[int, MarbleFacts] = {}

    @property
    def form(self) -> Mapping[str, int | str]:
        """The size and the variant chosen."""
        return {"size": self.size, "variant": self.variant}

    def facts(self, seats: int | None = None) -> MarbleFacts:
        """What can be said of the game for a number of seats (the least when None)."""
        rules = self.rules(seats)
        if rules.seats not in self._facts:
            self._facts[rules.seats] = facts_of(rules, self.players, self.size, self.meta or {})
        return self._facts[rules.seats]

    def __repr__(self) -> str:
        extra = f", variant={self.variant!r}" if self.variant else ""
        return f"game({self.id!r}, size={self.size}{extra})"

    # ------------------------------------------------------------ the four verbs

    def rules(self, seats: int | None = None) -> Rules:
        """The compiled rules for a number of seats (the least when None)."""
        least, most = self.players
        seats = least if seats is None else seats
        if not least <= seats <= most:
            allowed = f"{least}" if least == most else f"{least} to {most}"
            raise ValueError(f"{self.title} is for {allowed} players, not {seats}")
        if seats not in self._rules:
            self._rules[seats] = compile_rules(self._item, size=self.size, seats=seats)
        return self._rules[seats]

    def start(self, seats: int | None = None, seed: int = 0, deal: Deal | None = None) -> State:
        """The first moment of a match.

        ``deal`` maps a stock to letters of colours. Where the rules draw from that stock, they give the order in
        which marbles are drawn (as far as they go); any other stock starts with just these marbles, one string a
        seat where each seat has one. Raises ValueError when the deal does not fit.
        """
        rules = self.rules(seats)
        contents, orders = self._dealt(rules, deal or {})
        runner = runner_of(rules)
        with self._running(runner):
            machine = runner.machine
            machine.seed = seed
            machine.events = None
            machine.looking = False
            machine.orders = orders
            machine.draws = 0
            machine.game_number = 1
            machine.totals = ()
            runner.engine.begin(machine, contents)
            return State(rules, runner.moved(), seed)

    def _dealt(
        self, rules: Rules, deal: Deal
    ) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, str], ...]]:
        """The stocks' contents and the orders in which marbles are drawn, as a deal has them."""
        orders: list[tuple[int, str]] = []
        contents = list(rules.stock_start)
        for name, given in deal.items():
            if name not in rules.stock_names:
                raise ValueError(f"{self.title} has no stock '{name}'")
            first = rules.stock_names.index(name)
            holders = rules.stock_names.count(name)
            strings = [given] * holders if isinstance(given, str) else list(given)
            if len(strings) != holders:
                raise ValueError(f"the deal of '{name}' needs {holders} entries, not {len(strings)}")
            for i, letters in enumerate(strings):
                if set(letters) - set(LETTERS):
                    raise ValueError(f"the deal of '{name}' is written in the letters {', '.join(LETTERS)}")
                numbers = tuple([letters.count(letter) for letter in LETTERS])
                if name in rules.drawn_from:
                    if any(n > have for n, have in zip(numbers, contents[first + i], strict=True)):
                        raise ValueError(
                            f"the deal of '{name}' draws more marbles of a colour than there are"
                        )
                    orders.append((first + i, letters))
                else:
                    contents[first + i] = numbers
        return tuple(contents), tuple(orders)

    def position(
        self,
        boards: str | Sequence[str],
        *,
        seats: int | None = None,
        to_move: int = 0,
        seed: int = 0,
        phase: int = 0,
        stocks: Deal | None = None,
    ) -> State:
        """A turn's beginning on a drawn position: board text (one a board), whose turn it is, stocks as given.

        The marbles on the boards come out of the box. Raises ValueError when the position can't stand.
        """
        rules = self.rules(seats)
        texts = [boards] if isinstance(boards, str) else list(boards)
        drawn: list[tuple[int, ...]] = []
        for _, text in zip(rules.board_names, texts, strict=True):
            size, cells = position.parse_board(text)
            if size != rules.pyramid.size:
                raise ValueError(f"the drawn board has size {size}, the game {rules.pyramid.size}")
            drawn.append(cells)
        contents: dict[int, list[int]] = {}
        for name, given in (stocks or {}).items():
            if name not in rules.stock_names:
                raise ValueError(f"{self.title} has no stock '{name}'")
            first = rules.stock_names.index(name)
            strings = [given] if isinstance(given, str) else list(given)
            for i, letters in enumerate(strings):
                contents[first + i] = [letters.count(letter) for letter in LETTERS]
        runner = runner_of(rules)
        with self._running(runner):
            machine = runner.machine
            machine.seed = seed
            machine.events = None
            machine.looking = False
            machine.orders = ()
            machine.draws = 0
            machine.game_number = 1
            machine.totals = ()
            runner.engine.begin_at(machine, drawn, contents, phase, to_move)
            return State(rules, runner.moved(), seed)

    @contextmanager
    def _running(self, runner: Runner) -> Iterator[None]:
        """Rules that fail in play say whose they are, and leave no machine standing anywhere."""
        try:
            yield
        except RuleFailure as failure:
            place = runner.lost() or self._item.mark.file
            raise RuleFailure(f"{self.title}: {failure} ({place})") from None
        except RecursionError:
            place = runner.lost() or self._item.mark.file
            raise RuleFailure(f"{self.title}: the rules go round without end ({place})") from None

    def fast(self, seats: int | None = None, seed: int = 0) -> FastGame:
        """Return the game as a search sees it, for a number of seats (the least when None). ``seed`` is that of its
        random playouts."""
        rules = self.rules(seats)
        found: FastGame = engine_of(self.size).FastGame(rules, seed)
        return found

    def tree(
        self, state: State, *, seed: int = 0, cut: int = 0, scale: float = 1.0, limit: int = 400
    ) -> Tree:
        """Return a search from ``state``, which must be whole (see :meth:`sample_hidden`).

        ``seed`` is that of its random numbers; ``cut``, ``scale`` and ``limit`` are told at :class:`.engine.tree.Tree`.
        """
        facts = self.facts(state.seats)
        fast = self.fast(state.seats, seed)
        fast.load(state.at, seed)
        together = facts.solver == "win" and state.seats > 1
        for_score = facts.solver == "score"
        found: Tree = engine_of(self.size).Tree(
            fast.machine, together, for_score, cut, scale, limit, facts.recurs
        )
        return found

    def moves(self, state: State) -> tuple[Move, ...]:
        """The choices open now, each once, in a fixed order; none when the match is over."""
        if self._offered[0] is not state.at:
            self._offer(state)
        return self._offered[2]

    def _offer(self, state: State) -> None:
        """Find the choices open now."""
        runner, rules = runner_of(state.rules), state.rules
        with self._running(runner):
            machine = runner.stand(state.at, state.seed)
            codes = runner.engine.choices(machine)
        self.effort = 1 - machine.work / WORK
        board = state.at.board_index
        moves = tuple([Move(*move_fields(rules, code, board)) for code in codes])
        self._offered = (state.at, dict(zip([move.text for move in moves], codes, strict=True)), moves)

    def apply(self, state: State, move: Move | str) -> tuple[State, tuple[ev.Event, ...]]:
        """The state after a choice and the events that it caused, in order. Raises IllegalMove; ``state`` stays."""
        text = str(move).strip()
        if self._made is not None and self._made[0] is state and self._made[1] == text:
            # Whoever has looked at what comes of a choice mostly makes it next.
            return self._made[2:]
        if self._offered[0] is not state.at:
            self._offer(state)
        code = self._offered[1].get(text)
        if code is None:
            if state.at.result is not None:
                raise IllegalMove(f"'{text}': the match is over")
            raise IllegalMove(f"'{text}' is not possible now")
        runner = runner_of(state.rules)
        with self._running(runner):
            machine = runner.stand(state.at, state.seed)
            events: list[ev.Event] = []
            machine.events = events
            runner.at = None
            runner.engine.play(machine, code)
            self.effort = 1 - machine.work / WORK
            after = State(state.rules, runner.moved(), state.seed)
        self._made = (state, text, after, tuple(machine.events))
        return self._made[2:]

    def drawn(self, state: State) -> tuple[State, tuple[ev.Event, ...]]:
        """Return the state in which the match ended as a draw because its positions recur, and what happened.

        Raises IllegalMove when the match is over.
        """
        if state.at.result is not None:
            raise IllegalMove("the match is over")
        result = Result(0, state.scores, RECURS, (0,) * len(state.at.boards))
        reason = state.rules.reason(RECURS)["en"]
        return State(state.rules, state.at._replace(result=result), state.seed), (ev.Ended((), reason),)

    def foresee(self, view: State, move: Move) -> Foresight:
        """What surely comes of a choice that is open, made on what the seat to move may know."""
        return foresee(runner_of(view.rules), view, code_of(view.rules, move))

    def outcome(self, state: State) -> MarbleOutcome | None:
        """How the match ended, or None while it goes on."""
        return state.result

    def parse(self, state: State, text: str) -> Move:
        """The move that a text names. Raises IllegalMove when it is not open now."""
        wanted = compact(text)
        found = next((move for move in self.moves(state) if move.text == wanted), None)
        if found is None:
            raise IllegalMove(f"'{text.strip()}' is not possible now")
        return found

    # ------------------------------------------------------------ in words

    def ask_line(
        self, view: State, lang: str = "en", names: Sequence[str] = SIGNS, moves: Sequence[Move] | None = None
    ) -> str:
        """What the seat to move is asked for. ``moves`` are the choices open, where they are known already."""
        return sentences.ask_line(self, view, lang, names, moves)

    def say(self, view: State, move: Move, lang: str = "en", names: Sequence[str] = SIGNS) -> str:
        """A choice as a button says it."""
        return sentences.say(self, view, move, lang, names)

    def foretell(self, view: State, move: Move, lang: str = "en", names: Sequence[str] = SIGNS) -> str:
        """A choice and all that comes of it, as far as it can be known before."""
        return sentences.foretell(self, view, move, lang, names)

    def why_not(
        self,
        view: State,
        spots: Sequence[str],
        lang: str = "en",
        names: Sequence[str] = SIGNS,
        moves: Sequence[Move] | None = None,
    ) -> str:
        """Why nothing can be done with the last of some points now; empty when it is none.

        Points are named as moves name them. ``moves`` are the choices open, where they are known already.
        """
        place = place_of(view.rules, spots[-1]) if spots else None
        return "" if place is None else reasons.why_not(self, view, *place, lang, names, moves)

    # ------------------------------------------------------------ secrets

    def sample_hidden(self, view: State, seat: int, rng: Random) -> State:
        """Return a whole state, its chance new, that looks like ``view`` to player ``seat``."""
        rules = view.rules
        me = (seat - view.at.game_number + 1) % rules.seats
        at, in_block = sampled(runner_of(rules), rules, view.at, me, rng)
        if in_block and at.me == me:
            at = at._replace(secret=((me, _parts_of(at, rules), at.pc),))
        return State(rules, at, rng.getrandbits(48))

    def view(self, state: State, seat: int) -> State:
        """The state as player ``seat`` may know it.

        Unseen stocks are replaced by their size (where that may be known), unseen boards are empty, what others chose
        in an open secret block has not happened yet, and the seed and the order of the bag are left out. At the end
        everything is shown.
        """
        at, rules = state.at, state.rules
        if at.result is not None:
            return state
        me = (seat - at.game_number + 1) % rules.seats
        if at.secret:
            at = _before_secrets(at, rules, me)
            if at.me == me:
                # Who has chosen already makes no difference to a seat that may not know what.
                at, _ = runner_of(rules).with_others_to_choose(at, me)
        bit = 1 << me
        stocks = tuple(
            content
            if rules.stock_sight[i] & bit
            else (*(0,) * rules.colours, sum(content) if rules.size_sight[i] & bit else UNCOUNTED)
            for i, content in enumerate(at.stocks)
        )
        blank = ((0,) * rules.colours, 0, rules.pyramid.holes, (0,) * rules.marks)
        boards = tuple(b if rules.board_sight[i] & bit else blank for i, b in enumerate(at.boards))
        began = tuple((b[1], key_of_cells(i, b[0])) for i, b in enumerate(boards))
        hidden_boards = any(not sight & bit for sight in rules.board_sight)
        hidden_stocks = any(not sight & bit for sight in rules.stock_sight)
        told = at.me == me or not hidden_boards
        seen = at._replace(
            boards=boards,
            stocks=stocks,
            # A repeat, and a turn that a block shares, remember what lay everywhere when they began.
            prints=() if hidden_boards or hidden_stocks or at.secret else at.prints,
            # Who holds a marble knows which, wherever it comes from.
            held=at.held if at.me == me or at.held is None or rules.board_sight[at.held[2]] & bit else None,
            origin=at.origin if told else 0,
            taken=at.taken if told else 0,
            orders=(),
            secret=(),
            history=() if hidden_boards or at.secret else at.history,
            began=began if hidden_boards or at.secret else at.began,
        )
        return State(rules, seen, None)


def _before_secrets(at: Snapshot, rules: Rules, me: int) -> Snapshot:
    """A moment in a secret block with all that others did in it taken back: only seat ``me``'s own choices stand.

    Where several seats change the same stock or board, each change is undone or kept for itself.
    """
    boards, stocks, names, tallies, (following, taken, removed, step) = at.secret[0][1]
    moments = [*at.secret, (-1, _parts_of(at, rules), 0)]
    for (seat, before, _), (_, after, _) in pairwise(moments):
        if seat != me:
            continue
        boards = tuple(_changed_board(rules, *each) for each in zip(boards, before[0], after[0], strict=True))
        stocks = tuple(
            tuple([n + b - a for n, a, b in zip(*each, strict=True)])
            for each in zip(stocks, before[1], after[1], strict=True)
        )
        names = tuple([n if a == b else b for n, a, b in zip(names, before[2], after[2], strict=True)])
        tallies = tuple([n + b - a for n, a, b in zip(tallies, before[3], after[3], strict=True)])
        following = after[4][0] if after[4][0] != before[4][0] else following
        taken |= after[4][1] & ~before[4][1]
        removed = removed or (after[4][2] and not before[4][2])
        step += after[4][3] - before[4][3]
    mine = at.me == me
    local = rules.saved_names - rules.var_names
    return at._replace(
        boards=boards,
        stocks=stocks,
        names=(*names, *(at.names[rules.var_names :] if mine else (0,) * local)),
        tallies=tallies,
        following=following,
        taken=taken,
        removed=bool(removed),
        step=step,
        origin=at.origin if mine else 0,
        held=at.held if mine else None,
        pc=at.pc if mine else at.secret[-1][2],
        frames=at.frames if mine else (),
    )


def _parts_of(at: Snapshot, rules: Rules) -> tuple[Any, ...]:
    """The parts of a moment that a secret choice can touch, as the engine keeps them when a seat begins its part."""
    turn = (at.following, at.taken, int(at.removed), at.step)
    return at.boards, at.stocks, at.names[: rules.var_names], at.tallies, turn


def _changed_board(rules: Rules, board: Any, before: Any, after: Any) -> Any:
    """``board`` with the difference between two moments of it."""
    cells = tuple([n ^ a ^ b for n, a, b in zip(board[0], before[0], after[0], strict=True)])
    marks = tuple([n ^ a ^ b for n, a, b in zip(board[3], before[3], after[3], strict=True)])
    filled = board[1] ^ before[1] ^ after[1]
    return cells, filled, position.playable(rules.pyramid, filled), marks
