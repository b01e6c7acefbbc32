"""Scene of a Golden Spiral match: appearance and animation of medals, stars, dice and screens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from shibumi3d.rules.game import Event, Game
from shibumi3d.rules.golden_spiral import events as ev
from shibumi3d.rules.golden_spiral.clash import surviving
from shibumi3d.rules.golden_spiral.state import DISCARD, Move, State
from shibumi3d.rules.golden_spiral.table import Tableau
from shibumi3d.scene import motion
from shibumi3d.scene.frame import Card, Frame, Solid
from shibumi3d.scene.golden_spiral import layout
from shibumi3d.scene.golden_spiral.things import (
    BRICK,
    ENGRAVED,
    FACES,
    INK,
    IVORY,
    LACQUER,
    PAPER,
    TEAL,
    WOOD,
    Place,
    counts,
    digits_of,
    screens,
)
from shibumi3d.scene.marbles.layout import TABLE_Z, Vector
from shibumi3d.scene.object_animator import AnimatedScene
from shibumi3d.scene.palette import MARK_COLOURS, Theme
from shibumi3d.scene.sound_cues import SoundCue, take_due, truncate_cues
from shibumi3d.scene.table_scene import Clicks, Spot, TableHighlights, ViewDirection
from shibumi3d.scene.top_view import make_top_view

FLIP, STAGGER, SPREAD, LOSE, FOLD, WAIT = 240.0, 50.0, 1200.0, 260.0, 300.0, 300.0
"""Durations in milliseconds, at normal speed.

In order: flipping a medal, the delay between two medals, the maximum delay for a whole group, moving a medal elsewhere,
folding the screens, and the pause for reading the numbers.
"""
GOLDEN = 0.14
"""Width of the golden border around a winner's tray."""
Body = tuple[str, int]
"""A medal or star: its kind, and a number that identifies it during animations."""


class MedalScene(AnimatedScene):
    """Scene of one Golden Spiral match, seen from one seat."""

    hull = layout.HULL
    view_direction = ViewDirection(0.0, 52.0)

    def __init__(self, game: Game, seats: int) -> None:
        table = getattr(game, "table", None)
        assert isinstance(table, Tableau)
        self.table = table
        super().__init__()
        self.sitting = 0
        self.view: State | None = None
        self.lying: dict[Place, list[Body]] = {}
        self.rest: dict[Body, Vector] = {}
        self.ways: dict[str, str] = {}
        self._cues: list[SoundCue] = []
        self._counted: list[tuple[float, dict[Place, int]]] = []
        """For each event in motion, the time at which it ends and the counts shown until then."""
        self._shown = ((0, 0), (0, 0), float("-inf"))
        """Numbers on the dice before and after a change, and the time of the change."""
        self._screens = (0.0, 0.0, float("-inf"))
        """Heights of the screens before and after they move, and the time at which the move begins."""

    # ------------------------------------------------------------ layout

    def reset(self, observation: State, perspective_seat: int) -> None:
        """Show ``observation`` at once, without animation."""
        self.animator.clear()
        self._cues.clear()
        self._counted.clear()
        self._lay(observation, perspective_seat)

    def _lay(self, view: State, sitting: int) -> None:
        """Place everything according to ``view``."""
        self.view, self.sitting = view, sitting
        medals = iter(range(1_000))
        stars = iter(range(1_000))
        self.lying = {}
        for seat in range(view.seats):
            for row, number in (("gold", view.gold[seat]), ("spiral", view.spiral[seat])):
                self.lying[row, seat] = [("medal", next(medals)) for _ in range(number)]
            for pile, number in (("stars", view.stars[seat]), ("laid", view.laid[seat])):
                self.lying[pile, seat] = [("star", next(stars)) for _ in range(number)]
        self.lying["lost", DISCARD] = [("medal", next(medals)) for _ in range(view.discard)]
        self.rest = dict(self._places())
        self._shown = (self._numbers(view), self._numbers(view), float("-inf"))
        up = 1.0 if view.question == "bid" else 0.0
        self._screens = (up, up, float("-inf"))

    @staticmethod
    def _numbers(view: State) -> tuple[int, int]:
        """Return the number on each die, or 0 for none.

        During a bid, these are the numbers being chosen; otherwise, they are the numbers of the last clash.
        """
        first, second = view.bids if view.question == "bid" else view.numbers
        return max(0, first), max(0, second)

    def _places(self) -> Iterator[tuple[Body, Vector]]:
        for (pile, seat), bodies in self.lying.items():
            side = layout.side_of(seat, self.sitting)
            for place, body in enumerate(bodies):
                if pile == "lost":
                    yield body, layout.lost(place)
                elif pile == "stars":
                    yield body, layout.star(side, place)
                elif pile == "laid":
                    yield body, layout.laid(side, place)
                else:
                    yield body, layout.medal(pile, side, place, len(bodies))

    # ------------------------------------------------------------ motion

    def play(self, events: Iterable[Event], now: float, observation: State, perspective_seat: int) -> None:
        """Animate ``events`` one after another, once any animation in progress has ended."""
        if self.view is None:
            self.reset(observation, perspective_seat)
            return
        if perspective_seat != self.sitting:
            # The other seat must not see the numbers that were chosen here.
            self.reset(replace(self.view, bids=(0, 0)), perspective_seat)
        begin = self.animator.next_start(now)
        self._counted = [counted for counted in self._counted if now < counted[0]]
        shown, screens = self._shown[1], self._screens[1]
        for event in events:
            before = self._counts()
            begin = self._event(event, begin)
            self._counted.append((begin, before))
        kept = self.lying, dict(self.rest)
        dice, folding = self._shown, self._screens
        self._lay(observation, perspective_seat)
        if [len(bodies) for bodies in kept[0].values()] == [len(bodies) for bodies in self.lying.values()]:
            # Keep the bodies that were moved: new ones would have no motion.
            self.lying, self.rest = kept
        else:
            self.animator.clear()
            self._counted.clear()
        if self._shown[1] != dice[1] or dice[2] < now:
            dice = (shown, self._shown[1], dice[2] if dice[2] >= now else now)
        self._shown = dice
        if folding[2] < now or folding[1] != self._screens[1]:
            folding = (screens, self._screens[1], begin if self._screens[1] else now)
        self._screens = folding

    def rewind(self, events: Iterable[Event], now: float, observation: State, perspective_seat: int) -> None:
        """Animate an undo by moving surplus medals and stars straight to where they are missing."""
        if self.view is None or perspective_seat != self.sitting:
            self.reset(observation, perspective_seat)
            return
        lying, rest = self.lying, dict(self.rest)
        shown, screens = self._shown[1], self._screens[1]
        self._lay(observation, perspective_seat)
        numbers = self._counts()
        self.animator.clear()
        self._counted.clear()
        self.lying, ways = _carried(lying, numbers)
        self.rest = rest
        end = self._settle(now, LOSE, ways)
        self._shown = (shown, self._shown[1], now)
        self._screens = (screens, self._screens[1], end if self._screens[1] else now)

    def _event(self, event: Event, begin: float) -> float:
        """Start the animation of an event; return when the next one may begin."""
        if isinstance(event, ev.NumbersShown):
            pace = motion.SPEED_FACTORS[self.speed] / 1000
            first, second = event.numbers
            self._screens = (1.0, 0.0, begin)
            self._shown = ((0, 0), (first, second), begin + FOLD * pace)
            end = self.animator.add_move("dice", (0, 0, 0), (0, 0, 1), begin + FOLD * pace, 200)
            # Each seat has two dice; the second is heard slightly later.
            late = 0.0 if self.reduce_motion else 0.07 * pace
            self._cues += [
                SoundCue(begin + FOLD * pace + k * late, "set", 0, 0, 0.7, "die") for k in range(2)
            ]
            return end + (0.0 if self.reduce_motion else WAIT * pace)
        if isinstance(event, ev.MedalsTurned):
            return self._turned(event, begin)
        if isinstance(event, ev.MedalsMoved):
            gold = self._taken(event.source, "gold", event.gold)
            spiral = self._taken(event.source, "spiral", event.spiral)
            for row, bodies in (("gold", gold), ("spiral", spiral)):
                self.lying[self._at(event.target, row)] += [body for body, _ in bodies]
            ways = {body: f"{old}>{'gold' if event.target == DISCARD else 'spiral'}" for body, old in spiral}
            return self._settle(begin, LOSE, {body: f"{old}>gold" for body, old in gold} | ways)
        if isinstance(event, ev.StarsLaid | ev.StarsMoved):
            laid = isinstance(event, ev.StarsLaid)
            pile = self.lying["stars", event.seat if isinstance(event, ev.StarsLaid) else event.source]
            moved = [pile.pop() for _ in range(min(event.number, len(pile)))]
            self.lying["laid" if laid else "stars", event.seat] += moved
            return self._settle(begin, LOSE, dict.fromkeys(moved, "star"))
        if isinstance(event, ev.SpiralEnded):
            for seat in (0, 1):
                self.lying["laid", seat] = []
        return begin

    @staticmethod
    def _at(holder: int, row: str) -> Place:
        return ("lost", DISCARD) if holder == DISCARD else (row, holder)

    def _taken(self, holder: int, row: str, number: int) -> list[tuple[Body, str]]:
        """Take up to ``number`` bodies from the end of a row.

        Each body is returned with the side of it that was visible there.
        """
        pile = self.lying[self._at(holder, row)]
        return [(pile.pop(), "gold" if holder == DISCARD else row) for _ in range(min(number, len(pile)))]

    def _turned(self, event: ev.MedalsTurned, begin: float) -> float:
        gold = self._taken(event.seat, "gold", event.gold)
        spiral = self._taken(event.seat, "spiral", event.spiral)
        self.lying["spiral", event.seat] += [body for body, _ in gold]
        self.lying["gold", event.seat] += [body for body, _ in spiral]
        ways = {body: "gold>spiral" for body, _ in gold} | {body: "spiral>gold" for body, _ in spiral}
        return self._settle(begin, FLIP, ways)

    def _settle(self, begin: float, length: float, ways: Mapping[Body, str]) -> float:
        """Animate all bodies to their places in the layout; return when the last one has arrived.

        The bodies in ``ways``, given with their tags, start one after another. All others move at the same time.
        """
        pace = motion.SPEED_FACTORS[self.speed] / 1000
        stagger = min(STAGGER, max(0.0, SPREAD - length) / max(1, len(ways))) * (
            0.0 if self.reduce_motion else pace
        )
        end = begin
        order = {body: number for number, body in enumerate(ways)}
        for body, there in self._places():
            here = self.rest.get(body, there)
            number = order.get(body)
            if number is None:
                if here != there:
                    row = next(row for (row, _), bodies in self.lying.items() if body in bodies)
                    side = "spiral" if row == "spiral" else "gold"
                    end = max(
                        end, self.animator.add_move(body, here, there, begin, length, 0.0, f"{side}>{side}")
                    )
            else:
                at = begin + number * stagger
                done = self.animator.add_move(body, here, there, at, length, 0.7, ways[body])
                if number % 3 == 0:
                    thing = "chip" if body[0] == "star" else "medal"
                    self._cues.append(SoundCue(done, "set", 0, 0, 0.7, thing))
                end = max(end, done)
        self.rest = dict(self._places())
        return end

    def _counts(self, now: float = float("inf")) -> dict[Place, int]:
        """Return the number of bodies at each place at time ``now``.

        Bodies that an event moves count at their new place only when the whole event has ended.
        """
        for end, counted in self._counted:
            if now < end:
                return counted
        return {place: len(bodies) for place, bodies in self.lying.items()}

    def finish(self) -> None:
        """End all motion now, putting everything at its destination."""
        self.animator.clear()
        self._counted.clear()
        self._shown = (self._shown[1], self._shown[1], float("-inf"))
        self._screens = (self._screens[1], self._screens[1], float("-inf"))
        self._cues = truncate_cues(self._cues)

    def is_animating(self, now: float) -> bool:
        """Return whether anything is still moving."""
        folding = self._screens[0] != self._screens[1] and now < self._screens[2] + self._fold()
        return self.animator.is_animating(now) or now < self._shown[2] or folding

    def _fold(self) -> float:
        length = FOLD * motion.SPEED_FACTORS[self.speed]
        return (min(length, motion.FADE_MS) if self.reduce_motion else length) / 1000

    def take_cues(self, now: float) -> Sequence[SoundCue]:
        """Return the sound cues that have become due since the last call."""
        return take_due(self._cues, now)

    # ------------------------------------------------------------ clicks

    def spots(self) -> Mapping[str, Spot]:
        """Return everything that can be clicked or explained, by key.

        This includes the tiles for choosing a number, the discard bowl, the dice, and those medals and stars that
        jokers or the reinforcement may take.
        """
        view = self.view
        found: dict[str, Spot] = {}
        if view is None:
            return found
        if self._setting():
            for number in range(1, self.table.highest + 1):
                at = layout.tile(number, self.table.highest)
                found[f"number {number}"] = Spot(at, 0.0, (layout.TILE, layout.TILE))
        for (pile, seat), bodies in self.lying.items():
            if pile != "lost":
                for place, body in enumerate(bodies):
                    x, y, z = self.rest[body]
                    found[f"{pile} {seat + 1} {place + 1}"] = Spot((x, y, z + 0.05), 0.45)
        x, y = layout.BOWL
        found["lost"] = Spot((x, y, TABLE_Z + 0.1), layout.BOWL_RADIUS)
        for seat in range(view.seats):
            side = layout.side_of(seat, self.sitting)
            x, y, z = layout.die(side, 0)
            at = ((x + layout.die(side, 1)[0]) / 2, y, z + layout.DIE)
            found[f"dice {seat + 1}"] = Spot(at, 2.5 * layout.DIE)
        return found

    def _setting(self) -> bool:
        """Return whether the seat in the south is choosing its number."""
        view = self.view
        return view is not None and view.question == "bid" and self.sitting in view.asked

    def clicks_for(self, move: Move) -> Clicks:
        """Return the clicks that make a move.

        A number is chosen by clicking its tile. A number of medals or stars is chosen by clicking the first of that
        many bodies at the end of their row.
        """
        view = self.view
        if view is None or move.kind in ("joker", "pass") or not move.number:
            return Clicks()
        if move.kind == "bid":
            return Clicks(last_spot=f"number {move.number}")
        pile, seat = "spiral", view.asked[0] if view.asked else 0
        if move.kind == "amount":
            joker = self.table.joker(view.spoken[view.used])
            if joker.do != "swap":
                seat = 1 - seat
            if joker.do == "thieve":
                pile = "stars"
            elif joker.do == "destroy" or move.text.endswith("G"):
                pile = "gold"
        number = len(self.lying.get((pile, seat), ()))
        return Clicks(last_spot=f"{pile} {seat + 1} {number - move.number + 1}")

    # ------------------------------------------------------------ drawing

    def frame(self, now: float, theme: Theme, highlights: TableHighlights) -> Frame:
        """Return the frame to draw at time ``now``."""
        solids: list[Solid] = []
        cards: list[Card] = []
        view = self.view
        if view is None:
            return Frame(theme, ())
        won = view.result.winners if view.result is not None else ()
        for side in [layout.side_of(seat, self.sitting) for seat in won]:
            # A winner's tray has a golden border.
            (x, y), (wide, deep) = layout.TRAY_AT, layout.TRAY_HALF
            size = (wide + GOLDEN, deep + GOLDEN, 0.6 * layout.TRAY)
            solids.append(Solid("box", (x, side * y, TABLE_Z), size, MARK_COLOURS["win"]))
        for side in (-1, 1):
            x, y = layout.TRAY_AT
            solids.append(Solid("box", (x, side * y, TABLE_Z), (*layout.TRAY_HALF, layout.TRAY), LACQUER))
            x, y = layout.STAND
            solids.append(Solid("box", (x, side * y, TABLE_Z), layout.STAND_HALF, LACQUER))
        x, y = layout.BOWL
        solids.append(Solid("disc", (x, y, TABLE_Z), (layout.BOWL_RADIUS,) * 2 + (0.08,), WOOD))
        cards.append(
            Card(
                (x, y, TABLE_Z + 0.082),
                (layout.BOWL_RADIUS * 0.94,) * 2,
                "#5E4126",
                outline="#3F2A18",
                corner_rounding=1.0,
            )
        )
        for (pile, _), bodies in self.lying.items():
            for body in bodies:
                if body[0] == "star":
                    self._star(body, now, solids, cards)
                else:
                    self._medal(body, "spiral" if pile == "spiral" else "gold", now, solids, cards)
        for seat in range(view.seats):
            self._dice(seat, now, solids, cards)
        screens(self._height(now), solids)
        counted, coming = self._counts(now), self._counts()
        # Place the labels beyond medals that have yet to leave their row.
        long = {place: max(number, coming[place]) for place, number in counted.items()}
        counts(counted, long, self.sitting, highlights.preview, cards)
        if self._setting():
            self._strip(view, highlights, solids, cards)
        self._signs(highlights, cards)
        return Frame(theme, (), solids=tuple(solids), cards=tuple(cards))

    def top_view(self, now: float, theme: Theme, highlights: TableHighlights) -> Frame:
        """Return the frame at time ``now`` as a flat plan, seen from straight above."""
        return make_top_view(self.frame(now, theme, highlights))

    def _medal(self, body: Body, side: str, now: float, solids: list[Solid], cards: list[Card]) -> None:
        at, alpha = self.animator.position_at(body, now, self.rest[body]), self.animator.opacity_at(body, now)
        part, tag = self.animator.progress_at(body, now)
        roll = 0.0
        if ">" in tag:
            old, new = tag.split(">")
            side = new if part >= 0.5 else old
            if old != new and not self.reduce_motion and 0.0 < part < 1.0:
                roll = 3.14159 * (part if part < 0.5 else part - 1)
        colour, ink, glyph = FACES[side]
        radius, height = layout.MEDAL
        solids.append(
            Solid(
                "disc",
                at,
                (radius, radius, height),
                colour,
                roll=roll,
                side_colour=ink if side == "gold" else "",
                alpha=alpha,
            )
        )
        x, y, z = at
        if roll:
            return  # while it flips, only the colour shows which side is up
        cards.append(
            Card(
                (x, y, z + height + 0.003),
                (radius, radius),
                colour,
                ink,
                glyph,
                outline=ink,
                corner_rounding=1.0,
                glyph_scale=0.72,
                stroke_width=1.9,
                alpha=alpha,
            )
        )

    def _star(self, body: Body, now: float, solids: list[Solid], cards: list[Card]) -> None:
        x, y, z = at = self.animator.position_at(body, now, self.rest[body])
        radius, height = layout.STAR
        alpha = self.animator.opacity_at(body, now)
        solids.append(Solid("disc", at, (radius, radius, height), IVORY, side_colour="#B9AE97", alpha=alpha))
        cards.append(
            Card(
                (x, y, z + height + 0.003),
                (radius, radius),
                IVORY,
                TEAL,
                "star",
                outline="#5C564B",
                corner_rounding=1.0,
                glyph_scale=0.74,
                alpha=alpha,
            )
        )

    def _dice(self, seat: int, now: float, solids: list[Solid], cards: list[Card]) -> None:
        before, after, moment = self._shown
        shown = (after if now >= moment else before)[seat]
        side = layout.side_of(seat, self.sitting)
        faces = self.table.dice[shown - 1] if shown else (0, 0)
        if shown:
            x, y, z = layout.die(side, 0)
            digits_of(cards, (x - 1.0, y, z + 0.004), shown, ENGRAVED, 0.3)
        for place, face in enumerate(faces):
            x, y, z = at = layout.die(side, place)
            half = layout.DIE
            solids.append(Solid("box", at, (half, half, 2 * half), PAPER, side_colour="#DDD3BF"))
            cards.append(
                Card(
                    (x, y, z + 2 * half + 0.004),
                    (half, half),
                    PAPER,
                    INK,
                    f"die {face}" if face else "",
                    outline="#8C8372",
                    glyph_scale=0.86,
                )
            )

    def _height(self, now: float) -> float:
        """Return how far the screens are unfolded at time ``now``, from 0 to 1."""
        before, after, begin = self._screens
        part = 1.0 if before == after else min(max((now - begin) / max(self._fold(), 1e-6), 0.0), 1.0)
        return before + (after - before) * part

    def _strip(self, view: State, pointed: TableHighlights, solids: list[Solid], cards: list[Card]) -> None:
        """Add the tiles for choosing a number.

        Tiles of numbers that can't be chosen now look disabled. A dashed line marks each number that could leave the
        seat in Default.
        """
        legal = self.table.legal(view.gold[self.sitting])
        safe = surviving(self.table, view.gold[self.sitting], view.gold[1 - self.sitting])
        for n in range(1, self.table.highest + 1):
            x, y, _ = layout.tile(n, self.table.highest)
            # While another player thinks, nothing looks clickable.
            open_now = n in legal and f"number {n}" in pointed.clickable
            here = pointed.focused == f"number {n}"
            paper = ("#D6EBDD" if here else PAPER) if open_now else "#B9AE97"
            height = 0.06 if open_now else 0.02
            half = layout.TILE
            solids.append(Solid("box", (x, y, TABLE_Z), (half, half, height), paper, side_colour="#CFC4AF"))
            top = TABLE_Z + height + 0.004
            cards.append(
                Card(
                    (x, y, top),
                    (half, half),
                    paper,
                    outline=TEAL if open_now else "#A39880",
                    corner_rounding=0.2,
                )
            )
            digits_of(cards, (x, y + (0.06 if n < safe else 0), top), n, INK if open_now else "#7A705E")
            if open_now and n < safe:
                cards.append(
                    Card(
                        (x, y - 0.36, top + 0.004), (0.36, 0.36), ink=BRICK, glyph="dashes", stroke_width=3.2
                    )
                )

    def _signs(self, pointed: TableHighlights, cards: list[Card]) -> None:
        """Add rings around the spots that can be clicked and the spots of a hint.

        The ring around the spot under the pointer is larger.
        """
        spots = self.spots()
        for key in sorted(pointed.clickable | pointed.hint | ({pointed.focused} & pointed.clickable)):
            spot = spots.get(key)
            if spot is None or (key.startswith("number") and key not in pointed.hint):
                continue
            x, y, z = spot.position
            colour = "#FFD873" if key == pointed.focused or key in pointed.hint else "#D6EBDD"
            size = max(spot.radius, spot.half_size[0]) + (0.12 if key == pointed.focused else 0.06)
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


def _carried(
    lying: Mapping[Place, Sequence[Body]], numbers: Mapping[Place, int]
) -> tuple[dict[Place, list[Body]], dict[Body, str]]:
    """Return the bodies at each place after it is changed to hold ``numbers``.

    As many bodies as possible are kept. Surplus bodies at the ends of rows move to places where bodies are missing,
    preferably those of the same seat; if more are needed, new bodies are added. The second result maps each body that
    moves to its tag: the side it shows before and after, such as ``gold>spiral``, or ``star``.
    """
    found = {place: list(lying.get(place, ()))[:number] for place, number in numbers.items()}
    left: dict[str, list[tuple[Body, Place]]] = {"medal": [], "star": []}
    for place, bodies in lying.items():
        for body in bodies[numbers.get(place, 0) :]:
            left[body[0]].append((body, place))
    fresh = 1 + max((body[1] for bodies in lying.values() for body in bodies), default=0)
    ways: dict[Body, str] = {}
    for place, number in numbers.items():
        kind = "star" if place[0] in ("stars", "laid") else "medal"
        for _ in range(number - len(found[place])):
            if left[kind]:
                # Prefer a body of the same seat.
                gone = max(left[kind], key=lambda item: item[1][1] == place[1])
                left[kind].remove(gone)
                body, came = gone
                sides = ["spiral" if pile == "spiral" else "gold" for pile in (came[0], place[0])]
                ways[body] = "star" if kind == "star" else ">".join(sides)
            else:
                body, fresh = (kind, fresh), fresh + 1
            found[place].append(body)
    return found, ways
