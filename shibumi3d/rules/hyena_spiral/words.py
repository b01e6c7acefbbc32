"""Texts for Hyena Spiral: pending decisions, moves and their effects, and what happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shibumi3d.i18n import ntranslate, ptranslate, translate
from shibumi3d.rules.hyena_spiral import event as ev
from shibumi3d.rules.hyena_spiral.flow import Move, Turn, moves
from shibumi3d.rules.hyena_spiral.numbers import CHIPS
from shibumi3d.rules.hyena_spiral.state import Leg, State
from shibumi3d.rules.hyena_spiral.texts import PHRASES, PLACE
from shibumi3d.rules.wording import capital, joined

WAYS = (1, 3, 3, 1)
"""Number of possible throws, out of eight, that show a given number of white faces."""
ROW = 10
"""Number of places in each row of the path in :func:`lines`."""


def name(names: Sequence[str], seat: int, lang: str) -> str:
    """Return the name of a seat, or e.g. "player 2" if it has no name."""
    return names[seat] if seat < len(names) else translate(lang, "player {n}", seat + 1)


def listed(told: Sequence[str], lang: str) -> str:
    """Join names into a list for a sentence, e.g. "a, b and c"."""
    return joined(told, translate(lang, "and"))


def tabas(number: int, lang: str) -> str:
    """Return a number of tabas as text, e.g. "3 tabas"."""
    return ntranslate(lang, "{n} taba", "{n} tabas", number)


def steps(number: int, lang: str) -> str:
    """Return a number of steps as text, e.g. "12 steps"."""
    return ntranslate(lang, "{n} step", "{n} steps", number)


def place(view: State, number: int, lang: str) -> str:
    """Return a place as text that can follow "at" or "to"."""
    if number in (0, view.length):
        return translate(lang, "the well") if number else translate(lang, "the village")
    return translate(lang, PLACE, number)


# ---------------------------------------------------------------- decisions and moves


def ask_line(view: State, lang: str) -> str:
    """Describe the pending decision, or return "" if the match is over."""
    found = {move.kind: move for move in moves(view)}
    if not found:
        return ""
    seat = view.mover
    if "go" in found:
        go, take = found["go"], found["take"]
        return translate(
            lang, "go {steps}, or take {tabas}", steps=steps(go.steps, lang), tabas=tabas(take.tabas, lang)
        )
    due, walker = view.due(seat), view.walkers[seat]
    if "pay" in found:
        return translate(
            lang,
            "pay {n} at the well (payment {number} of {of})",
            due,
            number=walker.paid + 1,
            of=view.fees(seat),
        )
    if due:
        return translate(lang, "throw to earn tabas ({have} of {fee})", have=walker.tabas, fee=due)
    buy, enter = found.get("buy"), found.get("enter")
    if buy is not None and enter is not None:
        told = steps(buy.steps, lang), tabas(buy.tabas, lang), tabas(enter.tabas, lang)
        return translate(
            lang,
            "throw, buy {steps} for {tabas}, or enter the well for {fee}",
            steps=told[0],
            tabas=told[1],
            fee=told[2],
        )
    if enter is not None:
        return translate(lang, "throw, or enter the well for {tabas}", tabas=tabas(enter.tabas, lang))
    if buy is not None:
        return translate(
            lang,
            "throw, or buy {steps} for {tabas}",
            steps=steps(buy.steps, lang),
            tabas=tabas(buy.tabas, lang),
        )
    return translate(lang, "throw the chips")


def say(move: Move, lang: str) -> str:
    """Return the label of a move for a button."""
    told = translate(lang, PHRASES[move.kind], steps=steps(move.steps, lang), tabas=tabas(move.tabas, lang))
    return capital(told)


# ---------------------------------------------------------------- outcomes of a move


def foretell(view: State, move: Move, lang: str, names: Sequence[str]) -> str:
    """Describe a move and its effects, or the outcomes of a throw with their probabilities."""
    choice = say(move, lang)
    if move.kind in ("buy", "enter"):
        choice = translate(lang, "{choice} for {tabas}", choice=choice, tabas=tabas(move.tabas, lang))
    parts = _of_throw(view, lang, names) if move.kind == "throw" else _of_choice(view, move, lang, names)
    between = translate(lang, "; ") if move.kind == "throw" else ", "
    return translate(lang, "{choice} – {consequence}", choice=choice, consequence=between.join(parts))


def _of_throw(view: State, lang: str, names: Sequence[str]) -> list[str]:
    """Return descriptions of the outcomes of a throw with their probabilities, the most likely first.

    Throws with the same outcome are merged.
    """
    seat, numbers, times = view.mover, view.numbers, view.times(view.mover)
    due = view.due(seat)
    found: dict[str, int] = {}
    for whites in sorted(range(CHIPS + 1), key=lambda w: (-WAYS[w], w == 0, w)):
        walked, taken = numbers.steps[whites] * times, numbers.tabas[whites] * times
        void = bool(due) or view.void(seat, walked)
        if taken and (void or not walked):
            told = tabas(taken, lang)
        elif void:
            told = translate(lang, "nothing")
        else:
            told = _steps_to(view, walked, lang, names)
            if taken:
                told = translate(lang, "{steps}, or {tabas}", steps=told, tabas=tabas(taken, lang))
        found[told] = found.get(told, 0) + WAYS[whites]
    return [translate(lang, "{of} in 8: {what}", of=ways, what=told) for told, ways in found.items()]


def _steps_to(view: State, walked: int, lang: str, names: Sequence[str]) -> str:
    """Return text that says how many steps the seat takes, where they lead, and their consequences."""
    end = view.reach(view.mover, walked)
    parts = [translate(lang, "{steps} to {place}", steps=steps(walked, lang), place=place(view, end, lang))]
    if end == view.length and view.hyena is None:
        parts.append(ptranslate(lang, "hyena", "becomes the hyena"))
    prey = view.prey(view.mover, end)
    if prey:
        parts.append(
            translate(lang, "eats {prey}", prey=listed([name(names, seat, lang) for seat in prey], lang))
        )
    return ", ".join(parts)


def _of_choice(view: State, move: Move, lang: str, names: Sequence[str]) -> list[str]:
    """Return descriptions of the effects of a move that is not a throw, based on the events it causes."""
    turn = Turn(view)
    turn.play(move)
    left = view.walkers[view.mover].tabas
    parts: list[str] = []
    paid = False
    prey: list[int] = []
    for event in turn.events:
        match event:
            case ev.Walked(_, end) if end or view.walkers[view.mover].hyena:
                parts.append(translate(lang, "to {place}", place=place(view, end, lang)))
            case ev.Bought(cost):
                left -= cost
                paid = True
            case ev.Gained(taken):
                parts.append(translate(lang, "{tabas} in total", tabas=tabas(left + taken, lang)))
            case ev.Turned():
                parts.append(ptranslate(lang, "hyena", "becomes the hyena"))
            case ev.Paid(fee, number, of):
                left -= fee
                paid = True
                if move.kind == "pay":
                    parts.append(translate(lang, "payment {number} of {of}", number=number, of=of))
                else:
                    parts.append(translate(lang, "pays {fee} there", fee=fee))
            case ev.CameHome(points):
                parts.append(
                    translate(
                        lang, "home ({points})", points=ntranslate(lang, "{n} point", "{n} points", points)
                    )
                )
            case ev.Eaten(seat=seat):
                prey.append(seat)
    if prey:
        parts.append(
            translate(lang, "eats {prey}", prey=listed([name(names, seat, lang) for seat in prey], lang))
        )
    return [*parts, translate(lang, "{tabas} left", tabas=tabas(left, lang))] if paid else parts


# ---------------------------------------------------------------- events


def line(view: State, event: ev.Event, lang: str, names: Sequence[str]) -> str:
    """Describe an event in one line without a final period, or return "" if it needs no text."""
    key = ""
    gaps: dict[str, object] = {}
    number: int | None = None
    match event:
        case ev.Threw(faces):
            number = sum(faces)
            key = "threw" if number else "threw none"
        case ev.Gained(taken):
            key, gaps = "gained", {"tabas": tabas(taken, lang)}
        case ev.Bought(price, bought):
            key, gaps = "bought", {"steps": steps(bought, lang), "tabas": tabas(price, lang)}
        case ev.Walked(_, end):
            key = "reached" if end == view.length else "walked" if end else ""
            gaps = {"place": place(view, end, lang)}
        case ev.Wasted(lost, fee):
            key = "wasted" if fee else "wasted exact"
            gaps = {"steps": steps(lost, lang), "fee": tabas(fee, lang)}
        case ev.Paid(fee, count, of):
            key, number, gaps = "paid", fee, {"number": count, "of": of}
        case ev.Turned():
            key = "turned"
        case ev.Departed():
            key = "departed"
        case ev.Eaten(_, spot, leg):
            key, gaps = f"eaten {leg.value}", {"place": place(view, spot, lang)}
        case ev.CameHome(points):
            key, gaps = "home", {"points": ntranslate(lang, "{n} point", "{n} points", points)}
        case ev.RoundEnded(count, made):
            told = [f"{name(names, seat, lang)} {points}" for seat, points in enumerate(made)]
            key, number, gaps = "round ended", count, {"scores": ", ".join(told)}
        case ev.RoundBegan(count):
            key, number = "round began", count
    seat = name(names, event.seat, lang) if event.seat >= 0 else ""
    return translate(lang, PHRASES[key], number, seat=seat, **gaps) if key else ""


def log_line(before: State, move: Move, events: Sequence[ev.Event], lang: str, names: Sequence[str]) -> str:
    """Return the log text for a move and its effects, e.g. "Throw: to space 34"."""
    parts: list[str] = []
    eaten: list[str] = []
    for event in events:
        match event:
            case ev.Threw(faces) if all(not isinstance(other, ev.Walked | ev.Gained) for other in events):
                parts.append(translate(lang, "{n} white", sum(faces)))
            case ev.Gained(taken):
                parts.append(tabas(taken, lang))
            case ev.Walked(_, end) if end or before.walkers[event.seat].hyena:
                parts.append(translate(lang, "to {place}", place=place(before, end, lang)))
            case ev.Turned():
                parts.append(ptranslate(lang, "hyena", "becomes the hyena"))
            case ev.Paid(fee) if move.kind != "pay":
                parts.append(translate(lang, "pays {fee}", fee=fee))
            case ev.CameHome():
                parts.append(translate(lang, "home"))
            case ev.Eaten(seat=seat):
                eaten.append(name(names, seat, lang))
    if eaten:
        parts.append(translate(lang, "eats {prey}", prey=listed(eaten, lang)))
    if not parts:
        return say(move, lang)
    return translate(lang, "{choice}: {consequence}", choice=say(move, lang), consequence=", ".join(parts))


# ---------------------------------------------------------------- unavailable spots


def why_not(view: State, spot: str, lang: str, names: Sequence[str]) -> str:
    """Explain why a spot can't be used now, or return "" if it can.

    The spots are the bowl ("bowl"), the dish with the tabas of each seat ("tabas 1", counted from 1), and any place on
    the board.
    """
    if view.result is not None:
        return translate(lang, "The match is over.")
    seat = view.mover
    kinds = {move.kind for move in moves(view)}
    who, held = name(names, seat, lang), view.walkers[seat].tabas
    if "go" in kinds:
        return translate(lang, "{seat} must choose first: {ask}.", seat=who, ask=ask_line(view, lang))
    if "pay" in kinds:
        return translate(
            lang,
            "{seat} must pay {tabas} this turn instead of throwing.",
            seat=who,
            tabas=tabas(view.due(seat), lang),
        )
    if spot == "bowl":
        return ""
    if not spot.startswith("tabas"):
        return translate(
            lang, "You can't pick a space: the throw or the steps bought decide where {seat} goes.", seat=who
        )
    owner = int(spot.split()[-1]) - 1
    if owner != seat:
        return translate(
            lang,
            "These tabas belong to {owner}; it's {seat}'s turn.",
            owner=name(names, owner, lang),
            seat=who,
        )
    if "buy" in kinds:
        return ""
    if view.due(seat):
        return translate(
            lang,
            "{seat} owes {fee} at the well and can't buy steps before paying.",
            seat=who,
            fee=tabas(view.due(seat), lang),
        )
    bought = view.numbers.bought * view.times(seat)
    price = view.numbers.price * view.times(seat)
    if held >= price:
        return translate(
            lang,
            "{steps} would go past the well, which must be reached by exact count.",
            steps=steps(bought, lang),
        )
    return translate(
        lang,
        "{steps} cost {price}, but {seat} has {tabas}.",
        steps=steps(bought, lang),
        price=tabas(price, lang),
        seat=who,
        tabas=tabas(held, lang),
    )


# ---------------------------------------------------------------- the table as lines


def what(view: State, seat: int) -> str:
    """Return the role of a seat, "hyena" or "villager", which is also the key of its text."""
    return "hyena" if view.walkers[seat].hyena else "villager"


def own_line(view: State, seat: int, lang: str) -> str:
    """Return the role, place and tabas of a seat, e.g. "Villager → 42 · 3 tabas"."""
    walker = view.walkers[seat]
    key = f"own {walker.leg.value}"
    if walker.hyena and walker.leg is Leg.WELL:
        key = "own hyena well"
    told = translate(
        lang,
        PHRASES[key],
        role=translate(lang, PHRASES[what(view, seat)]),
        place=walker.place,
        paid=walker.paid,
        of=view.fees(seat),
        tabas=tabas(walker.tabas, lang),
    )
    return capital(told)


def where(view: State, seat: int, lang: str) -> str:
    """Return the role and place of a seat, e.g. "villager at space 42, on the way out"."""
    walker = view.walkers[seat]
    key = f"{what(view, seat)} {walker.leg.value}"
    if walker.leg is Leg.OUT and not walker.place:
        key = f"{what(view, seat)} village"
    return translate(
        lang, PHRASES[key], place=place(view, walker.place, lang), paid=walker.paid, of=view.fees(seat)
    )


def lines(view: State, lang: str, names: Sequence[str]) -> list[str]:
    """Return the table as lines of text for a terminal.

    The lines show the round, the path in rows of ten places, each seat, and the last throw.
    """
    found = [
        capital(
            translate(
                lang,
                "round {n} of {of}, {steps} from the village to the well",
                view.round,
                of=view.rounds,
                steps=steps(view.length, lang),
            )
        ),
        "",
    ]
    on: dict[int, list[str]] = {}
    for seat, walker in enumerate(view.walkers):
        if walker.leg in (Leg.OUT, Leg.WELL, Leg.BACK):
            mark = "H" if walker.hyena else f"{seat + 1}"
            on.setdefault(walker.place, []).append(f"<{mark}" if walker.leg is Leg.BACK else mark)
    cells = [",".join(on.get(number, "·")) for number in range(view.length + 1)]
    width = max(4, *[len(cell) + 1 for cell in cells])
    for first in range(0, view.length + 1, ROW):
        row = cells[first : first + ROW]
        found.append(f"{first:>3} " + "".join(cell.rjust(width) for cell in row))
    found.append("")
    for seat, walker in enumerate(view.walkers):
        found.append(
            translate(
                lang,
                "{sign} {seat}: {where}; {tabas}, {points}",
                sign="H" if walker.hyena else seat + 1,
                seat=name(names, seat, lang),
                where=where(view, seat, lang),
                tabas=tabas(walker.tabas, lang),
                points=ntranslate(lang, "{n} point", "{n} points", walker.points),
            )
        )
    if view.chips:
        # Use words, because a screen reader would read symbols aloud one by one.
        found += [
            "",
            capital(
                translate(lang, "last throw: {chips}", chips=translate(lang, "{n} white", sum(view.chips)))
            ),
        ]
    return found


# ---------------------------------------------------------------- keys, summaries and spots

KEYS = {"throw": "1", "pay": "1", "buy": "2", "enter": "3", "go": "1", "take": "2"}
"""Digit that selects each kind of move."""


def round_line(view: State, lang: str) -> str:
    """Return a text such as "Round 2 of 4", or "" if the match has a single round."""
    return (
        capital(translate(lang, "round {n} of {of}", view.round, of=view.rounds)) if view.rounds > 1 else ""
    )


def happened(view: State, events: Sequence[ev.Event], lang: str, names: Sequence[str]) -> str:
    """Summarize ``events`` in one sentence, with a clause for each seat that moved.

    An example is "Ada: 4 steps to space 34; River: 12 steps to space 40, eats Stone".
    """
    found: list[tuple[int, list[str]]] = []
    ends: list[str] = []
    before: ev.Event | None = None
    for event in events:
        told = ""
        seat = event.seat
        match event:
            case ev.Gained(taken):
                told = translate(lang, "takes {tabas}", tabas=tabas(taken, lang))
            case ev.Bought(price, bought):
                told = translate(
                    lang, "buys {steps} for {tabas}", steps=steps(bought, lang), tabas=tabas(price, lang)
                )
            case ev.Walked(origin, end):
                there, bought = place(view, end, lang), isinstance(before, ev.Bought)
                gone = steps(abs(end - origin), lang)
                told = (
                    translate(lang, "to {place}", steps=gone, place=there)
                    if bought
                    else translate(lang, "{steps} to {place}", steps=gone, place=there)
                )
            case ev.Wasted(lost, _):
                told = translate(lang, "loses {steps}", steps=steps(lost, lang))
            case ev.Turned():
                told = ptranslate(lang, "hyena", "becomes the hyena")
            case ev.Paid(fee):
                told = translate(lang, "pays {fee}", fee=fee)
            case ev.CameHome(points):
                told = translate(
                    lang, "home ({points})", points=ntranslate(lang, "{n} point", "{n} points", points)
                )
            case ev.Eaten(by=by):
                told, seat = translate(lang, "eats {prey}", prey=name(names, seat, lang)), by
            case ev.RoundEnded() | ev.RoundBegan():
                found.append((-1, [line(view, event, lang, names)]))
        if not told:
            continue
        if not found or found[-1][0] != seat:
            found.append((seat, []))
        found[-1][1].append(told)
        before = event
    for seat, parts in found:
        what = ", ".join(parts)
        if seat >= 0:
            what = translate(lang, "{seat}: {what}", seat=name(names, seat, lang), what=what)
        ends.append(what)
    return translate(lang, "; ").join(ends)


def thing_line(view: State, spot: str, lang: str, names: Sequence[str]) -> str:
    """Describe what is at a spot, or return "" if nothing is there.

    The spots are the bowl ("bowl"), the well ("well"), and the dish ("tabas 1") and pawn ("pawn 1") of each seat,
    counted from 1.
    """
    kind, _, number = spot.partition(" ")
    if kind == "bowl":
        return translate(
            lang, "the chips: two or three white faces give steps, one gives tabas, none gives a choice"
        )
    if kind == "well":
        return translate(
            lang,
            "the well: the first to get here turns into the hyena; the others must pay before they leave",
        )
    if kind not in ("tabas", "pawn") or not number.isdecimal() or int(number) > view.seats:
        return ""
    seat = int(number) - 1
    gaps: dict[str, Any] = {"seat": name(names, seat, lang), "tabas": tabas(view.walkers[seat].tabas, lang)}
    if kind == "tabas":
        price = view.numbers.price * view.times(seat)
        bought = steps(view.numbers.bought * view.times(seat), lang)
        return translate(
            lang, "{seat} has {tabas}; {price} buy {steps}", price=tabas(price, lang), steps=bought, **gaps
        )
    return translate(lang, "{seat}: {where}; {tabas}", where=where(view, seat, lang), **gaps)
