"""Texts of Hyena Spiral: pending decisions, moves, events, the table as lines, and reasons for moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import comb

from shibumi3d.i18n import N_, P_, Message, Plural, Translatable, ntranslate, ptranslate, translate
from shibumi3d.rules.hyena_spiral import events as ev
from shibumi3d.rules.hyena_spiral.moves import Move, MoveExecution, legal_moves
from shibumi3d.rules.hyena_spiral.state import CHIP_COUNT, FINISHED_LEGS, Leg, State
from shibumi3d.rules.wording import capitalize_first, join_words

PHRASES: dict[str, Translatable] = {
    "or": N_("or"),
    "taba": Plural("{n} taba", "{n} tabas"),
    "well": N_("the well"),
    "throw": N_("throw"),
    "buy": N_("buy {steps}"),
    "enter": N_("enter the well"),
    "go": N_("go {steps}"),
    "take": N_("take {tabas}"),
    "pay": N_("pay {tabas}"),
    "eats": N_("eats {prey}"),
    "threw": Plural("{seat} throws {n} white face", "{seat} throws {n} white faces"),
    "threw none": N_("{seat} throws no white faces"),
    "gained": N_("{seat} takes {tabas}"),
    "bought": N_("{seat} buys {steps} for {tabas}"),
    "walked": N_("{seat} goes to {place}"),
    "reached": N_("{seat} reaches the well"),
    "wasted": N_("{seat} still owes {fee} at the well, so the {steps} don't count"),
    "wasted exact": N_("{seat} can't use the {steps}, which would lead past the well"),
    "paid": N_("{seat} pays {tabas} at the well (payment {number} of {of})"),
    "turned": N_("{seat} reaches the well first and turns into the hyena"),
    "departed": N_("{seat} leaves the well to hunt"),
    "eaten out": N_("{seat} is eaten while still on the way out"),
    "eaten well": N_("{seat} is eaten while still at the well"),
    "eaten back": N_("{seat} is caught and eaten at {place}"),
    "home": N_("{seat} is home: {points}"),
    "round ended": N_("round {n} is over; points scored in it: {scores}"),
    "round began": N_("round {n}: {seat} starts"),
    "own out": N_("{role} → {place}"),
    "own well": N_("at the well, {paid}/{of} paid"),
    "own hyena well": N_("hyena at the well, {paid}/{of} paid"),
    "own back": N_("{role} ← {place}"),
    "own home": N_("{role}, home"),
    "own eaten": N_("{role}, eaten"),
    "villager": N_("villager"),
    "hyena": N_("hyena"),
    "villager village": N_("villager, in the village"),
    "hyena village": N_("hyena, in the village"),
    "villager out": N_("villager at {place}, on the way out"),
    "villager well": N_("villager at the well, {paid} of {of} fees paid"),
    "villager back": N_("villager at {place}, on the way home"),
    "villager home": N_("villager, home"),
    "villager eaten": N_("villager, eaten"),
    "hyena out": N_("hyena at {place}, on the way out"),
    "hyena well": N_("hyena at the well, {paid} of {of} fees paid"),
    "hyena back": N_("hyena at {place}, on the way home"),
    "place": N_(
        "You can't pick a space: where {seat} goes is decided by the throw or by the number of steps bought."
    ),
}
"""Messages that the code looks up by keys computed at run time."""


WHITE_FACES = Plural("{n} white face", "{n} white faces")
"""Short text for the result of a throw."""

PLACE = P_("place on the spiral", "space {n}")
"""Phrase for a space between the village and the well, worded to follow "at" or "to"."""


THROWS_BY_WHITES = (1, 3, 3, 1)
"""Number of possible throws, out of eight, that show 0, 1, 2 and 3 white faces."""
PLACES_PER_ROW = 10
"""Number of places in each row of the path in :func:`table_lines`."""


def seat_name(names: Sequence[str], seat: int, lang: str) -> str:
    """Return the name of a seat, or a phrase such as "player 2" if it has no name."""
    return names[seat] if seat < len(names) else translate(lang, "player {n}", seat + 1)


def join_names(names: Sequence[str], lang: str) -> str:
    """Join names into a list for a sentence, e.g. "a, b and c"."""
    return join_words(names, translate(lang, "and"))


def format_tabas(count: int, lang: str) -> str:
    """Return a number of tabas as text, e.g. "3 tabas"."""
    return ntranslate(lang, "{n} taba", "{n} tabas", count)


def format_steps(count: int, lang: str) -> str:
    """Return a number of steps as text, such as "12 steps"."""
    return ntranslate(lang, "{n} step", "{n} steps", count)


def format_place(view: State, place: int, lang: str) -> str:
    """Return a place as text that can follow "at" or "to"."""
    if place in (0, view.length):
        return translate(lang, "the well") if place else translate(lang, "the village")
    return translate(lang, PLACE, place)


# ---------------------------------------------------------------- decisions and moves


def describe_decision(view: State, lang: str) -> str:
    """Describe the pending decision, or return "" if the match is over."""
    moves_by_kind = {move.kind: move for move in legal_moves(view)}
    if not moves_by_kind:
        return ""
    seat = view.mover
    if "go" in moves_by_kind:
        go, take = moves_by_kind["go"], moves_by_kind["take"]
        return translate(
            lang,
            "go {steps}, or take {tabas}",
            steps=format_steps(go.steps, lang),
            tabas=format_tabas(take.tabas, lang),
        )
    due, walker = view.fee_due(seat), view.walkers[seat]
    if "pay" in moves_by_kind:
        return translate(
            lang,
            "pay {tabas} at the well (payment {number} of {of})",
            tabas=format_tabas(due, lang),
            number=walker.fees_paid + 1,
            of=view.fee_count(seat),
        )
    if due:
        return translate(lang, "throw to earn tabas ({have} of the {fee} needed)", have=walker.tabas, fee=due)
    buy, enter = moves_by_kind.get("buy"), moves_by_kind.get("enter")
    if buy is not None and enter is not None:
        amounts = (
            format_steps(buy.steps, lang),
            format_tabas(buy.tabas, lang),
            format_tabas(enter.tabas, lang),
        )
        return translate(
            lang,
            "throw, buy {steps} for {tabas}, or enter the well for {fee}",
            steps=amounts[0],
            tabas=amounts[1],
            fee=amounts[2],
        )
    if enter is not None:
        return translate(lang, "throw, or enter the well for {tabas}", tabas=format_tabas(enter.tabas, lang))
    if buy is not None:
        return translate(
            lang,
            "throw, or buy {steps} for {tabas}",
            steps=format_steps(buy.steps, lang),
            tabas=format_tabas(buy.tabas, lang),
        )
    return translate(lang, "throw the chips")


def move_label(move: Move, lang: str) -> str:
    """Return the button label for a move."""
    text = translate(
        lang, PHRASES[move.kind], steps=format_steps(move.steps, lang), tabas=format_tabas(move.tabas, lang)
    )
    return capitalize_first(text)


# ---------------------------------------------------------------- outcomes of a move


def describe_outcome(view: State, move: Move, lang: str, names: Sequence[str]) -> str:
    """Describe a move and its effects or, if it is a throw, its possible outcomes and their probabilities."""
    choice = move_label(move, lang)
    if move.kind in ("buy", "enter"):
        choice = translate(lang, "{choice} for {tabas}", choice=choice, tabas=format_tabas(move.tabas, lang))
    parts = (
        _describe_throw(view, lang, names)
        if move.kind == "throw"
        else _describe_move_effects(view, move, lang, names)
    )
    between = translate(lang, "; ") if move.kind == "throw" else ", "
    return translate(lang, "{choice} – {consequence}", choice=choice, consequence=between.join(parts))


def _describe_throw(view: State, lang: str, names: Sequence[str]) -> list[str]:
    """Describe each outcome of a throw, with its probability.

    Throws with the same outcome are merged.
    """
    seat, numbers, times = view.mover, view.rules, view.factor_for(view.mover)
    due = view.fee_due(seat)
    ways_by_text: dict[str, int] = {}
    for whites in sorted(range(CHIP_COUNT + 1), key=lambda w: (-THROWS_BY_WHITES[w], w == 0, w)):
        walked, taken = numbers.steps_by_whites[whites] * times, numbers.tabas_by_whites[whites] * times
        loses_steps = bool(due) or view.overshoots_well(seat, walked)
        if taken and (loses_steps or not walked):
            text = format_tabas(taken, lang)
        elif loses_steps:
            text = translate(lang, "nothing")
        else:
            text = _describe_walk(view, walked, lang, names)
            if taken:
                text = translate(lang, "{steps}, or {tabas}", steps=text, tabas=format_tabas(taken, lang))
        ways_by_text[text] = ways_by_text.get(text, 0) + THROWS_BY_WHITES[whites]
    return [
        translate(lang, "{of} in 8: {what}", of=ways, what=outcome) for outcome, ways in ways_by_text.items()
    ]


def _describe_walk(view: State, step_count: int, lang: str, names: Sequence[str]) -> str:
    """Describe a walk of ``step_count`` steps by the seat to move: where it leads, and what it causes.

    The walk can turn a villager into the hyena or let the hyena eat villagers. ``step_count`` must already include the
    hyena's factor.
    """
    end = view.place_after(view.mover, step_count)
    parts = [
        translate(
            lang,
            "{steps} to {place}",
            steps=format_steps(step_count, lang),
            place=format_place(view, end, lang),
        )
    ]
    if end == view.length and view.hyena_seat is None:
        parts.append(ptranslate(lang, "hyena", "becomes the hyena"))
    eaten_seats = view.villagers_eaten(view.mover, end)
    if eaten_seats:
        parts.append(
            translate(
                lang,
                "eats {prey}",
                prey=join_names([seat_name(names, seat, lang) for seat in eaten_seats], lang),
            )
        )
    return ", ".join(parts)


def _describe_move_effects(view: State, move: Move, lang: str, names: Sequence[str]) -> list[str]:
    """Describe the effects of a move that is not a throw; if tabas are paid, also say how many are left."""
    turn = MoveExecution(view)
    turn.apply_move(move)
    left = view.walkers[view.mover].tabas
    parts: list[str] = []
    paid = False
    eaten_seats: list[int] = []
    for event in turn.events:
        match event:
            case ev.Walked(_, end) if end or view.walkers[view.mover].is_hyena:
                parts.append(translate(lang, "to {place}", place=format_place(view, end, lang)))
            case ev.Bought(cost):
                left -= cost
                paid = True
            case ev.Gained(taken):
                parts.append(translate(lang, "{tabas} in total", tabas=format_tabas(left + taken, lang)))
            case ev.BecameHyena():
                parts.append(ptranslate(lang, "hyena", "becomes the hyena"))
            case ev.Paid(fee, number, of):
                left -= fee
                paid = True
                if move.kind == "pay":
                    parts.append(translate(lang, "payment {number} of {of}", number=number, of=of))
                else:
                    parts.append(translate(lang, "pays {tabas} there", tabas=format_tabas(fee, lang)))
            case ev.CameHome(points):
                parts.append(
                    translate(
                        lang, "home ({points})", points=ntranslate(lang, "{n} point", "{n} points", points)
                    )
                )
            case ev.Eaten(seat=seat):
                eaten_seats.append(seat)
    if eaten_seats:
        parts.append(
            translate(
                lang,
                "eats {prey}",
                prey=join_names([seat_name(names, seat, lang) for seat in eaten_seats], lang),
            )
        )
    return [*parts, translate(lang, "{tabas} left", tabas=format_tabas(left, lang))] if paid else parts


# ---------------------------------------------------------------- events


def describe_event(view: State, event: ev.Event, lang: str, names: Sequence[str]) -> str:
    """Describe an event in one line without a full stop, or return "" if it needs no text."""
    key = ""
    gaps: dict[str, object] = {}
    number: int | None = None
    match event:
        case ev.Threw(faces):
            number = sum(faces)
            key = "threw" if number else "threw none"
        case ev.Gained(taken):
            key, gaps = "gained", {"tabas": format_tabas(taken, lang)}
        case ev.Bought(price, bought):
            key, gaps = "bought", {"steps": format_steps(bought, lang), "tabas": format_tabas(price, lang)}
        case ev.Walked(_, end):
            key = "reached" if end == view.length else "walked" if end else ""
            gaps = {"place": format_place(view, end, lang)}
        case ev.StepsLost(lost, fee):
            key = "wasted" if fee else "wasted exact"
            gaps = {"steps": format_steps(lost, lang), "fee": format_tabas(fee, lang)}
        case ev.Paid(fee, count, of):
            key, gaps = "paid", {"tabas": format_tabas(fee, lang), "number": count, "of": of}
        case ev.BecameHyena():
            key = "turned"
        case ev.LeftWell():
            key = "departed"
        case ev.Eaten(_, spot, leg):
            key, gaps = f"eaten {leg.value}", {"place": format_place(view, spot, lang)}
        case ev.CameHome(points):
            key, gaps = "home", {"points": ntranslate(lang, "{n} point", "{n} points", points)}
        case ev.RoundEnded(count, made):
            parts = [f"{seat_name(names, seat, lang)} {points}" for seat, points in enumerate(made)]
            key, number, gaps = "round ended", count, {"scores": ", ".join(parts)}
        case ev.RoundStarted(count):
            key, number = "round began", count
    seat = seat_name(names, event.seat, lang) if event.seat >= 0 else ""
    return translate(lang, PHRASES[key], number, seat=seat, **gaps) if key else ""


def describe_move(
    before: State, move: Move, events: Sequence[ev.Event], lang: str, names: Sequence[str]
) -> str:
    """Return the log text for a move and its effects, e.g. "Throw: to space 34"."""
    parts: list[str] = []
    eaten: list[str] = []
    for event in events:
        match event:
            case ev.Threw(faces) if all(not isinstance(other, ev.Walked | ev.Gained) for other in events):
                parts.append(translate(lang, WHITE_FACES, sum(faces)))
            case ev.Gained(taken):
                parts.append(format_tabas(taken, lang))
            case ev.Walked(_, end) if end or before.walkers[event.seat].is_hyena:
                parts.append(translate(lang, "to {place}", place=format_place(before, end, lang)))
            case ev.BecameHyena():
                parts.append(ptranslate(lang, "hyena", "becomes the hyena"))
            case ev.Paid(fee) if move.kind != "pay":
                parts.append(translate(lang, "pays {tabas}", tabas=format_tabas(fee, lang)))
            case ev.CameHome():
                parts.append(translate(lang, "home"))
            case ev.Eaten(seat=seat):
                eaten.append(seat_name(names, seat, lang))
    if eaten:
        parts.append(translate(lang, "eats {prey}", prey=join_names(eaten, lang)))
    if not parts:
        return move_label(move, lang)
    return translate(
        lang, "{choice}: {consequence}", choice=move_label(move, lang), consequence=", ".join(parts)
    )


# ---------------------------------------------------------------- unavailable spots


def explain_illegal(view: State, spot: str, lang: str, names: Sequence[str]) -> str:
    """Explain why a spot can't be used now, or return "" if no reason applies.

    The spots are the bowl ("bowl"), each seat's dish of tabas ("tabas 1" for the first seat), and any place on the
    board.
    """
    if view.result is not None:
        return translate(lang, "The match is over.")
    seat = view.mover
    kinds = {move.kind for move in legal_moves(view)}
    name, held = seat_name(names, seat, lang), view.walkers[seat].tabas
    if "go" in kinds:
        return translate(
            lang, "{seat} must choose first: {ask}.", seat=name, ask=describe_decision(view, lang)
        )
    if "pay" in kinds:
        return translate(
            lang,
            "{seat} must pay {tabas} this turn instead of throwing.",
            seat=name,
            tabas=format_tabas(view.fee_due(seat), lang),
        )
    if spot == "bowl":
        return ""
    if not spot.startswith("tabas"):
        return translate(
            lang,
            "You can't pick a space: where {seat} goes is decided by the throw or by the number of steps bought.",
            seat=name,
        )
    owner = int(spot.split()[-1]) - 1
    if owner != seat:
        return translate(
            lang,
            "These tabas belong to {owner}; it's {seat}'s turn.",
            owner=seat_name(names, owner, lang),
            seat=name,
        )
    if "buy" in kinds:
        return ""
    if view.fee_due(seat):
        return translate(
            lang,
            "{seat} owes {fee} at the well and can't buy steps before paying.",
            seat=name,
            fee=format_tabas(view.fee_due(seat), lang),
        )
    bought = view.rules.steps_bought * view.factor_for(seat)
    price = view.rules.step_price * view.factor_for(seat)
    if held >= price:
        return translate(
            lang,
            "{steps} would lead past the well, which must be reached by exact count.",
            steps=format_steps(bought, lang),
        )
    return translate(
        lang,
        "{steps} cost {price}, but {seat} has {tabas}.",
        steps=format_steps(bought, lang),
        price=format_tabas(price, lang),
        seat=name,
        tabas=format_tabas(held, lang),
    )


# ---------------------------------------------------------------- the table as lines


def role_key(view: State, seat: int) -> str:
    """Return the role of a seat, "hyena" or "villager".

    The role is also the key of its name in :data:`PHRASES`.
    """
    return "hyena" if view.walkers[seat].is_hyena else "villager"


def describe_seat(view: State, seat: int, lang: str) -> tuple[str, ...]:
    """Return a text about the pawn of a seat, such as "Villager → 42", and one with the seat's tabas.

    The second text is left out if the seat is home or eaten.
    """
    walker = view.walkers[seat]
    key = f"own {walker.leg.value}"
    if walker.is_hyena and walker.leg is Leg.WELL:
        key = "own hyena well"
    text = translate(
        lang,
        PHRASES[key],
        role=translate(lang, PHRASES[role_key(view, seat)]),
        place=walker.place,
        paid=walker.fees_paid,
        of=view.fee_count(seat),
    )
    if walker.leg in FINISHED_LEGS:
        return (capitalize_first(text),)
    return capitalize_first(text), format_tabas(walker.tabas, lang)


def describe_location(view: State, seat: int, lang: str) -> str:
    """Return the role and place of a seat, e.g. "villager at space 42, on the way out"."""
    walker = view.walkers[seat]
    key = f"{role_key(view, seat)} {walker.leg.value}"
    if walker.leg is Leg.OUT and not walker.place:
        key = f"{role_key(view, seat)} village"
    return translate(
        lang,
        PHRASES[key],
        place=format_place(view, walker.place, lang),
        paid=walker.fees_paid,
        of=view.fee_count(seat),
    )


def table_lines(view: State, lang: str, names: Sequence[str]) -> list[str]:
    """Return the table as lines of text for a terminal.

    The lines show the round, the path in rows of ten places, each seat, and the last throw, if any.
    """
    result = [
        capitalize_first(
            translate(
                lang,
                "round {n} of {of}, {steps} from the village to the well",
                view.round,
                of=view.rounds,
                steps=format_steps(view.length, lang),
            )
        ),
        "",
    ]
    on: dict[int, list[str]] = {}
    for seat, walker in enumerate(view.walkers):
        if walker.leg in (Leg.OUT, Leg.WELL, Leg.BACK):
            mark = "H" if walker.is_hyena else f"{seat + 1}"
            on.setdefault(walker.place, []).append(f"<{mark}" if walker.leg is Leg.BACK else mark)
    cells = [",".join(on.get(number, "·")) for number in range(view.length + 1)]
    width = max(4, *[len(cell) + 1 for cell in cells])
    for first in range(0, view.length + 1, PLACES_PER_ROW):
        row = cells[first : first + PLACES_PER_ROW]
        result.append(f"{first:>3} " + "".join(cell.rjust(width) for cell in row))
    result.append("")
    for seat, walker in enumerate(view.walkers):
        result.append(
            translate(
                lang,
                "{sign} {seat}: {where}; {tabas}, {points}",
                sign="H" if walker.is_hyena else seat + 1,
                seat=seat_name(names, seat, lang),
                where=describe_location(view, seat, lang),
                tabas=format_tabas(walker.tabas, lang),
                points=ntranslate(lang, "{n} point", "{n} points", walker.points),
            )
        )
    if view.last_throw:
        # Use words, because a screen reader would read symbols aloud one by one.
        result += [
            "",
            capitalize_first(
                translate(
                    lang, "last throw: {chips}", chips=translate(lang, WHITE_FACES, sum(view.last_throw))
                )
            ),
        ]
    return result


# ---------------------------------------------------------------- keys, summaries and spots

MOVE_KEYS = {"throw": "1", "pay": "1", "buy": "2", "enter": "3", "go": "1", "take": "2"}
"""Digit that selects each kind of move."""


def describe_round(view: State, lang: str) -> str:
    """Return the name of the current round, e.g. "Round 2 of 4", or "" if the match has a single round."""
    return (
        capitalize_first(translate(lang, "round {n} of {of}", view.round, of=view.rounds))
        if view.rounds > 1
        else ""
    )


def summarize_events(view: State, events: Sequence[ev.Event], lang: str, names: Sequence[str]) -> str:
    """Summarize ``events`` in a sentence: what each seat did, in order, and which rounds ended and began.

    An example is "Ada: 4 steps to space 34; River: 12 steps to space 40, eats Stone". Throws, the hyena's departure
    from the well, ends of turns and the end of the match are not mentioned. Returns "" if there is nothing else to
    mention.
    """
    actions_by_seat: list[tuple[int, list[str]]] = []
    ends: list[str] = []
    before: ev.Event | None = None
    for event in events:
        text = ""
        seat = event.seat
        match event:
            case ev.Gained(taken):
                text = translate(lang, "takes {tabas}", tabas=format_tabas(taken, lang))
            case ev.Bought(price, bought):
                text = translate(
                    lang,
                    "buys {steps} for {tabas}",
                    steps=format_steps(bought, lang),
                    tabas=format_tabas(price, lang),
                )
            case ev.Walked(origin, end):
                there, bought = format_place(view, end, lang), isinstance(before, ev.Bought)
                steps = format_steps(abs(end - origin), lang)
                text = (
                    translate(lang, "to {place}", steps=steps, place=there)
                    if bought
                    else translate(lang, "{steps} to {place}", steps=steps, place=there)
                )
            case ev.StepsLost(lost, _):
                text = translate(lang, "can't use the {steps}", steps=format_steps(lost, lang))
            case ev.BecameHyena():
                text = ptranslate(lang, "hyena", "becomes the hyena")
            case ev.Paid(fee):
                text = translate(lang, "pays {tabas}", tabas=format_tabas(fee, lang))
            case ev.CameHome(points):
                text = translate(
                    lang, "home ({points})", points=ntranslate(lang, "{n} point", "{n} points", points)
                )
            case ev.Eaten(hyena_seat=by):
                text, seat = translate(lang, "eats {prey}", prey=seat_name(names, seat, lang)), by
            case ev.RoundEnded() | ev.RoundStarted():
                actions_by_seat.append((-1, [describe_event(view, event, lang, names)]))
        if not text:
            continue
        if not actions_by_seat or actions_by_seat[-1][0] != seat:
            actions_by_seat.append((seat, []))
        actions_by_seat[-1][1].append(text)
        before = event
    for seat, parts in actions_by_seat:
        what = ", ".join(parts)
        if seat >= 0:
            what = translate(lang, "{seat}: {what}", seat=seat_name(names, seat, lang), what=what)
        ends.append(what)
    return translate(lang, "; ").join(ends)


def describe_spot(view: State, spot: str, lang: str, names: Sequence[str]) -> str:
    """Describe what is at a spot, or return "" if the spot is unknown.

    The known spots are the bowl ("bowl"), the well ("well"), and the dish and pawn of each seat ("tabas 1" and "pawn 1"
    for the first seat).
    """
    kind, _, number = spot.partition(" ")
    if kind == "bowl":
        throws = [_describe_gain(view, whites, lang) for whites in range(CHIP_COUNT + 1)]
        return translate(lang, "the chips: {throws}", throws=translate(lang, "; ").join(throws))
    if kind == "well":
        return translate(
            lang,
            "the well: the first to get here turns into the hyena; the others must pay before they leave",
        )
    if kind not in ("tabas", "pawn") or not number.isdecimal() or not 1 <= int(number) <= view.seats:
        return ""
    seat = int(number) - 1
    gaps: dict[str, object] = {
        "seat": seat_name(names, seat, lang),
        "tabas": format_tabas(view.walkers[seat].tabas, lang),
    }
    if kind == "tabas":
        price = view.rules.step_price * view.factor_for(seat)
        bought = format_steps(view.rules.steps_bought * view.factor_for(seat), lang)
        return translate(
            lang,
            "{seat} has {tabas}; {price} buy {steps}",
            price=format_tabas(price, lang),
            steps=bought,
            **gaps,
        )
    return translate(lang, "{seat}: {where}; {tabas}", where=describe_location(view, seat, lang), **gaps)


def _describe_gain(view: State, whites: int, lang: str) -> str:
    """Describe what the seat to move gets for a throw with ``whites`` white faces."""
    factor = view.factor_for(view.mover)
    steps, tabas = view.rules.steps_by_whites[whites] * factor, view.rules.tabas_by_whites[whites] * factor
    gains = [format_steps(steps, lang)] if steps else []
    gains += [format_tabas(tabas, lang)] if tabas else []
    return translate(
        lang,
        "{gain} for {faces}",
        faces=translate(lang, WHITE_FACES, whites),
        gain=join_words(gains, translate(lang, "or")),
    )


THROW_REASON_TEXTS = {
    "turns-by": P_("why.spiral.turns-by", "becomes the hyena in {n} out of {of} throws"),
    "home-by": P_("why.spiral.home-by", "gets home in {n} out of {of} throws"),
    "eats-by": P_("why.spiral.eats-by", "eats a villager in {n} out of {of} throws"),
}

THROW_COUNT = 1 << CHIP_COUNT
"""Number of possible throws, all equally likely."""


def reasons_for(view: State, move: Move, seat: int) -> Iterator[Message]:
    """Yield the reasons for a move of ``seat``, whose turn it is."""
    if move.kind == "throw":
        for what, event in (("turns", ev.BecameHyena), ("home", ev.CameHome), ("eats", ev.Eaten)):
            if n := _count_throws_causing(view, seat, event):
                yield Message(THROW_REASON_TEXTS[f"{what}-by"], n=n, of=THROW_COUNT)
        return
    turn = MoveExecution(view)
    after = turn.apply_move(move)
    if any(isinstance(event, ev.BecameHyena) for event in turn.events):
        yield Message(P_("why.spiral.turns", "becomes the hyena"))
    if eaten := sum(isinstance(event, ev.Eaten) for event in turn.events):
        yield Message(Plural(P_("why.spiral.eats", "eats {n} villager"), "eats {n} villagers"), n=eaten)
    if after.result is not None or after.round > view.round or view.hyena_seat is None:
        return
    if view.hyena_seat == seat:
        near = count_eating_throws(after, seat)
        if near > count_eating_throws(view, seat):
            yield Message(
                P_(
                    "why.spiral.near",
                    "gets close enough to eat a villager next turn with {n} out of {of} throws",
                ),
                n=near,
                of=THROW_COUNT,
            )
        return
    if after.walkers[seat].leg in FINISHED_LEGS:
        return
    if count_eating_throws(view, view.hyena_seat, seat) and not count_eating_throws(
        after, view.hyena_seat, seat
    ):
        yield Message(P_("why.spiral.safe", "gets out of the hyena's reach for its next turn"))
    if (
        _fees_left(view, seat) > view.walkers[seat].tabas
        and 0 < _fees_left(after, seat) <= after.walkers[seat].tabas
    ):
        yield Message(P_("why.spiral.fees", "gets enough tabas to pay in full at the well"))


def count_eating_throws(state: State, hyena_seat: int, villager_seat: int = -1) -> int:
    """Return how many of all possible throws would let the hyena eat a villager if it were the hyena's turn.

    Only the villager of ``villager_seat`` counts; if ``villager_seat`` is -1, any villager counts. The result is
    :data:`THROW_COUNT` if the hyena can eat such a villager by buying steps. Otherwise, it is 0 if the hyena isn't
    allowed to throw.
    """
    hyena_state = replace(state, mover=hyena_seat, is_choosing=False, last_throw=())
    moves_by_kind = {move.kind: move for move in legal_moves(hyena_state)}
    if "buy" in moves_by_kind:
        turn = MoveExecution(hyena_state)
        turn.apply_move(moves_by_kind["buy"])
        if _includes_event(turn.events, ev.Eaten, villager_seat):
            return THROW_COUNT
    return (
        _count_throws_causing(hyena_state, hyena_seat, ev.Eaten, villager_seat)
        if "throw" in moves_by_kind
        else 0
    )


def _count_throws_causing(
    state: State, seat: int, event_type: type[ev.Event], affected_seat: int = -1
) -> int:
    """Return how many of the :data:`THROW_COUNT` possible throws cause an event of the given type.

    Each combination of faces counts as one throw. ``seat`` makes the throw; if the throw leaves it a choice between
    walking and taking tabas, it is assumed to walk. ``affected_seat`` is the seat that the event must concern (-1: any
    seat).
    """
    result = 0
    for whites in range(CHIP_COUNT + 1):
        turn = MoveExecution(replace(state, mover=seat, preset_throws=(whites,)))
        after = turn.apply_move(Move("throw", "throw"))
        parts = turn.events
        if after.is_choosing:
            walk = MoveExecution(after)
            walk.apply_move(next(move for move in legal_moves(after) if move.kind == "go"))
            parts = [*parts, *walk.events]
        if _includes_event(parts, event_type, affected_seat):
            result += comb(CHIP_COUNT, whites)
    return result


def _includes_event(events: list[ev.Event], event_type: type[ev.Event], affected_seat: int) -> bool:
    return any(isinstance(event, event_type) and affected_seat in (-1, event.seat) for event in events)


def _fees_left(state: State, seat: int) -> int:
    """Return how many tabas a villager still has to pay at the well."""
    walker = state.walkers[seat]
    return sum(state.rules.villager_fees[walker.fees_paid :]) if walker.leg in (Leg.OUT, Leg.WELL) else 0
