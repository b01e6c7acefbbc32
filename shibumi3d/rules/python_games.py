"""Base classes for games that are written in Python and whose files contain only parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar

from shibumi3d.rules.errors import GameFileError, IllegalMove, ProblemList
from shibumi3d.rules.game import DefaultTexts, EventT, MoveT, Option, Outcome, StateT
from shibumi3d.rules.source import Item, Problem
from shibumi3d.rules.table_reader import TableReader

RulesT = TypeVar("RulesT")
"""Type of the parameters of a kind of game (numbers and flags)."""


class PythonGame(DefaultTexts[StateT, MoveT, EventT], Generic[RulesT, StateT, MoveT, EventT]):
    """Base class for games whose rules are written in Python, not in the rule language.

    ``table`` contains the parameters from the game file, and ``players`` is the minimum and maximum number of seats.
    ``form`` contains the chosen options by name, including the variant and possibly the board size. ``meta`` is the
    metadata of the game file, by key; its entry "options" lists the options that are offered. Subclasses implement the
    rules and the texts.
    """

    kind = ""
    size = 0
    effort = 0.0

    def __init__(
        self,
        id: str,
        title: str,
        table: RulesT,
        players: tuple[int, int],
        form: Mapping[str, int | str] | None = None,
        meta: Any = None,
    ) -> None:
        self.id = id
        self.title = title
        self.rules = table
        self.players = players
        self.form: Mapping[str, int | str] = dict(form or {})
        self.meta = meta
        self.variant = str(self.form.get("variant", ""))

    def __repr__(self) -> str:
        chosen = "".join(f", {name}={value!r}" for name, value in self.form.items() if value != "")
        return f"game({self.id!r}{chosen})"

    @property
    def options(self) -> tuple[Option, ...]:
        """Options that can be chosen before a match, as listed in the game file."""
        return tuple((self.meta or {}).get("options", ()))

    # ------------------------------------------------------------ moves and their texts

    def moves(self, state: StateT, seat: int | None = None) -> tuple[MoveT, ...]:
        """Return the legal moves of ``seat`` (None: the seat to move), without duplicates and in a fixed order."""
        raise NotImplementedError

    def lose_on_time(self, state: StateT, seat: int) -> tuple[StateT, tuple[EventT, ...]]:
        """Raise IllegalMove: a game can't be lost on time unless its class overrides this method."""
        raise IllegalMove("this game can't be lost on time")

    def outcome(self, state: StateT) -> Outcome | None:
        """Return the result of the match, or None if it is not over."""
        return state.result

    def parse(self, state: StateT, text: str, seat: int | None = None) -> MoveT:
        """Return the legal move of ``seat`` that ``text`` denotes.

        The text may begin with the number of the seat, counted from 1 ("2:7"). If ``seat`` is None, the move belongs
        to the seat with this number or, without a number, to the seat to move. Raises IllegalMove if the move is not
        legal or if the number contradicts ``seat``.
        """
        number, colon, wanted = text.strip().partition(":")
        other = False
        if colon and number.isdecimal() and len(number) < 3:
            other = seat not in (None, int(number) - 1)
            seat = int(number) - 1
        else:
            wanted = text.strip()
        wanted = self.normalize_notation(wanted)
        for move in () if other else self.moves(state, seat):
            if move.text == wanted:
                return move
        if state.result is not None:
            raise IllegalMove("'{move}': the match is over", move=text.strip())
        raise IllegalMove("'{move}' is not possible now", move=text.strip())

    def normalize_notation(self, text: str) -> str:
        """Return ``text`` in standard notation.

        By default, the text is returned unchanged. Games that accept several notations override this method.
        """
        return text

    def decode_move(self, state: StateT, move_code: int) -> MoveT:
        """Return the legal move with the index ``move_code`` in :meth:`moves`."""
        return self.moves(state)[move_code]

    # ------------------------------------------------------------ features that these games lack

    def make_search(
        self, view: StateT, seat: int, seed: int = 0, earlier_states: Iterable[StateT] = ()
    ) -> None:
        """Return None, since these games are searched by playouts from sampled states."""

    def make_fast_game(self, seats: int | None = None, seed: int = 0) -> None:
        """Return None, since the game has no separate fast form for search."""

    def preview(self, view: StateT, move: MoveT) -> object:
        """Return None: a game has no previews unless its class overrides this method."""
        return None

    def roles(self, view: StateT, seat: int) -> tuple[str, ...]:
        """Return an empty tuple, since seats either have no roles or :meth:`describe_seat` names them."""
        return ()

    def describe_seat(self, view: StateT, seat: int, lang: str = "en") -> tuple[str, ...]:
        """Return an empty tuple; games override this to describe what a seat has or has achieved."""
        return ()

    def describe_stock(self, view: StateT, seat: int, lang: str = "en") -> str:
        """Return "", since :meth:`describe_seat` gives all relevant counts."""
        return ""


class PythonGameKind(Generic[RulesT]):
    """A table kind whose files contain parameters under ``table:``.

    ``read_rules`` converts the rules in a file to parameters, and appends any errors to the list of problems that it is
    given. ``load_game_class`` returns the game class; it is called only when a game is made. ``option_bounds`` maps
    each option that a file may offer to the minimum and maximum of its integer value.
    """

    KEYS = ("players", "options", "table")

    def __init__(
        self,
        read_rules: Callable[[Item, list[Problem]], RulesT],
        load_game_class: Callable[[], type[PythonGame[RulesT, Any, Any, Any]]],
        option_bounds: Mapping[str, tuple[int, int]],
    ) -> None:
        self._read_rules_item = read_rules
        self._load_game_class = load_game_class
        self._option_bounds = option_bounds

    def make(
        self,
        id: str,
        title: str,
        rules: Item,
        players: tuple[int, int],
        form: Mapping[str, int | str],
        meta: Mapping[str, object],
    ) -> PythonGame[RulesT, Any, Any, Any]:
        """Return the game defined by ``rules``, with the variant and options given in ``form``.

        Raises GameFileError if the parameters or the options offered in ``rules`` are invalid.
        """
        problems = ProblemList()
        table = self._read_file(rules, problems)
        if problems:
            raise GameFileError(problems)
        return self._load_game_class()(id, title, table, players, form, meta)

    def check(self, rules: Item, form: Mapping[str, int | str], seats: int, problems: list[Problem]) -> None:
        """Append any errors in the parameters and options of a file to ``problems``.

        ``form`` and ``seats`` are not used; the signature is that of :meth:`.TableKind.check`.
        """
        self._read_file(rules, problems)

    def _read_file(self, rules: Item, problems: list[Problem]) -> RulesT:
        table = self._read_rules_item(rules, problems)
        item = item_at(rules, "options")
        if item is not None and isinstance(item.value, dict):  # otherwise the catalogue reports it
            offered = TableReader(item, "options", tuple(self._option_bounds), problems)
            for name, bounds in self._option_bounds.items():
                option = offered.sub_reader(name, None)
                option.check_ints("values", bounds)
                option.check_ints("range", bounds)
        return table


def item_at(rules: Item, key: str) -> Item | None:
    """Return the value under ``key`` in the rules of a file, or None if there is none."""
    return rules.value.get(key) if isinstance(rules.value, dict) else None
