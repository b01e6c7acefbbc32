"""Scene of a Golden Spiral match: appearance and animation of medals, stars, dice and screens."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from shibumi3d.rules.game import Event, Game
from shibumi3d.rules.golden_spiral import events as ev
from shibumi3d.rules.golden_spiral.effects import lowest_safe_number
from shibumi3d.rules.golden_spiral.state import DISCARD, MedalRules, Move, State
from shibumi3d.scene import motion
from shibumi3d.scene.frame import COIN_FIELD, DIE_BEVEL, Card, Frame, Solid
from shibumi3d.scene.glyphs import register_glyphs
from shibumi3d.scene.golden_spiral import layout
from shibumi3d.scene.marbles.layout import TABLE_Z, Vector
from shibumi3d.scene.object_animator import AnimatedScene
from shibumi3d.scene.palette import MARK_COLOURS, NUMBER_PLAQUE_EDGE, NUMBER_PLAQUE_WOOD, Theme
from shibumi3d.scene.sound_cues import SoundCue, take_due, truncate_cues
from shibumi3d.scene.table_scene import Clicks, Spot, TableHighlights, ViewDirection
from shibumi3d.scene.top_view import make_top_view

register_glyphs(
    {
        "die 1": "O 12 12 2.6",
        "die 2": "O 6 6 2.6O 18 18 2.6",
        "die 3": "O 6 6 2.6O 12 12 2.6O 18 18 2.6",
        "die 4": "O 6 6 2.6O 18 6 2.6O 6 18 2.6O 18 18 2.6",
        "die 5": "O 6 6 2.6O 18 6 2.6O 12 12 2.6O 6 18 2.6O 18 18 2.6",
        "die 6": "O 6 5 2.6O 18 5 2.6O 6 12 2.6O 18 12 2.6O 6 19 2.6O 18 19 2.6",
        "dashes": "M2 12L7 12M10 12L14 12M17 12L22 12",
        "towards": "M3 12L20 12M14 6L20 12L14 18",
    }
)

WALNUT, RAIL_WALNUT, CEDAR = "#6B4630", "#4A2E1F", "#EBC593"
"""Colours of the wood of trays, planks and the bowl, of rails and frames, and of screens."""
IVORY, PAPER, INK = "#F3EDDD", "#FBF8F1", "#26241F"
MEDAL_SIDES = {"gold": ("#E9B93F", "#8A5C12", "rings"), "spiral": ("#66767F", "#F4EEDF", "spiral")}
"""Paper colour, ink colour and glyph of each side of a medal."""
SOCKET = "#2A1A12"
"""Colour of the sockets in which the dice stand."""
TEAL, AMBER, BRICK = "#2E5E5A", "#D8B06A", "#9B3A2C"
ENGRAVED_INK = "#FBF8F1"
"""Ink colour of numbers on walnut."""

PileKey = tuple[str, int]
"""A pile of medals or stars: its name, and its seat.

The name is ``gold``, ``spiral``, ``stars`` or, for spent stars, ``laid``. The discard bowl is named ``lost`` and has
seat -1.
"""


def add_number(cards: list[Card], position: Vector, number: int, ink: str, half_height: float = 0.32) -> None:
    """Add the digits of a number, centred on ``position``, to ``cards``.

    If ``ink`` is empty, the digits are dark and on a wooden plaque.
    """
    x, y, z = position
    digits = str(number)
    if not ink:
        size = (half_height * (0.75 + 0.5 * len(digits)), half_height * 1.2)
        cards.append(
            Card(position, size, NUMBER_PLAQUE_WOOD, outline=NUMBER_PLAQUE_EDGE, corner_rounding=0.25)
        )
    step = half_height * 1.05
    for place, digit in enumerate(digits):
        there = (x + (place - (len(digits) - 1) / 2) * step, y, z + 0.003)
        cards.append(
            Card(
                there,
                (half_height, half_height),
                ink=ink or INK,
                glyph=digit,
                glyph_scale=0.78,
                stroke_width=2.8,
            )
        )


def add_screens(unfolded: float, solids: list[Solid]) -> None:
    """Add both screens to ``solids``.

    Each screen has three panels. ``unfolded`` ranges from 0 (folded) to 1 (upright). Folded screens are not added.
    """
    if unfolded <= 0.02:
        return
    wide = layout.SCREEN_SIZE[0]
    for side in (-1, 1):
        x, y, z = layout.screen_position(side)
        for leaf, yaw in ((-1, 0.16), (0, -0.16), (1, 0.16)):
            _add_screen_panel((x + leaf * wide * 0.66, y, z), yaw, unfolded, solids)


def _add_screen_panel(foot: Vector, yaw: float, unfolded: float, solids: list[Solid]) -> None:
    """Add one panel of a screen to ``solids``, with its base at ``foot``.

    The panel is a thin board in a frame of two stiles and two rails. Its height is multiplied by ``unfolded``, which
    ranges from 0 to 1.
    """
    wide, deep, tall = layout.SCREEN_SIZE
    frame, half = layout.SCREEN_FRAME_WIDTH, wide / 3
    x, y, z = foot
    board = (0.0, frame, (half - frame, deep, tall - 2 * frame), CEDAR)
    stiles = [(end * (half - frame), 0.0, (frame, 1.6 * deep, tall), RAIL_WALNUT) for end in (-1, 1)]
    rails = [
        (0.0, up, (half - 2 * frame, 1.6 * deep, 2 * frame), RAIL_WALNUT) for up in (0.0, tall - 2 * frame)
    ]
    for along, up, (east, north, high), colour in (board, *stiles, *rails):
        at = (x + along * math.cos(yaw), y + along * math.sin(yaw), z + up * unfolded)
        solids.append(Solid("box", at, (east, north, high * unfolded), colour, yaw=yaw, finish="wood"))


def add_tray(side: int, solids: list[Solid]) -> None:
    """Add the tray and the plank on one side of the table to ``solids``.

    ``side`` is -1 for the south and 1 for the north.
    """
    x, y, (wide, deep) = 0.0, layout.TRAY_Y, layout.TRAY_HALF_SIZE
    half, high = layout.RAIL_SIZE
    floor = (wide, deep, layout.TRAY_HEIGHT)
    solids.append(Solid("box", (x, side * y, TABLE_Z), floor, WALNUT, receives_shadows=True, finish="wood"))
    for end in (-1, 1):
        solids.append(
            Solid(
                "rail",
                (x, side * y + end * deep, TABLE_Z),
                (wide + half, half, high),
                RAIL_WALNUT,
                finish="wood",
            )
        )
        across = Solid(
            "rail",
            (x + end * wide, side * y, TABLE_Z),
            (deep, half, high),
            RAIL_WALNUT,
            math.pi / 2,
            finish="wood",
        )
        solids.append(across)
    x, y = layout.PLANK_CENTRE
    plank = (x, side * y, TABLE_Z)
    solids.append(Solid("box", plank, layout.PLANK_SIZE, WALNUT, receives_shadows=True, finish="wood"))


def add_furniture_shadows(cards: list[Card]) -> None:
    """Add the shadows of the planks and the bowl to ``cards``.

    The planks and the bowl receive shadows and therefore cast none themselves. Their shadows are drawn as cards
    instead.
    """
    x, y = layout.PLANK_CENTRE
    round_ = (layout.BOWL_RADIUS, layout.BOWL_RADIUS)
    for side in (-1, 1):
        cards.append(_make_contact_shadow((x, side * y), layout.PLANK_SIZE[:2], 0.08))
    cards.append(_make_contact_shadow(layout.BOWL_CENTRE, round_, layout.BOWL_HEIGHT, 1.0))


def _make_contact_shadow(
    middle: tuple[float, float], half_size: tuple[float, float], height: float, rounding: float = 0.2
) -> Card:
    """Return the soft shadow that a flat object of ``height`` casts on the table, away from the light."""
    soft = 0.2 + height
    half = (half_size[0] + soft / 2, half_size[1] + soft / 2)
    at = (middle[0] + 0.75 * height, middle[1] - 0.1 * height, TABLE_Z + 0.002)
    return Card(at, half, "#000000", corner_rounding=rounding, alpha=0.55, surface="shadow", softness=soft)


def counts_after(current_counts: Mapping[PileKey, int], events: Iterable[Event]) -> dict[PileKey, int]:
    """Return the number of medals or stars in each pile after ``events``; the piles of spent stars are not updated."""
    then = dict(current_counts)
    for event in events:
        if isinstance(event, ev.MedalsTurned):
            then["gold", event.seat] += event.spiral - event.gold
            then["spiral", event.seat] += event.gold - event.spiral
        elif isinstance(event, ev.MedalsMoved):
            for holder, sign in ((event.source, -1), (event.target, 1)):
                if holder == DISCARD:
                    then["lost", DISCARD] += sign * (event.gold + event.spiral)
                else:
                    then["gold", holder] += sign * event.gold
                    then["spiral", holder] += sign * event.spiral
        elif isinstance(event, ev.StarsSpent):
            then["stars", event.seat] -= event.number
        elif isinstance(event, ev.StarsMoved):
            then["stars", event.source] -= event.number
            then["stars", event.seat] += event.number
    return then


def add_count_labels(
    current_counts: Mapping[PileKey, int],
    row_lengths: Mapping[PileKey, int],
    perspective_seat: int,
    preview_events: Iterable[Event],
    cards: list[Card],
) -> None:
    """Add to ``cards`` the labels of all rows, star piles and the discard bowl, and the symbol of each seat.

    ``current_counts`` contains the number of medals or stars in each pile. ``row_lengths`` contains, for each row, the
    number of medals for which its label leaves room. If ``preview_events`` would change the number in a row or star
    pile, an arrow leads to the new number. The bowl shows its new number at once.
    """
    then = counts_after(current_counts, preview_events)
    for seat in (0, 1):
        side = layout.side_of_seat(seat, perspective_seat)
        for row in ("gold", "spiral"):
            x, y, z = at = layout.count_label_position(row, side, row_lengths[row, seat])
            add_number(cards, at, current_counts[row, seat], ENGRAVED_INK)
            if then[row, seat] != current_counts[row, seat]:
                if x + PREVIEW_WIDTH > layout.TRAY_HALF_SIZE[0]:
                    # Beside a full row, the new number lies beyond the tray.
                    half = (PREVIEW_WIDTH / 2, 0.42)
                    cards.append(Card((x + 0.45 + half[0], y, z), half, RAIL_WALNUT, corner_rounding=0.3))
                _add_new_number(cards, at, then[row, seat])
        y, z = side * layout.PLANK_CENTRE[1], layout.PLANK_TOP_Z + 0.004
        at = (layout.STAR_COUNT_X, y, z)
        add_number(cards, at, current_counts["stars", seat], ENGRAVED_INK)
        if then["stars", seat] != current_counts["stars", seat]:
            _add_new_number(cards, at, then["stars", seat])
        cards.append(
            Card(
                (layout.SEAT_SIGN_X, y, z),
                (0.42, 0.42),
                PAPER,
                outline="#CFC4AF",
                corner_rounding=1.0,
                ink=INK,
                glyph=f"seat {seat}",
                stroke_width=2.8,
            )
        )
    x, y = layout.BOWL_CENTRE
    add_number(
        cards,
        (x, y - layout.BOWL_PLAQUE_DISTANCE, TABLE_Z + layout.BOWL_HEIGHT + 0.01),
        then["lost", DISCARD],
        "",
        0.3,
    )


def _add_new_number(cards: list[Card], position: Vector, number: int) -> None:
    """Add an arrow and ``number`` to the right of the number at ``position``.

    ``number`` is the count to which a move would lead.
    """
    x, y, z = position
    cards.append(Card((x + 0.75, y, z), (0.2, 0.2), ink=AMBER, glyph="towards", stroke_width=2.4))
    add_number(cards, (x + 1.45, y, z), number, AMBER)


PREVIEW_WIDTH = 1.7
"""Width of the arrow and the new number that are shown after a row's number if a move would change it."""
FLIP_MS, STAGGER_MS, MAX_STAGGER_MS, MOVE_MS, FOLD_MS, READING_PAUSE_MS = (
    240.0,
    50.0,
    1200.0,
    260.0,
    300.0,
    300.0,
)
"""Durations in milliseconds, at normal speed.

In order: flipping a medal, the delay between two medals, the maximum time for moving a whole group, moving a medal
elsewhere, folding the screens, and the pause for reading the numbers.
"""
DICE_DROP_HEIGHT = 0.9
WINNER_BORDER_WIDTH = 0.25
"""Width of the golden border around a winner's tray, partly under its rails."""
BodyId = tuple[str, int]
"""A medal or star: its kind, and a number that identifies it during animations."""


class MedalScene(AnimatedScene):
    """Scene of one Golden Spiral match, seen from one seat."""

    hull = layout.TABLE_CORNERS
    final_hull = layout.CORNERS_WITHOUT_TILES
    view_direction = ViewDirection(0.0, 52.0)

    def __init__(self, game: Game, seats: int) -> None:
        table = getattr(game, "rules", None)
        assert isinstance(table, MedalRules)
        self.rules = table
        super().__init__()
        self.perspective_seat = 0
        self.observation: State | None = None
        self.bodies_at: dict[PileKey, list[BodyId]] = {}
        self.rest_positions: dict[BodyId, Vector] = {}
        self._cues: list[SoundCue] = []
        self._pending_counts: list[tuple[float, dict[PileKey, int]]] = []
        """For each event in motion, the time at which it ends and the counts shown until then."""
        self._dice_change = ((0, 0), (0, 0), float("-inf"))
        """Numbers that the dice of each seat show before and after a change, and the time of the change."""
        self._screen_change = (0.0, 0.0, float("-inf"))
        """How far the screens are unfolded before and after they move, and the time at which the move begins."""

    # ------------------------------------------------------------ layout

    def reset(self, observation: State, perspective_seat: int) -> None:
        """Show ``observation`` immediately, without animation."""
        self.animator.clear()
        self._cues.clear()
        self._pending_counts.clear()
        self._place_everything(observation, perspective_seat)

    def _place_everything(self, view: State, perspective_seat: int) -> None:
        self.observation, self.perspective_seat = view, perspective_seat
        medals = iter(range(1_000))
        stars = iter(range(1_000))
        self.bodies_at = {}
        for seat in range(view.seats):
            for row, number in (("gold", view.gold[seat]), ("spiral", view.spiral[seat])):
                self.bodies_at[row, seat] = [("medal", next(medals)) for _ in range(number)]
            for pile, number in (("stars", view.stars[seat]), ("laid", view.spent_stars[seat])):
                self.bodies_at[pile, seat] = [("star", next(stars)) for _ in range(number)]
        self.bodies_at["lost", DISCARD] = [("medal", next(medals)) for _ in range(view.discarded_medals)]
        self.rest_positions = dict(self._body_positions())
        self._dice_change = (self._dice_numbers(view), self._dice_numbers(view), float("-inf"))
        up = 1.0 if view.decision_kind == "bid" else 0.0
        self._screen_change = (up, up, float("-inf"))

    @staticmethod
    def _dice_numbers(view: State) -> tuple[int, int]:
        """Return the number that the dice of each seat show, or 0 if they show none.

        During a bid, these are the known numbers chosen so far; otherwise, they are the numbers of the last clash.
        """
        first, second = view.secret_numbers if view.decision_kind == "bid" else view.shown_numbers
        return max(0, first), max(0, second)

    def _body_positions(self) -> Iterator[tuple[BodyId, Vector]]:
        for (pile, seat), bodies in self.bodies_at.items():
            side = layout.side_of_seat(seat, self.perspective_seat)
            for place, body in enumerate(bodies):
                if pile == "lost":
                    yield body, layout.discarded_medal_position(place)
                elif pile == "stars":
                    yield body, layout.star_position(side, place)
                elif pile == "laid":
                    yield body, layout.spent_star_position(side, place)
                else:
                    yield body, layout.medal_position(pile, side, place, len(bodies))

    # ------------------------------------------------------------ motion

    def play(self, events: Iterable[Event], now: float, observation: State, perspective_seat: int) -> None:
        """Animate ``events`` one after another, once any animation in progress has ended.

        If nothing has been shown yet, ``observation`` is shown immediately. If the perspective changes, any animation
        in progress is dropped. If ``events`` do not lead to the numbers of medals and stars in ``observation``, the
        medals and stars are placed without animation.
        """
        if self.observation is None:
            self.reset(observation, perspective_seat)
            return
        if perspective_seat != self.perspective_seat:
            # The other seat must not see the numbers that were chosen here.
            self.reset(replace(self.observation, secret_numbers=(0, 0)), perspective_seat)
        begin = self.animator.next_start(now)
        self._pending_counts = [counted for counted in self._pending_counts if now < counted[0]]
        shown, screens = self._dice_change[1], self._screen_change[1]
        for event in events:
            before = self._counts_at()
            begin = self._animate_event(event, begin)
            self._pending_counts.append((begin, before))
        saved = self.bodies_at, dict(self.rest_positions)
        dice, folding = self._dice_change, self._screen_change
        self._place_everything(observation, perspective_seat)
        if [len(bodies) for bodies in saved[0].values()] == [
            len(bodies) for bodies in self.bodies_at.values()
        ]:
            # Keep the bodies that were moved: new ones would have no motion.
            self.bodies_at, self.rest_positions = saved
        else:
            self.animator.clear()
            self._pending_counts.clear()
        if self._dice_change[1] != dice[1] or dice[2] < now:
            dice = (shown, self._dice_change[1], dice[2] if dice[2] >= now else now)
        self._dice_change = dice
        if folding[2] < now or folding[1] != self._screen_change[1]:
            folding = (screens, self._screen_change[1], begin if self._screen_change[1] else now)
        self._screen_change = folding

    def rewind(self, events: Iterable[Event], now: float, observation: State, perspective_seat: int) -> None:
        """End all motion, then animate an undo that ends with ``observation``.

        Medals and stars move from piles that have too many to piles that have too few. If nothing has been shown yet,
        or if the perspective changes, show ``observation`` immediately.
        """
        if self.observation is None or perspective_seat != self.perspective_seat:
            self.reset(observation, perspective_seat)
            return
        lying, rest = self.bodies_at, dict(self.rest_positions)
        shown, screens = self._dice_change[1], self._screen_change[1]
        self._place_everything(observation, perspective_seat)
        numbers = self._counts_at()
        self.animator.clear()
        self._pending_counts.clear()
        self.bodies_at, ways = _reassign_bodies(lying, numbers)
        self.rest_positions = rest
        end = self._animate_to_places(now, MOVE_MS, ways)
        self._dice_change = (shown, self._dice_change[1], now)
        self._screen_change = (screens, self._screen_change[1], end if self._screen_change[1] else now)

    def _animate_event(self, event: Event, start_time: float) -> float:
        """Start the animation of an event; return the time at which the next one may begin."""
        if isinstance(event, ev.NumbersRevealed):
            pace = motion.SPEED_FACTORS[self.speed] / 1000
            first, second = event.numbers
            self._screen_change = (1.0, 0.0, start_time)
            self._dice_change = ((0, 0), (first, second), start_time + FOLD_MS * pace)
            end = self.animator.add_move("dice", (0, 0, 0), (0, 0, 1), start_time + FOLD_MS * pace, 200)
            # Each seat has two dice; the second is heard slightly later.
            late = 0.0 if self.reduce_motion else 0.07 * pace
            self._cues += [
                SoundCue(start_time + FOLD_MS * pace + k * late, "set", 0, 0, 0.7, "die") for k in range(2)
            ]
            return end + (0.0 if self.reduce_motion else READING_PAUSE_MS * pace)
        if isinstance(event, ev.MedalsTurned):
            return self._animate_turning(event, start_time)
        if isinstance(event, ev.MedalsMoved):
            gold = self._take_bodies(event.source, "gold", event.gold)
            spiral = self._take_bodies(event.source, "spiral", event.spiral)
            for row, bodies in (("gold", gold), ("spiral", spiral)):
                self.bodies_at[self._pile_key(event.target, row)] += [body for body, _ in bodies]
            ways = {body: f"{old}>{'gold' if event.target == DISCARD else 'spiral'}" for body, old in spiral}
            return self._animate_to_places(
                start_time, MOVE_MS, {body: f"{old}>gold" for body, old in gold} | ways
            )
        if isinstance(event, ev.StarsSpent | ev.StarsMoved):
            laid = isinstance(event, ev.StarsSpent)
            pile = self.bodies_at["stars", event.seat if isinstance(event, ev.StarsSpent) else event.source]
            moved = [pile.pop() for _ in range(min(event.number, len(pile)))]
            self.bodies_at["laid" if laid else "stars", event.seat] += moved
            return self._animate_to_places(start_time, MOVE_MS, dict.fromkeys(moved, "star"))
        if isinstance(event, ev.SpiralEnded):
            for seat in (0, 1):
                self.bodies_at["laid", seat] = []
        return start_time

    @staticmethod
    def _pile_key(holder: int, row: str) -> PileKey:
        return ("lost", DISCARD) if holder == DISCARD else (row, holder)

    def _take_bodies(self, holder: int, row: str, count: int) -> list[tuple[BodyId, str]]:
        """Take up to ``count`` bodies from the end of a holder's ``row`` or from the discard bowl.

        Each body is returned with the side that was visible there.
        """
        pile = self.bodies_at[self._pile_key(holder, row)]
        return [(pile.pop(), "gold" if holder == DISCARD else row) for _ in range(min(count, len(pile)))]

    def _animate_turning(self, event: ev.MedalsTurned, start_time: float) -> float:
        gold = self._take_bodies(event.seat, "gold", event.gold)
        spiral = self._take_bodies(event.seat, "spiral", event.spiral)
        self.bodies_at["spiral", event.seat] += [body for body, _ in gold]
        self.bodies_at["gold", event.seat] += [body for body, _ in spiral]
        ways = {body: "gold>spiral" for body, _ in gold} | {body: "spiral>gold" for body, _ in spiral}
        return self._animate_to_places(start_time, FLIP_MS, ways)

    def _animate_to_places(self, start_time: float, duration_ms: float, tags: Mapping[BodyId, str]) -> float:
        """Animate all bodies to their places in the layout; return the time at which the last one arrives.

        ``tags`` maps bodies to the tags of their moves. These bodies start one after another, or all at once if motion
        is reduced. All other bodies start at ``start_time``.
        """
        pace = motion.SPEED_FACTORS[self.speed] / 1000
        stagger = min(STAGGER_MS, max(0.0, MAX_STAGGER_MS - duration_ms) / max(1, len(tags))) * (
            0.0 if self.reduce_motion else pace
        )
        end = start_time
        order = {body: number for number, body in enumerate(tags)}
        for body, there in self._body_positions():
            here = self.rest_positions.get(body, there)
            number = order.get(body)
            if number is None:
                if here != there:
                    row = next(row for (row, _), bodies in self.bodies_at.items() if body in bodies)
                    side = "spiral" if row == "spiral" else "gold"
                    end = max(
                        end,
                        self.animator.add_move(
                            body, here, there, start_time, duration_ms, 0.0, f"{side}>{side}"
                        ),
                    )
            else:
                at = start_time + number * stagger
                done = self.animator.add_move(body, here, there, at, duration_ms, 0.7, tags[body])
                if number % 3 == 0:
                    thing = "chip" if body[0] == "star" else "medal"
                    self._cues.append(SoundCue(done, "set", 0, 0, 0.7, thing))
                end = max(end, done)
        self.rest_positions = dict(self._body_positions())
        return end

    def _counts_at(self, now: float = float("inf")) -> dict[PileKey, int]:
        """Return the number of bodies in each pile at time ``now``.

        Bodies that are moved by an event are counted in their new pile only after the whole event has ended.
        """
        for end, counted in self._pending_counts:
            if now < end:
                return counted
        return {place: len(bodies) for place, bodies in self.bodies_at.items()}

    def finish(self) -> None:
        """End all motion now and put everything at its destination.

        At most one of the pending sounds is kept.
        """
        self.animator.clear()
        self._pending_counts.clear()
        self._dice_change = (self._dice_change[1], self._dice_change[1], float("-inf"))
        self._screen_change = (self._screen_change[1], self._screen_change[1], float("-inf"))
        self._cues = truncate_cues(self._cues)

    def is_animating(self, now: float) -> bool:
        """Return whether anything is still moving at ``now``."""
        folding = (
            self._screen_change[0] != self._screen_change[1]
            and now < self._screen_change[2] + self._fold_seconds()
        )
        return self.animator.is_animating(now) or now < self._dice_change[2] or folding

    def _fold_seconds(self) -> float:
        length = FOLD_MS * motion.SPEED_FACTORS[self.speed]
        return (min(length, motion.FADE_MS) if self.reduce_motion else length) / 1000

    def take_cues(self, now: float) -> Sequence[SoundCue]:
        """Return the sound cues that have become due since the last call."""
        return take_due(self._cues, now)

    # ------------------------------------------------------------ clicks

    def spots(self) -> Mapping[str, Spot]:
        """Return everything that can be clicked or explained, by key.

        This includes the discard bowl, the dice, all medals and stars outside the bowl and, while the seat in the south
        is choosing a number, the tiles of all numbers.
        """
        view = self.observation
        result: dict[str, Spot] = {}
        if view is None:
            return result
        if self._is_choosing_number():
            for number in range(1, self.rules.highest_number + 1):
                at = layout.tile_position(number, self.rules.highest_number)
                result[f"number {number}"] = Spot(at, 0.0, (layout.TILE_HALF_SIDE, layout.TILE_HALF_SIDE))
        for (pile, seat), bodies in self.bodies_at.items():
            if pile != "lost":
                for place, body in enumerate(bodies):
                    x, y, z = self.rest_positions[body]
                    result[f"{pile} {seat + 1} {place + 1}"] = Spot((x, y, z + 0.05), 0.45)
        x, y = layout.BOWL_CENTRE
        result["lost"] = Spot((x, y, TABLE_Z + 0.1), layout.BOWL_RADIUS)
        for seat in range(view.seats):
            side = layout.side_of_seat(seat, self.perspective_seat)
            x, y, z = layout.die_position(side, 0)
            at = ((x + layout.die_position(side, 1)[0]) / 2, y, z + layout.DIE_HALF_SIDE)
            result[f"dice {seat + 1}"] = Spot(at, 2.5 * layout.DIE_HALF_SIDE)
        return result

    def _is_choosing_number(self) -> bool:
        """Return whether the seat in the south is choosing its number."""
        view = self.observation
        return (
            view is not None and view.decision_kind == "bid" and self.perspective_seat in view.deciding_seats
        )

    def clicks_for(self, move: Move) -> Clicks:
        """Return the clicks that make a move.

        A number is chosen by clicking its tile. To choose n medals, click the nth from the end of their row; to choose
        n stars, click the nth from the top of their pile. Other moves are made with buttons and have no clicks.
        """
        view = self.observation
        if view is None or move.kind in ("joker", "pass") or not move.number:
            return Clicks()
        if move.kind == "bid":
            return Clicks(last_spot=f"number {move.number}")
        pile, seat = "spiral", view.deciding_seats[0] if view.deciding_seats else 0
        if move.kind == "amount":
            joker = self.rules.joker_by_id(view.announced_jokers[view.jokers_done])
            if joker.do != "swap":
                seat = 1 - seat
            if joker.do == "thieve":
                pile = "stars"
            elif joker.do == "destroy" or move.text.endswith("G"):
                pile = "gold"
        number = len(self.bodies_at.get((pile, seat), ()))
        return Clicks(last_spot=f"{pile} {seat + 1} {number - move.number + 1}")

    # ------------------------------------------------------------ drawing

    def frame(self, now: float, theme: Theme, highlights: TableHighlights) -> Frame:
        """Return the frame to draw at time ``now``."""
        solids: list[Solid] = []
        cards: list[Card] = []
        view = self.observation
        if view is None:
            return Frame(theme, ())
        won = view.result.winners if view.result is not None else ()
        for side in [layout.side_of_seat(seat, self.perspective_seat) for seat in won]:
            # A winner's tray has a golden border.
            wide, deep = layout.TRAY_HALF_SIZE
            size = (wide + WINNER_BORDER_WIDTH, deep + WINNER_BORDER_WIDTH, 0.6 * layout.TRAY_HEIGHT)
            at = (0.0, side * layout.TRAY_Y, TABLE_Z)
            # It receives shadows: otherwise, the tray on it would lie in its shadow.
            solids.append(Solid("box", at, size, MARK_COLOURS["win"], receives_shadows=True))
        for side in (-1, 1):
            add_tray(side, solids)
        x, y = layout.BOWL_CENTRE
        size = (layout.BOWL_RADIUS, layout.BOWL_RADIUS, layout.BOWL_HEIGHT)
        solids.append(
            Solid(
                "bowl",
                (x, y, TABLE_Z),
                size,
                WALNUT,
                side_colour=RAIL_WALNUT,
                receives_shadows=True,
                finish="wood",
            )
        )
        for (pile, _), bodies in self.bodies_at.items():
            for body in bodies:
                if body[0] == "star":
                    self._draw_star(body, now, solids, cards)
                else:
                    self._draw_medal(body, "spiral" if pile == "spiral" else "gold", now, solids, cards)
        for seat in range(view.seats):
            self._draw_dice(seat, now, solids, cards)
        add_screens(self._unfolded_fraction(now), solids)
        counted, coming = self._counts_at(now), self._counts_at()
        # Place the labels beyond medals that have yet to leave their row.
        long = {place: max(number, coming[place]) for place, number in counted.items()}
        add_count_labels(counted, long, self.perspective_seat, highlights.preview, cards)
        if self._is_choosing_number():
            self._draw_number_tiles(view, highlights, solids, cards)
        self._draw_highlights(highlights, cards)
        add_furniture_shadows(cards)
        return Frame(theme, (), solids=tuple(solids), cards=tuple(cards))

    def top_view(self, now: float, theme: Theme, highlights: TableHighlights) -> Frame:
        """Return the frame at time ``now`` as a flat drawing, seen from straight above."""
        return make_top_view(self.frame(now, theme, highlights))

    def _draw_medal(
        self, body: BodyId, side: str, now: float, solids: list[Solid], cards: list[Card]
    ) -> None:
        at, alpha = (
            self.animator.position_at(body, now, self.rest_positions[body]),
            self.animator.opacity_at(body, now),
        )
        part, tag = self.animator.progress_at(body, now)
        roll = 0.0
        if ">" in tag:
            old, new = tag.split(">")
            side = new if part >= 0.5 else old
            if old != new and not self.reduce_motion and 0.0 < part < 1.0:
                roll = 3.14159 * (part if part < 0.5 else part - 1)
        colour, ink, glyph = MEDAL_SIDES[side]
        radius, height = layout.MEDAL_RADIUS_AND_HEIGHT
        size = (radius, radius, height)
        solids.append(Solid("coin", at, size, colour, roll=roll, alpha=alpha, finish="metal"))
        if roll:
            return  # while it flips, only the colour shows which side is up
        field, low = COIN_FIELD
        cards.append(
            Card(
                (at[0], at[1], at[2] + low * height + 0.003),
                (field * radius, field * radius),
                colour,
                ink,
                glyph,
                corner_rounding=1.0,
                glyph_scale=0.82,
                stroke_width=1.9,
                alpha=alpha,
                surface="relief",
            )
        )

    def _draw_star(self, body: BodyId, now: float, solids: list[Solid], cards: list[Card]) -> None:
        x, y, z = at = self.animator.position_at(body, now, self.rest_positions[body])
        radius, height = layout.STAR_RADIUS_AND_HEIGHT
        alpha = self.animator.opacity_at(body, now)
        solids.append(Solid("coin", at, (radius, radius, height), IVORY, alpha=alpha, finish="polished"))
        field, low = COIN_FIELD
        cards.append(
            Card(
                (x, y, z + low * height + 0.003),
                (field * radius, field * radius),
                ink=TEAL,
                glyph="star",
                corner_rounding=1.0,
                glyph_scale=0.92,
                stroke_width=2.4,
                alpha=alpha,
            )
        )

    def _draw_dice(self, seat: int, now: float, solids: list[Solid], cards: list[Card]) -> None:
        before, after, moment = self._dice_change
        shown = (after if now >= moment else before)[seat]
        side = layout.side_of_seat(seat, self.perspective_seat)
        y, z = side * layout.PLANK_CENTRE[1], layout.PLANK_TOP_Z + 0.004
        half = layout.DIE_HALF_SIDE
        for place in range(2):
            x, _, _ = layout.die_position(side, place)
            size = (1.15 * half, 1.15 * half)
            cards.append(Card((x, y, z), size, SOCKET, outline=RAIL_WALNUT, corner_rounding=0.2, alpha=0.6))
        if not shown:
            return
        add_number(cards, (layout.NUMBER_X, y, z), shown, ENGRAVED_INK)
        # Revealed dice drop onto the plank.
        part, _ = self.animator.progress_at("dice", now) if moment <= now else (1.0, "")
        above = 0.0 if self.reduce_motion else DICE_DROP_HEIGHT * (1.0 - part * part)
        for place, face in enumerate(self.rules.dice_faces[shown - 1]):
            x, y, z = layout.die_position(side, place)
            z += above
            solids.append(Solid("die", (x, y, z), (half, half, 2 * half), IVORY, finish="polished"))
            flat = (1 - 2 * DIE_BEVEL) * half
            top = (x, y, z + 2 * half + 0.004)
            cards.append(Card(top, (flat, flat), ink=INK, glyph=f"die {face}", glyph_scale=0.95))

    def _unfolded_fraction(self, now: float) -> float:
        """Return how far the screens are unfolded at time ``now``, from 0 to 1."""
        before, after, begin = self._screen_change
        part = 1.0 if before == after else min(max((now - begin) / max(self._fold_seconds(), 1e-6), 0.0), 1.0)
        return before + (after - before) * part

    def _draw_number_tiles(
        self, view: State, highlights: TableHighlights, solids: list[Solid], cards: list[Card]
    ) -> None:
        """Add the tiles for choosing a number.

        Tiles of numbers that can't be chosen now look disabled. Any other tile has a dashed line if its number could
        put the choosing seat in Default.
        """
        legal = self.rules.legal_numbers(view.gold[self.perspective_seat])
        safe = lowest_safe_number(
            self.rules, view.gold[self.perspective_seat], view.gold[1 - self.perspective_seat]
        )
        for n in range(1, self.rules.highest_number + 1):
            x, y, _ = layout.tile_position(n, self.rules.highest_number)
            # While another player thinks, nothing looks clickable.
            open_now = n in legal and f"number {n}" in highlights.clickable
            here = highlights.focused == f"number {n}"
            paper = ("#D6EBDD" if here else PAPER) if open_now else "#B9AE97"
            height = 0.16 if open_now else 0.06
            half = layout.TILE_HALF_SIDE
            solids.append(Solid("box", (x, y, TABLE_Z), (half, half, height), paper, taper=0.88))
            top = TABLE_Z + height + 0.004
            if open_now:
                inner = 0.8 * half
                cards.append(Card((x, y, top), (inner, inner), outline=TEAL, corner_rounding=0.15))
            add_number(
                cards, (x, y + (0.06 if n < safe else 0), top), n, INK if open_now else "#7A705E", 0.28
            )
            if open_now and n < safe:
                cards.append(
                    Card((x, y - 0.3, top + 0.004), (0.36, 0.36), ink=BRICK, glyph="dashes", stroke_width=3.2)
                )

    def _draw_highlights(self, highlights: TableHighlights, cards: list[Card]) -> None:
        """Add rings around the spots that can be clicked and around the spots of a hint.

        A number tile has a ring only if it belongs to the hint. The ring around the focused spot is larger.
        """
        spots = self.spots()
        for key in sorted(
            highlights.clickable | highlights.hint | ({highlights.focused} & highlights.clickable)
        ):
            spot = spots.get(key)
            if spot is None or (key.startswith("number") and key not in highlights.hint):
                continue
            x, y, z = spot.position
            colour = "#FFD873" if key == highlights.focused or key in highlights.hint else "#D6EBDD"
            size = max(spot.radius, spot.half_size[0]) + (0.12 if key == highlights.focused else 0.06)
            cards.append(
                Card(
                    (x, y, z + 0.08),
                    (size, size),
                    ink=colour,
                    glyph="ring",
                    glyph_scale=1.3,
                    stroke_width=1.6,
                    on_top=True,
                )
            )


def _reassign_bodies(
    bodies_at: Mapping[PileKey, Sequence[BodyId]], counts: Mapping[PileKey, int]
) -> tuple[dict[PileKey, list[BodyId]], dict[BodyId, str]]:
    """Return the bodies in each pile once the piles hold ``counts``, and a tag for each body that moves.

    As many bodies as possible stay in place. Surplus bodies at the ends of piles move to where bodies are missing,
    preferably in a pile of the same seat. If more are needed, new bodies are added; surplus bodies that aren't needed
    are removed. The tag is ``star`` for a star, and for a medal the sides it shows before and after, such as
    ``gold>spiral``.
    """
    found = {place: list(bodies_at.get(place, ()))[:number] for place, number in counts.items()}
    surplus: dict[str, list[tuple[BodyId, PileKey]]] = {"medal": [], "star": []}
    for place, bodies in bodies_at.items():
        for body in bodies[counts.get(place, 0) :]:
            surplus[body[0]].append((body, place))
    fresh = 1 + max((body[1] for bodies in bodies_at.values() for body in bodies), default=0)
    tags: dict[BodyId, str] = {}
    for place, number in counts.items():
        kind = "star" if place[0] in ("stars", "laid") else "medal"
        for _ in range(number - len(found[place])):
            if surplus[kind]:
                # Prefer a body of the same seat.
                gone = max(surplus[kind], key=lambda item: item[1][1] == place[1])
                surplus[kind].remove(gone)
                body, came = gone
                sides = ["spiral" if pile == "spiral" else "gold" for pile in (came[0], place[0])]
                tags[body] = "star" if kind == "star" else ">".join(sides)
            else:
                body, fresh = (kind, fresh), fresh + 1
            found[place].append(body)
    return found, tags
