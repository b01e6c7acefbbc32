"""What the games have in common whose numbers stand in a file and whose flow is Python: no rule language, and no form
of their own for search."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from shibumi3d.i18n import Message, Plural, Unusable
from shibumi3d.rules.errors import GameFileError, IllegalMove, Problems
from shibumi3d.rules.game import Option, Unspoken
from shibumi3d.rules.reading import TableReader
from shibumi3d.rules.source import Item, Problem

T = TypeVar("T")
"""The numbers and flags of a kind."""


class PlainGame(Unspoken, Generic[T]):
    """A game in one form: ``table`` holds the numbers of its file, ``form`` what was chosen of its options.

    A subclass gives the verbs and the words; here is what is alike in all.
    """

    kind = ""
    size = 0
    effort = 0.0

    def __init__(
        self,
        id: str,
        title: str,
        table: T,
        players: tuple[int, int],
        form: Mapping[str, int | str] | None = None,
        meta: Any = None,
    ) -> None:
        self.id = id
        self.title = title
        self.table = table
        self.players = players
        self.form: Mapping[str, int | str] = dict(form or {})
        self.meta = meta
        self.variant = str(self.form.get("variant", ""))

    def __repr__(self) -> str:
        chosen = "".join(f", {name}={value!r}" for name, value in self.form.items() if value != "")
        return f"game({self.id!r}{chosen})"

    @property
    def options(self) -> tuple[Option, ...]:
        """What may be chosen before a match, as the file tells."""
        return tuple((self.meta or {}).get("options", ()))

    def seats_of(self, seats: int | None) -> int:
        """Return how many seats play; the least for None. Raises ValueError when the game is not for so many."""
        least, most = self.players
        seats = least if seats is None else seats
        if not least <= seats <= most:
            many = least if least == most else Message("{least} to {most}", least=least, most=most)
            raise Unusable(
                Plural(
                    "{game} is for {allowed} player, not {seats}",
                    "{game} is for {allowed} players, not {seats}",
                ),
                game=self.title,
                allowed=many,
                n=most,
                seats=seats,
            )
        return seats

    # ------------------------------------------------------------ moves and their texts

    def moves(self, state: Any, seat: int | None = None) -> tuple[Any, ...]:
        """Return the choices open now (to ``seat``), each once, in a fixed order."""
        raise NotImplementedError

    def lost(self, state: Any, seat: int) -> tuple[Any, tuple[Any, ...]]:
        """Refuse the loss of a match by the clock, unless a game says more of it. Raises IllegalMove, always."""
        raise IllegalMove("nobody loses by the clock here")

    def outcome(self, state: Any) -> Any:
        """Return how the match ended, or None while it goes on."""
        return state.result

    def parse(self, state: Any, text: str, seat: int | None = None) -> Any:
        """Return the move that a text names, of ``seat`` or of the one written before it ("2:7").

        Raises IllegalMove when it is not open.
        """
        number, colon, wanted = text.strip().partition(":")
        other = False
        if colon and number.isdecimal() and len(number) < 3:
            other = seat not in (None, int(number) - 1)
            seat = int(number) - 1
        else:
            wanted = text.strip()
        wanted = self.compact(wanted)
        for move in () if other else self.moves(state, seat):
            if move.text == wanted:
                return move
        if state.result is not None:
            raise IllegalMove("'{move}': the match is over", move=text.strip())
        raise IllegalMove("'{move}' is not possible now", move=text.strip())

    def compact(self, text: str) -> str:
        """Return a text as moves write theirs, where people may write it in several ways."""
        return text

    def move_of(self, state: Any, code: int) -> Any:
        """Return the choice with the place ``code`` among those open."""
        return self.moves(state)[code]

    # ------------------------------------------------------------ what these games have not

    def search(self, view: Any, seat: int, seed: int = 0, past: Any = ()) -> None:
        """Return None: ways on are played out from states that look like the view."""

    def fast(self, seats: int | None = None, seed: int = 0) -> None:
        """Return None: there is no form of its own for search."""

    def foresee(self, view: Any, move: Any) -> Any:
        """Return None: chance or secrets decide what comes of a choice."""
        return None

    def roles(self, view: Any, seat: int) -> tuple[str, ...]:
        """Return nothing: the rules call no seat anything, or :meth:`own_line` tells it."""
        return ()

    def own_line(self, view: Any, seat: int, lang: str = "en") -> str:
        """Return "": the seats are after the same."""
        return ""

    def stock_line(self, view: Any, seat: int, lang: str = "en") -> str:
        """Return "": where there is something to count, :meth:`own_line` does."""
        return ""


class PlainKind(Generic[T]):
    """A kind of table whose files give numbers and flags under ``table:``.

    ``read`` makes them of the rules of a file and notes what is wrong; ``load`` returns the class of the games, which a
    list of games does without. ``choices`` are the options that a file may offer: whole numbers, from the least to the
    greatest.
    """

    KEYS = ("players", "options", "table")

    def __init__(
        self,
        read: Callable[[Item, list[Problem]], T],
        load: Callable[[], type[PlainGame[T]]],
        choices: Mapping[str, tuple[int, int]],
    ) -> None:
        self._read_table = read
        self._load = load
        self._choices = choices

    def make(
        self,
        id: str,
        title: str,
        rules: Item,
        players: tuple[int, int],
        form: Mapping[str, int | str],
        meta: Mapping[str, object],
    ) -> PlainGame[T]:
        """Return the game told by ``rules``, in one form. Raises GameFileError when its numbers are wrong."""
        problems = Problems()
        table = self._read(rules, problems)
        if problems:
            raise GameFileError(problems)
        return self._load()(id, title, table, players, form, meta)

    def check(self, rules: Item, form: Mapping[str, int | str], seats: int, problems: list[Problem]) -> None:
        """Add what is wrong with the numbers and the options of a file to ``problems``."""
        self._read(rules, problems)

    def _read(self, rules: Item, problems: list[Problem]) -> T:
        table = self._read_table(rules, problems)
        item = entry(rules, "options")
        if item is not None and isinstance(item.value, dict):  # else the list of games says so
            offered = TableReader(item, "options", tuple(self._choices), problems)
            for name, bounds in self._choices.items():
                option = offered.table(name, None)
                option.only("values", bounds)
                option.only("range", bounds)
        return table


def entry(rules: Item, key: str) -> Item | None:
    """Return what a file says under a key of its rules; None where it says nothing."""
    return rules.value.get(key) if isinstance(rules.value, dict) else None
