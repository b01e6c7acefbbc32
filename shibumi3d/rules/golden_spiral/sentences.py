"""Texts about the Golden Spiral: pending decisions, moves, their effects, and what happened."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.i18n import N_, ntranslate, translate
from shibumi3d.rules.game import Event
from shibumi3d.rules.golden_spiral import events as ev
from shibumi3d.rules.golden_spiral import jokers, outlook
from shibumi3d.rules.golden_spiral.outlook import Counts
from shibumi3d.rules.golden_spiral.state import DISCARD, Move, State
from shibumi3d.rules.golden_spiral.table import Joker, Tableau
from shibumi3d.rules.golden_spiral.words import PHRASES, medals, name_of

THING_TEXTS = {
    "gold": N_(
        "{seat}'s Gold, {n}: it can be spent or lost, and any number {seat} sets must be lower than it"
    ),
    "spiral": N_("{seat}'s Spiral, {n}: it can be turned back to Gold in the reinforcement"),
    "stars": N_("{seat}'s stars, {n}: they are used to announce jokers"),
    "laid": N_("stars spent by {seat} this Spiral, {n}"),
    "dice": N_("{seat}'s dice: {n}"),
    "dice none": N_("{seat}'s dice: no number yet"),
    "lost": N_("discard, {n}: medals that were lost or paid"),
    "number": N_("{n}, shown as {faces}"),
}
WHY_TEXTS = {
    "too high": N_("that number needs {need} Gold, only {have} left"),
    "no number": N_("no number can be set with {have} Gold"),
    "difference": N_("{need} Gold to lose, only {have} left"),
    "price": N_("{need} Gold to pay, only {have} left"),
    "price spiral": N_("{need} Spiral to pay, only {have} left"),
    "check": N_("{have} Gold left at the end of the Spiral"),
}


def ask_line(table: Tableau, view: State, lang: str, names: Sequence[str]) -> str:
    """Describe the pending decision, without naming the player.

    For spectators, the limits of both seats are given if they differ.
    """
    seat = view.to_move
    if seat is None:
        return ""
    if view.question == "bid":
        most = {each: max(table.legal(view.gold[each])) for each in view.asked}
        if view.viewer < 0 and len(set(most.values())) > 1:
            first, second = most
            return translate(
                lang,
                "choose a number ({first}: up to {n}, {second}: up to {m})",
                most[first],
                m=most[second],
                first=name_of(names, first),
                second=name_of(names, second),
            )
        return translate(lang, "choose a number from 1 to {n}", most[seat])
    if view.question == "amount":
        joker = table.joker(view.spoken[view.used])
        return translate(lang, "choose an amount for {joker}", joker=joker.called(lang))
    if view.question == "reinforce":
        return ntranslate(
            lang,
            "choose whether to turn {n} medal back",
            "choose up to {n} medals to turn back",
            min(view.allowance[seat], view.spiral[seat]),
        )
    return translate(lang, "choose a joker, or pass")


def say(table: Tableau, view: State, move: Move, lang: str) -> str:
    """Return the label of a move for a button; for a joker, it is just its name."""
    told = _choice(table, view, move, lang)
    return told[:1].upper() + told[1:]


def _choice(table: Tableau, view: State, move: Move, lang: str) -> str:
    if move.kind == "joker":
        return table.joker(move.text).called(lang)
    if move.kind == "amount":
        return _amount(table, view, move, lang)
    if move.kind == "turn" and not move.number:
        return translate(lang, "turn none back")
    return translate(lang, PHRASES[move.kind], move.number)


def _deed(table: Tableau, view: State, move: Move, lang: str) -> str:
    """Return a past move as a phrase with a verb, e.g. "Announce Reserve" for a joker."""
    told = _choice(table, view, move, lang)
    if move.kind == "joker":
        told = translate(lang, "announce {joker}", joker=told)
    elif move.kind == "pass":
        told = translate(lang, "announce nothing")
    return told[:1].upper() + told[1:]


def _amount(table: Tableau, view: State, move: Move, lang: str) -> str:
    joker = table.joker(view.spoken[view.used])
    other = 1 - view.speaker(view.used)
    if joker.do == "choose":
        if not move.number:
            return translate(lang, "take nothing")
        return (
            translate(lang, "take {n} Gold", move.number)
            if move.text.endswith("G")
            else translate(lang, "take {n} Spiral", move.number)
        )
    if not move.number:
        return translate(lang, PHRASES[f"{joker.do} none"])
    each = joker.take.gold // joker.back.spiral if joker.do == "swap" else 1
    return translate(lang, PHRASES[joker.do], move.number, m=min(each * move.number, view.gold[other]))


def foretell(table: Tableau, view: State, move: Move, lang: str, names: Sequence[str]) -> str:
    """Describe a move and its effects as far as they are known, including the price of a joker."""
    seat = move.seat if move.seat >= 0 else view.to_move
    assert seat is not None
    choice = say(table, view, move, lang)
    if move.kind == "joker":
        choice = thing_line(table, view, f"joker {move.text}", lang, names)
    if move.kind == "bid":
        told = against(table, view, seat, move.number, lang, names)
    elif move.kind == "joker":
        told = effect(table, view, seat, table.joker(move.text), lang, names)
    elif move.kind == "amount":
        amounts = jokers.amounts(table.joker(view.spoken[view.used]), view, view.speaker(view.used))
        chosen = next(each for each in amounts if each.text == move.text)
        told = _outlook(outlook.of_amount(table, view, chosen), view, lang, names)
    elif move.kind == "turn":
        told = counts(outlook.of_turning(table, view, seat, move.number), lang, names)
    else:
        return choice
    return translate(lang, "{choice} – {consequence}", choice=choice, consequence=told)


def against(table: Tableau, view: State, seat: int, number: int, lang: str, names: Sequence[str]) -> str:
    """Describe the effects of a number against the opponent's lowest, equal and highest number."""
    other = 1 - seat
    legal = table.legal(view.gold[other])
    told = []
    for theirs in sorted({min(legal, default=1), number, max(legal, default=1)} & set(legal)):
        seen = outlook.of_numbers(table, view, (number, theirs) if seat == 0 else (theirs, number))
        what = translate(lang, "nothing happens") if seen is None else _outlook(seen, view, lang, names)
        told.append(translate(lang, "against {n}: {counts}", theirs, seat=name_of(names, other), counts=what))
    return translate(lang, " · ").join(told)


def effect(table: Tableau, view: State, seat: int, joker: Joker, lang: str, names: Sequence[str]) -> str:
    """Describe the effect of a joker that may be announced, including its price."""
    return _outlook(outlook.of_joker(table, view, seat, joker), view, lang, names)


def needs(table: Tableau, view: State, seat: int, joker: Joker, lang: str, names: Sequence[str]) -> str:
    """Explain why a seat may not announce a joker now, or return "" if it may."""
    found = jokers.unmet(table, view, seat, joker)
    if found is None:
        return ""
    key, gaps = found
    told = dict(gaps)
    if "joker" in told:
        told["before"] = table.joker(str(told["joker"])).called(lang)
    told["joker"] = joker.called(lang)
    if "other" in told:
        told["theirs"] = told["other"]
    told |= {"seat": name_of(names, seat), "other": name_of(names, 1 - seat)}
    return translate(lang, PHRASES[key], **told)


def counts(seen: Counts, lang: str, names: Sequence[str]) -> str:
    """Return the medals of both seats, e.g. "Aiko 6 Gold, 7 Spiral; Ben 11 Gold, 0 Spiral"."""
    return translate(lang, "; ").join(
        translate(
            lang, "{seat} {gold} Gold, {spiral} Spiral", seat=name_of(names, seat), gold=gold, spiral=spiral
        )
        for seat, (gold, spiral) in enumerate(zip(seen.gold, seen.spiral, strict=True))
    )


def _outlook(seen: Counts, view: State, lang: str, names: Sequence[str]) -> str:
    if seen.clash:
        if seen.default >= 0:
            return translate(
                lang,
                "a new clash follows at once, and {seat}, who can't set a number, is in Default",
                seat=name_of(names, seen.default),
            )
        return translate(lang, "a new clash follows at once")
    if seen.default >= 0:
        return translate(lang, "{seat} is in Default", seat=name_of(names, seen.default))
    told = counts(seen, lang, names)
    moved = [after - before for after, before in zip(seen.stars, view.stars, strict=True)]
    if max(moved) > 0:
        winner = moved.index(max(moved))
        stars = ntranslate(lang, "{n} star", "{n} stars", seen.stars[winner])
        return translate(
            lang, "{counts}; {seat} {stars}", counts=told, seat=name_of(names, winner), stars=stars
        )
    return told


def why_not(table: Tableau, view: State, spot: str, lang: str, names: Sequence[str]) -> str:
    """Explain why a spot, e.g. "number 9" or "joker mirror", can't be used now.

    If the spot doesn't belong to the pending decision, the text says what the decision is about.
    """
    seat = view.to_move
    if seat is None:
        return translate(lang, "The game is over.")
    kind, _, what = spot.partition(" ")
    if kind == "number" and view.question == "bid" and what.isdecimal():
        gold, number = view.gold[seat], int(what)
        if number > table.highest:
            return translate(lang, "Two dice can't show {n}.", number)
        return translate(
            lang,
            "{n} is too high: with {gold} Gold, the limit is {most}.",
            number,
            most=max(table.legal(gold), default=0),
            gold=gold,
        )
    if kind == "joker" and view.question == "joker":
        row = next((joker for joker in table.jokers if joker.id == what), None)
        if row is not None:
            return needs(table, view, seat, row, lang, names)
    return translate(
        lang, "It's {seat}'s turn: {ask}.", seat=name_of(names, seat), ask=ask_line(table, view, lang, names)
    )


def line(table: Tableau, event: Event, lang: str, names: Sequence[str]) -> str:
    """Describe an event in one line, or return "" if it needs no text."""
    seat = name_of(names, event.seat) if event.seat >= 0 else ""
    match event:
        case ev.NumbersShown(numbers=(first, second)):
            return translate(
                lang,
                "{first} {n}, {second} {m}",
                first,
                m=second,
                first=name_of(names, 0),
                second=name_of(names, 1),
            )
        case ev.MedalsTurned(gold, spiral):
            if gold and spiral:
                return translate(lang, "{seat} turns over all medals", seat=seat)
            return (
                translate(lang, "{seat} turns {n} to Spiral", gold or spiral, seat=seat)
                if gold
                else translate(lang, "{seat} turns {n} to Gold", gold or spiral, seat=seat)
            )
        case ev.MedalsMoved(source, target, gold, spiral, cause):
            what = medals(lang, gold, spiral)
            one, two = (name_of(names, each) if each >= 0 else "" for each in (source, target))
            if source == DISCARD:
                return (
                    translate(lang, "{seat} gets {what} back", seat=two, what=what)
                    if cause == "undo"
                    else translate(lang, "{seat} gets {what} from the discard", seat=two, what=what)
                )
            if target == DISCARD:
                return (
                    translate(lang, "{seat} pays {what}", seat=one, what=what)
                    if cause == "price"
                    else translate(lang, "{seat} loses {what}", seat=one, what=what)
                )
            return translate(lang, "{seat} takes {what} from {other}", seat=two, other=one, what=what)
        case ev.StarsLaid(joker, _):
            return translate(
                lang, "{seat} announces {joker}", seat=seat, joker=table.joker(joker).called(lang)
            )
        case ev.StarsMoved(_, number):
            return ntranslate(lang, "{seat} takes {n} star", "{seat} takes {n} stars", number, seat=seat)
        case ev.NothingAnnounced(able):
            return (
                translate(lang, "{seat} passes", seat=seat)
                if able
                else translate(lang, "{seat} has no joker to announce", seat=seat)
            )
        case ev.SpeaksFirst():
            return translate(lang, "{seat} speaks first", seat=seat)
        case ev.ClashOpened():
            return translate(lang, "a new clash")
        case ev.InDefault(why, need, have):
            told = translate(lang, WHY_TEXTS[why], need=need, have=have)
            return translate(lang, "{seat} is in Default: {why}", seat=seat, why=told)
    return ""


def price(joker: Joker, lang: str) -> str:
    """Return the price of a joker in medals, e.g. "2 Gold"."""
    return medals(lang, *joker.price)


def priced(joker: Joker, lang: str) -> str:
    """Return the cost of a joker in stars and medals, e.g. "1 star, 1 Gold"."""
    return ntranslate(lang, "{n} star, {price}", "{n} stars, {price}", joker.stars, price=price(joker, lang))


def does(table: Tableau, joker: Joker, lang: str) -> str:
    """Describe the effect of a joker in a few words."""
    key = f"does {joker.do}"
    if joker.do == "take" and any(joker.back):
        key = "does take more"
    return translate(
        lang,
        PHRASES[key],
        gold=joker.take.gold,
        spiral=joker.take.spiral,
        back=joker.back.spiral,
        each=joker.take.gold // max(1, joker.back.spiral) if joker.do == "swap" else 0,
        what=medals(lang, *joker.take),
        more=medals(lang, *joker.back),
        most=table.medals,
    )


def detail(table: Tableau, move: Move, lang: str) -> str:
    """Return the cost of a joker and, on a second line, its effect; "" for other moves."""
    if move.kind != "joker":
        return ""
    joker = table.joker(move.text)
    return translate(lang, "{price}\n{effect}", price=priced(joker, lang), effect=does(table, joker, lang))


def thing_line(table: Tableau, view: State, spot: str, lang: str, names: Sequence[str]) -> str:
    """Describe what is at a spot, or return "" if nothing is there.

    Spots are e.g. "gold 1 3", "stars 2 1", "dice 1", "lost" (the discard), "number 9" and "joker mirror". The first
    number after the name of a pile is the seat, counted from 1.
    """
    kind, *rest = spot.split()
    if kind == "joker":
        row = next((joker for joker in table.jokers if joker.id == rest[0]), None)
        if row is None:
            return ""
        told = does(table, row, lang)
        return translate(
            lang, "{joker} ({price}): {effect}", joker=row.called(lang), price=priced(row, lang), effect=told
        )
    if kind == "number":
        faces = "+".join(map(str, table.dice[int(rest[0]) - 1]))
        return translate(lang, "{n}, shown as {faces}", int(rest[0]), faces=faces)
    if kind == "lost":
        return translate(lang, "discard, {n}: medals that were lost or paid", view.discard)
    if kind not in ("gold", "spiral", "stars", "laid", "dice"):
        return ""
    seat = int(rest[0]) - 1
    if kind == "dice":
        shown = view.numbers[seat]
        return (
            translate(lang, "{seat}'s dice: {n}", shown, seat=name_of(names, seat))
            if shown
            else translate(lang, "{seat}'s dice: no number yet", shown, seat=name_of(names, seat))
        )
    number = {"gold": view.gold, "spiral": view.spiral, "stars": view.stars, "laid": view.laid}[kind][seat]
    return translate(lang, THING_TEXTS[kind], number, seat=name_of(names, seat))


def log_line(
    table: Tableau, before: State, move: Move, events: Sequence[Event], lang: str, names: Sequence[str]
) -> str:
    """Return the log text for a move and its effects.

    Examples are "Set 7: against 5, Ben loses 2 Gold" and "Announce Reserve".
    """
    choice, told = _deed(table, before, move, lang), list[str]()
    for event in events:
        match event:
            case ev.NumbersShown(numbers):
                other = numbers[1 - move.seat if move.seat >= 0 else 1 - before.asked[0]]
                told.append(translate(lang, "against {n}", other))
            case ev.NothingAnnounced() | ev.StarsLaid() | ev.SpeaksFirst() | ev.MedalsTurned(cause="clash"):
                pass
            case _:
                told.append(line(table, event, lang, names))
    what = ", ".join(filter(None, told))
    return translate(lang, "{choice}: {what}", choice=choice, what=what) if what else choice


def happened(table: Tableau, view: State, events: Sequence[Event], lang: str, names: Sequence[str]) -> str:
    """Summarize ``events`` in one sentence, including the resulting medals if any have moved.

    An example begins "Aiko sets 7, Ben 5: Aiko turns 7 to Spiral, Ben loses 2 Gold; …".
    """
    parts: list[tuple[str, list[str]]] = []
    touched = False
    for event in events:
        match event:
            case ev.NumbersShown(numbers=(first, second)):
                one, two = name_of(names, 0), name_of(names, 1)
                parts.append(
                    (
                        translate(
                            lang, "{first} sets {n}, {second} {m}", first, m=second, first=one, second=two
                        ),
                        [],
                    )
                )
            case ev.JokerUsed(joker):
                row = table.joker(joker)
                called = translate(lang, "{joker} ({price})", joker=row.called(lang), price=priced(row, lang))
                parts.append(
                    (
                        translate(lang, "{seat} uses {joker}", seat=name_of(names, event.seat), joker=called),
                        [],
                    )
                )
            case ev.StarsLaid() | ev.SpeaksFirst() | ev.NothingAnnounced(False):
                pass
            case ev.MedalsMoved(cause="price"):
                touched = True
            case _:
                told = line(table, event, lang, names)
                touched = touched or isinstance(event, ev.MedalsMoved | ev.MedalsTurned)
                if told and parts and not isinstance(event, ev.NothingAnnounced | ev.SpiralEnded):
                    parts[-1][1].append(told)
                elif told:
                    parts.append((told, []))
    found = [
        translate(lang, "{what}: {then}", what=what, then=", ".join(then)) if then else what
        for what, then in parts
    ]
    if touched:
        seen = Counts(view.gold, view.spiral, view.stars)
        found.append(counts(seen, lang, names))
    return translate(lang, "; ").join(found)
