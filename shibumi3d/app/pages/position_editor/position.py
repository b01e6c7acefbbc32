"""Model of the position editor: the position, its rule checks and its undo history.

Changes that the rules don't allow are refused. All other changes can be undone.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from shibumi3d.i18n import _, language, localize, ntranslate
from shibumi3d.match.marbles import marble_state
from shibumi3d.match.match import Match
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.game import Game, Position, State
from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.colours import COLOUR_LETTERS
from shibumi3d.rules.marbles.facts import marble_facts
from shibumi3d.rules.marbles.pyramid import Pyramid, get_pyramid
from shibumi3d.rules.marbles.wording.messages import format_list
from shibumi3d.rules.wording import capitalize_first

BOX_STOCK = "box"
"""Name of the stock that supplies the boards; it holds all marbles that are not in use."""
MAX_STOCK_MARBLES = 99
"""Maximum number of marbles of one colour in a stock."""
BoardMasks = tuple[int, ...]
"""Contents of a board: one bit mask of points per colour."""


@dataclass(frozen=True, slots=True)
class PositionDraft:
    """An edited position.

    ``stocks`` holds the number of marbles of each colour, for each holder of each stock. Stocks that aren't listed have
    the same contents as at the start of a game.
    """

    boards: tuple[BoardMasks, ...]
    to_move: int = 0
    phase: int = 0
    stocks: tuple[tuple[str, tuple[tuple[int, ...], ...]], ...] = ()

    def to_position(self, size: int) -> Position:
        """Convert the draft to the type of position that the rules and match records use."""
        stocks = {
            name: tuple("".join(map(str.__mul__, COLOUR_LETTERS, numbers)) for numbers in holders)
            for name, holders in self.stocks
        }
        pyr = get_pyramid(size)
        texts = tuple(position.format_board(pyr, cells) for cells in self.boards)
        return Position(texts, self.to_move, self.phase, stocks)


class EditablePosition:
    """An editable position of a game, with its undo and redo history.

    ``names`` and ``player_types`` are the names and player types of the seats. ``allow_repetition_claims`` is passed to
    :class:`.Match`. Except for :meth:`undo` and :meth:`redo`, methods that edit the position return an empty string on
    success. If a change isn't possible, they leave the position as it was and return the reason.
    """

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        seed: int,
        player_types: Sequence[str] = (),
        allow_repetition_claims: bool = True,
    ) -> None:
        self.game, self.names, self.seed = game, tuple(names), seed
        self.player_types, self.allow_repetition_claims = tuple(player_types), allow_repetition_claims
        self.facts = marble_facts(game, len(names))
        start_state = marble_state(game.start(len(names), seed))
        self.draft = PositionDraft(
            tuple(start_state.cells(board) for board in range(len(start_state.board_names)))
        )
        self.match = self._make_match(self.draft)
        """Match that starts from the position."""
        self._undo_stack: list[PositionDraft] = []
        self._redo_stack: list[PositionDraft] = []

    @classmethod
    def from_state(cls, match: Match, state: State, seed: int) -> EditablePosition:
        """Create an editable position from ``state``, a state of ``match``, using public information only.

        Stocks with hidden contents are filled as at the start of a game. Raises ValueError or RuleFailure if no turn
        can begin at ``state``.
        """
        view = marble_state(match.game.observe(state, None))
        # In a series, the seats rotate from game to game.
        sitting = [match.seats[view.player_at(seat)] for seat in range(view.seats)]
        names, player_types = [seat.name for seat in sitting], [seat.player_type for seat in sitting]
        position = cls(match.game, names, seed, player_types, match.can_claim_repetition)
        stocks = []
        for stock in position.facts.stocks:
            holders = view.stock_contents(stock.name)
            # The count of marbles of unknown colour comes last. A negative count means that the number is unknown.
            known = all(min(held) >= 0 and not any(held[len(COLOUR_LETTERS) :]) for held in holders)
            if stock.name != BOX_STOCK and known:
                stocks.append((stock.name, tuple(held[: len(COLOUR_LETTERS)] for held in holders)))
        boards = tuple(view.cells(board) for board in range(len(view.board_names)))
        seat = view.seat_of_player(state.mover if state.to_move is None else state.to_move)
        draft = PositionDraft(boards, seat, max(state.phase, 0), tuple(stocks))
        position.match, position.draft = position._make_match(draft), draft
        return position

    @property
    def size(self) -> int:
        """Side length of the boards, in holes."""
        return self.facts.size

    @property
    def pyramid(self) -> Pyramid:
        """Geometry of the boards."""
        return get_pyramid(self.size)

    @property
    def can_undo(self) -> bool:
        return bool(self._undo_stack)

    @property
    def can_redo(self) -> bool:
        return bool(self._redo_stack)

    def _make_match(self, draft: PositionDraft) -> Match:
        return Match(
            self.game,
            self.names,
            self.seed,
            position=draft.to_position(self.size),
            can_claim_repetition=self.allow_repetition_claims,
            player_types=self.player_types,
        )

    def _try_draft(self, draft: PositionDraft) -> str:
        """Switch to ``draft`` if the rules allow it.

        Returns the reason if the rules don't allow it, else an empty string.
        """
        if draft == self.draft:
            return ""
        try:
            match = self._make_match(draft)
        except (ValueError, RuleFailure) as problem:
            return _("{text}.", text=capitalize_first(localize(problem)))
        self._undo_stack.append(self.draft)
        self._redo_stack.clear()
        self.draft, self.match = draft, match
        return ""

    # Marbles

    def occupied_mask(self, board: int) -> int:
        """Return a mask of the points of a board that hold a marble."""
        return sum(self.draft.boards[board])

    def colour_at(self, board: int, point: int) -> int:
        """Return the colour of the marble on a point, or -1 if it is empty."""
        return next((c for c, mask in enumerate(self.draft.boards[board]) if mask >> point & 1), -1)

    def playable_mask(self, board: int) -> int:
        """Return a mask of the points of a board where a marble can be placed."""
        return position.playable_points(self.pyramid, self.occupied_mask(board))

    def place_marble(self, board: int, point: int, colour: int) -> str:
        """Place or recolour a marble.

        Returns an empty string, or the reason why the marble can't be placed or recoloured.
        """
        missing = self.pyramid.supports[point] & ~self.occupied_mask(board)
        if missing:
            names = [self.pyramid.point_names[p] for p in iter_bits(missing)]
            return ntranslate(
                language(),
                "{point} needs four marbles below: {points} is empty.",
                "{point} needs four marbles below: {points} are empty.",
                len(names),
                point=self.pyramid.point_names[point],
                points=format_list(names, language()),
            )
        return self._set_colour(board, point, colour)

    def remove_marble(self, board: int, point: int) -> str:
        """Remove a marble.

        Returns an empty string, or the reason why the marble can't be removed.
        """
        carried = self.pyramid.resting[point] & self.occupied_mask(board)
        if carried:
            names = [self.pyramid.point_names[p] for p in iter_bits(carried)]
            return ntranslate(
                language(),
                "The marble on {point} can't be removed: it carries the one on {points}.",
                "The marble on {point} can't be removed: it carries the ones on {points}.",
                len(names),
                point=self.pyramid.point_names[point],
                points=format_list(names, language()),
            )
        return self._set_colour(board, point, -1)

    def _set_colour(self, board: int, point: int, colour: int) -> str:
        cells = tuple(
            mask & ~(1 << point) | (c == colour) << point for c, mask in enumerate(self.draft.boards[board])
        )
        boards = (*self.draft.boards[:board], cells, *self.draft.boards[board + 1 :])
        return self._try_draft(replace(self.draft, boards=boards))

    def clear_boards(self) -> str:
        """Remove all marbles from the boards.

        Returns an empty string or, if the rules don't allow this, the reason.
        """
        return self._try_draft(
            replace(self.draft, boards=tuple((0,) * len(COLOUR_LETTERS) for _ in self.draft.boards))
        )

    # Turn and stocks

    def set_seat_to_move(self, seat: int) -> str:
        """Set which seat is to move.

        Returns an empty string, or the reason why this seat can't be set.
        """
        return self._try_draft(replace(self.draft, to_move=seat))

    def set_phase(self, phase: int) -> str:
        """Set the phase in which the turn begins.

        Returns an empty string, or the reason why this phase can't be set.
        """
        return self._try_draft(replace(self.draft, phase=phase))

    @property
    def editable_stocks(self) -> list[tuple[str, int, int]]:
        """A tuple (stock name, holder, number of holders) for each holder of each stock that can be edited."""
        return [
            (stock.name, holder, len(stock.initial_contents))
            for stock in self.facts.stocks
            if stock.name != BOX_STOCK
            for holder in range(len(stock.initial_contents))
        ]

    def stock_counts(self, stock: str, holder: int) -> tuple[int, ...]:
        """Return the number of marbles of each colour that ``holder`` has in ``stock``.

        ``holder`` is a seat, or 0 for a shared stock.
        """
        contents = dict(self.draft.stocks).get(stock)
        if contents is None:
            stock_facts = self.facts.stock(stock)
            assert stock_facts is not None
            contents = stock_facts.initial_contents
        return contents[holder]

    def set_stock_count(self, stock: str, holder: int, colour: int, count: int) -> str:
        """Set the number of marbles of ``colour`` that ``holder`` has in ``stock``.

        ``count`` is clamped to 0–:data:`MAX_STOCK_MARBLES`. Returns an empty string, or the reason why the change isn't
        possible.
        """
        holders = sum(name == stock for name, _, _ in self.editable_stocks)
        numbers = [list(self.stock_counts(stock, holder_index)) for holder_index in range(holders)]
        numbers[holder][colour] = max(0, min(MAX_STOCK_MARBLES, count))
        stocks = {**dict(self.draft.stocks), stock: tuple(map(tuple, numbers))}
        return self._try_draft(replace(self.draft, stocks=tuple(stocks.items())))

    # History and copies

    def undo(self) -> bool:
        """Undo the last change; return whether there was one."""
        return self._move_in_history(self._undo_stack, self._redo_stack)

    def redo(self) -> bool:
        """Redo the last change that was undone; return whether there was one."""
        return self._move_in_history(self._redo_stack, self._undo_stack)

    def _move_in_history(self, source: list[PositionDraft], target: list[PositionDraft]) -> bool:
        if not source:
            return False
        target.append(self.draft)
        self.draft = source.pop()
        self.match = self._make_match(self.draft)
        return True

    def resized(self, game: Game) -> tuple[EditablePosition, str]:
        """Return a copy of this position for ``game``, the same game on boards of another size.

        Each marble is placed on the point with the same name. A marble is left out if the new boards have no such
        point, or if the marbles that would support it are missing.

        If the rules allow the new position, the second result is an empty string. Otherwise, it is a sentence with the
        reason, and the first result is the starting position of ``game``. Raises ValueError or RuleFailure if the game
        can't begin at that size.
        """
        position = EditablePosition(
            game, self.names, self.seed, self.player_types, self.allow_repetition_claims
        )
        new_pyramid, old_pyramid = position.pyramid, self.pyramid
        boards = []
        for cells in self.draft.boards:
            by_name = {
                old_pyramid.point_names[p]: colour
                for colour, mask in enumerate(cells)
                for p in iter_bits(mask)
            }
            masks, filled = [0] * len(COLOUR_LETTERS), 0
            for point, name in enumerate(
                new_pyramid.point_names
            ):  # from the bottom up, so that supporting marbles are placed first
                if name in by_name and not new_pyramid.supports[point] & ~filled:
                    masks[by_name[name]] |= 1 << point
                    filled |= 1 << point
            boards.append(tuple(masks))
        reason = position._try_draft(replace(self.draft, boards=tuple(boards)))
        return position, reason

    def new_match(self) -> Match:
        """Return a new, unsaved match that starts from the position."""
        return self._make_match(self.draft)


def editable_position(match: Match, plies: int) -> EditablePosition:
    """Return an editable position made from a match after its first ``plies`` moves.

    It shows the start of the turn in progress or, if the match is over after these moves, the final position. The match
    must be of a game with marbles. Raises ValueError or RuleFailure if no turn can begin there.
    """
    states = [match.initial_state, *[ply.state for ply in match.plies[:plies]]]
    state = next(s for s in reversed(states) if not s.step or s.to_move is None or s is match.initial_state)
    return EditablePosition.from_state(match, state, random.randrange(1_000_000))
