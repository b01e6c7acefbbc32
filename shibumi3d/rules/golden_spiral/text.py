"""Texts of Golden Spiral: pending decisions, moves, events, the table as lines, and reasons for moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from shibumi3d.i18n import N_, P_, Message, Plural, Translatable, ntranslate, translate, translate_all
from shibumi3d.rules.game import Event
from shibumi3d.rules.golden_spiral import events as ev
from shibumi3d.rules.golden_spiral.effects import (
    CountsPreview,
    possible_amounts,
    preview_amount,
    preview_clash,
    preview_joker,
    preview_turning_back,
    resolve_clash,
    unmet_condition,
)
from shibumi3d.rules.golden_spiral.state import DISCARD, Joker, MedalRules, Move, State

DEFAULT_SEAT_NAMES = "▲■"

PHRASES: dict[str, Translatable] = {
    "bid": N_("set {n}"),
    "pass": P_("golden", "pass"),
    "turn": N_("turn {n} back to Gold"),
    "gold": N_("take {n} Gold"),
    "spiral": N_("take {n} Spiral"),
    "destroy": N_("destroy {n} Gold"),
    "destroy none": N_("destroy nothing"),
    "swap": N_("swap {n} Spiral for {m} Gold"),
    "swap none": N_("swap nothing"),
    "thieve": Plural("take {n} star", "take {n} stars"),
    "thieve none": N_("take no stars"),
    "both": N_("; "),
    "does undo": N_("undo the clash"),
    "does clash": N_("both players set new numbers and clash again"),
    "does restock": N_("take up to {gold} Gold from the discard, to a maximum of {most} medals"),
    "does choose": N_("take up to {gold} Gold or up to {spiral} Spiral from the opponent"),
    "does destroy": N_("move up to {gold} of the opponent's Gold to the discard"),
    "does swap": N_("give the opponent up to {back} Spiral and take {each} Gold for each"),
    "does take": N_("take {what} from the opponent"),
    "does take more": N_("take {what} from the opponent, plus {more} from the discard"),
    "does thieve": N_("take up to {gold} of the opponent's stars"),
    "does reinforce": N_("turn all your medals to Gold in the reinforcement"),
    "does flip": N_("your Gold becomes Spiral, and your Spiral becomes Gold"),
    "stars": Plural("{n} star", "{n} stars"),
    "few stars": Plural(
        "{joker} costs {n} star, but {seat} has only {have}.",
        "{joker} costs {n} stars, but {seat} has only {have}.",
    ),
    "no more": N_("No joker can be announced after {before}."),
    "after": N_("It's too late for {joker} after {before}."),
    "no room": N_("{seat} already has {n} medals."),
    "no discard": N_("The discard is empty."),
    "no booty": N_("{other} has no medals."),
    "no spiral": N_("{seat} has no Spiral medals."),
    "no gold there": N_("{other} has no Gold."),
    "not fewer": N_("{seat} doesn't have fewer medals than the opponent: {mine} against {theirs}."),
    "uneven": N_("Gold and Spiral aren't equal: {gold} and {spiral}."),
    "no stars there": N_("{other} has no stars left."),
    "too high": N_("{n} is too high: with {gold} Gold, you can set at most {most}."),
    "no number": N_("Two dice can't show {n}."),
    "end too high": N_("Default: the number was too high"),
    "end no number": N_("Default: no number to set"),
    "end difference": N_("Default: had to lose {need} Gold but had only {have} left"),
    "end price": N_("Default: had to pay {need} Gold but had only {have} left"),
    "end price spiral": N_("Default: had to pay {need} Spiral but had only {have} left"),
    "end check": N_("Default: {have} Gold left at the end of the Spiral"),
    "end both": N_("both in Default: {n} Spiral against {m}"),
    "end both alike": N_("both in Default, {n} Spiral each"),
    "end limit": N_("{n} Spirals played"),
    "phase 0": N_("clash"),
    "phase 1": N_("strategy"),
    "phase 2": N_("jokers"),
    "phase 3": N_("reinforcement"),
}
"""Messages that the code looks up by keys computed at run time."""
NUMBERED_REASONS = tuple(
    text for key, text in PHRASES.items() if key.startswith("end ") and isinstance(text, str) and "{" in text
)
"""Messages that contain numbers and say why a match ended."""


def translate_to_all(key: str, **values: int) -> tuple[tuple[str, str], ...]:
    """Return the phrase ``key`` of :data:`PHRASES` in every language, as pairs of language code and text."""
    return tuple(translate_all(PHRASES[key], **values).items())


def seat_name(names: Sequence[str], seat: int) -> str:
    """Return the name of a seat, or its default name if it has none."""
    return names[seat] if seat < len(names) else DEFAULT_SEAT_NAMES[seat]


def format_medals(lang: str, gold: int, spiral: int) -> str:
    """Return numbers of Gold and Spiral medals as text, e.g. "2 Gold and 1 Spiral".

    A number that is 0 is left out. If both numbers are 0, the text is "".
    """
    parts = [translate(lang, "{n} Gold", gold)] if gold else []
    parts += [translate(lang, "{n} Spiral", spiral)] if spiral else []
    return translate(lang, " and ").join(parts)


SPOT_TEXTS = {
    "gold": N_("{seat}'s Gold: {n} (can be spent or lost; {seat} can only set lower numbers)"),
    "spiral": N_("{seat}'s Spiral: {n} (can be turned back to Gold in the reinforcement)"),
    "stars": N_("{seat}'s stars: {n} (used to announce jokers)"),
    "laid": N_("stars spent by {seat} in this Spiral: {n}"),
    "dice": N_("{seat}'s dice: {n}"),
    "dice none": N_("{seat}'s dice: no number yet"),
    "lost": N_("discard: {n} (medals that were lost or paid)"),
    "number": N_("{n}, shown as {faces}"),
}
DEFAULT_TEXTS = {
    "too high": N_("that number can't be set with {have} Gold; it needs {need}"),
    "no number": N_("no number can be set with {have} Gold"),
    "difference": N_("had to lose {need} Gold but had only {have} left"),
    "price": N_("had to pay {need} Gold but had only {have} left"),
    "price spiral": N_("had to pay {need} Spiral but had only {have} left"),
    "check": N_("{have} Gold left at the end of the Spiral"),
}


def describe_decision(rules: MedalRules, view: State, lang: str, names: Sequence[str]) -> str:
    """Describe the pending decision, or return "" if the match is over.

    The text doesn't name the player whose turn it is, with one exception: if both seats have to set a number, their
    limits differ, and ``view`` is not the view of a seat, the text names each seat with its limit.
    """
    seat = view.to_move
    if seat is None:
        return ""
    if view.decision_kind == "bid":
        limits = {
            deciding_seat: max(rules.legal_numbers(view.gold[deciding_seat]))
            for deciding_seat in view.deciding_seats
        }
        if view.viewer < 0 and len(set(limits.values())) > 1:
            first, second = limits
            return translate(
                lang,
                "choose a number ({first}: up to {n}, {second}: up to {m})",
                limits[first],
                m=limits[second],
                first=seat_name(names, first),
                second=seat_name(names, second),
            )
        return translate(lang, "choose a number from 1 to {n}", limits[seat])
    if view.decision_kind == "amount":
        joker = rules.joker_by_id(view.announced_jokers[view.jokers_done])
        return translate(lang, "choose an amount for {joker}", joker=joker.localized_name(lang))
    if view.decision_kind == "reinforce":
        return ntranslate(
            lang,
            "choose whether to turn {n} medal back",
            "choose up to {n} medals to turn back",
            min(view.turn_back_limits[seat], view.spiral[seat]),
        )
    return translate(lang, "choose a joker, or pass")


def move_label(rules: MedalRules, view: State, move: Move, lang: str) -> str:
    """Return the button label for a move.

    A move that announces a joker is labelled with the joker's name.
    """
    text = _move_text(rules, view, move, lang)
    return text[:1].upper() + text[1:]


def _move_text(rules: MedalRules, view: State, move: Move, lang: str) -> str:
    if move.kind == "joker":
        return rules.joker_by_id(move.text).localized_name(lang)
    if move.kind == "amount":
        return _amount_text(rules, view, move, lang)
    if move.kind == "turn" and not move.number:
        return translate(lang, "turn none back")
    return translate(lang, PHRASES[move.kind], move.number)


def _describe_past_move(rules: MedalRules, view: State, move: Move, lang: str) -> str:
    """Return a past move as a phrase with a verb, e.g. "Announce Reserve" for a joker."""
    text = _move_text(rules, view, move, lang)
    if move.kind == "joker":
        text = translate(lang, "announce {joker}", joker=text)
    elif move.kind == "pass":
        text = translate(lang, "announce nothing")
    return text[:1].upper() + text[1:]


def _amount_text(rules: MedalRules, view: State, move: Move, lang: str) -> str:
    joker = rules.joker_by_id(view.announced_jokers[view.jokers_done])
    other = 1 - view.speaking_seat(view.jokers_done)
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


def describe_outcome(rules: MedalRules, view: State, move: Move, lang: str, names: Sequence[str]) -> str:
    """Describe a move and its known effects; for a joker, also give its price.

    For a move that sets a number, these are the effects against some of the opponent's numbers; see
    :func:`describe_clash_outcomes`. For a pass, no effects are given.
    """
    seat = move.seat if move.seat >= 0 else view.to_move
    assert seat is not None
    choice = move_label(rules, view, move, lang)
    if move.kind == "joker":
        choice = describe_spot(rules, view, f"joker {move.text}", lang, names)
    if move.kind == "bid":
        consequence = describe_clash_outcomes(rules, view, seat, move.number, lang, names)
    elif move.kind == "joker":
        consequence = describe_joker_outcome(rules, view, seat, rules.joker_by_id(move.text), lang, names)
    elif move.kind == "amount":
        amounts = possible_amounts(
            rules.joker_by_id(view.announced_jokers[view.jokers_done]),
            view,
            view.speaking_seat(view.jokers_done),
        )
        chosen = next(amount for amount in amounts if amount.text == move.text)
        consequence = _describe_preview(preview_amount(rules, view, chosen), view, lang, names)
    elif move.kind == "turn":
        consequence = format_counts(preview_turning_back(rules, view, seat, move.number), lang, names)
    else:
        return choice
    return translate(lang, "{choice} – {consequence}", choice=choice, consequence=consequence)


def describe_clash_outcomes(
    rules: MedalRules, view: State, seat: int, number: int, lang: str, names: Sequence[str]
) -> str:
    """Describe what happens if ``seat`` sets ``number`` against some of the opponent's legal numbers.

    These are the lowest and the highest legal number, and ``number`` itself if it is legal for the opponent.
    """
    other = 1 - seat
    legal = rules.legal_numbers(view.gold[other])
    parts = []
    for opponent_number in sorted({min(legal, default=1), number, max(legal, default=1)} & set(legal)):
        preview = preview_clash(
            rules, view, (number, opponent_number) if seat == 0 else (opponent_number, number)
        )
        what = (
            translate(lang, "nothing happens")
            if preview is None
            else _describe_preview(preview, view, lang, names)
        )
        parts.append(
            translate(
                lang, "against {n}: {counts}", opponent_number, seat=seat_name(names, other), counts=what
            )
        )
    return translate(lang, " · ").join(parts)


def describe_joker_outcome(
    rules: MedalRules, view: State, seat: int, joker: Joker, lang: str, names: Sequence[str]
) -> str:
    """Describe the outcome if ``seat`` announces ``joker`` and the other seat announces no more jokers.

    The text gives the medals that both seats then have; if a seat ends up with more stars than before, it also gives
    that seat's stars. If a second clash follows or a seat is in Default, the text says so instead. If a joker leaves a
    choice between several amounts, the last one is assumed; see :func:`.preview_joker`.
    """
    return _describe_preview(preview_joker(rules, view, seat, joker), view, lang, names)


def explain_unmet_condition(
    rules: MedalRules, view: State, seat: int, joker: Joker, lang: str, names: Sequence[str]
) -> str:
    """Explain why a seat may not announce a joker now, or return "" if it may."""
    unmet = unmet_condition(rules, view, seat, joker)
    if unmet is None:
        return ""
    key, gaps = unmet
    values = dict(gaps)
    if "joker" in values:
        values["before"] = rules.joker_by_id(str(values["joker"])).localized_name(lang)
    values["joker"] = joker.localized_name(lang)
    if "other" in values:
        values["theirs"] = values["other"]
    values |= {"seat": seat_name(names, seat), "other": seat_name(names, 1 - seat)}
    return translate(lang, PHRASES[key], **values)


def format_counts(preview: CountsPreview, lang: str, names: Sequence[str]) -> str:
    """Return the medals of both seats as text, e.g. "Aiko 6 Gold, 7 Spiral; Ben 11 Gold, 0 Spiral"."""
    return translate(lang, "; ").join(
        translate(
            lang, "{seat} {gold} Gold, {spiral} Spiral", seat=seat_name(names, seat), gold=gold, spiral=spiral
        )
        for seat, (gold, spiral) in enumerate(zip(preview.gold, preview.spiral, strict=True))
    )


def _describe_preview(preview: CountsPreview, view: State, lang: str, names: Sequence[str]) -> str:
    if preview.is_before_clash:
        if preview.defaulting_seat >= 0:
            return translate(
                lang,
                "a new clash follows at once, and {seat}, who can't set a number, is in Default",
                seat=seat_name(names, preview.defaulting_seat),
            )
        return translate(lang, "a new clash follows at once")
    if preview.defaulting_seat >= 0:
        return translate(lang, "{seat} is in Default", seat=seat_name(names, preview.defaulting_seat))
    counts = format_counts(preview, lang, names)
    moved = [after - before for after, before in zip(preview.stars, view.stars, strict=True)]
    if max(moved) > 0:
        winner = moved.index(max(moved))
        stars = ntranslate(lang, "{n} star", "{n} stars", preview.stars[winner])
        return translate(
            lang, "{counts}; {seat} {stars}", counts=counts, seat=seat_name(names, winner), stars=stars
        )
    return counts


def explain_illegal(rules: MedalRules, view: State, spot: str, lang: str, names: Sequence[str]) -> str:
    """Explain why a spot such as "number 9" or "joker mirror" can't be used now.

    ``spot`` must not be a number that can be set. If the spot doesn't belong to the pending decision, the text says
    whose turn it is and what has to be decided. If the match is over, the text says so. Returns "" for a joker that can
    be announced.
    """
    seat = view.to_move
    if seat is None:
        return translate(lang, "The match is over.")
    kind, _, what = spot.partition(" ")
    if kind == "number" and view.decision_kind == "bid" and what.isdecimal():
        gold, number = view.gold[seat], int(what)
        if number > rules.highest_number:
            return translate(lang, "Two dice can't show {n}.", number)
        return translate(
            lang,
            "{n} is too high: with {gold} Gold, you can set at most {most}.",
            number,
            most=max(rules.legal_numbers(gold), default=0),
            gold=gold,
        )
    if kind == "joker" and view.decision_kind == "joker":
        row = next((joker for joker in rules.jokers if joker.id == what), None)
        if row is not None:
            return explain_unmet_condition(rules, view, seat, row, lang, names)
    return translate(
        lang,
        "It's {seat}'s turn: {ask}.",
        seat=seat_name(names, seat),
        ask=describe_decision(rules, view, lang, names),
    )


def describe_event(rules: MedalRules, event: Event, lang: str, names: Sequence[str]) -> str:
    """Describe an event in one line, or return "" if it needs no text."""
    seat = seat_name(names, event.seat) if event.seat >= 0 else ""
    match event:
        case ev.NumbersRevealed(numbers=(first, second)):
            return translate(
                lang,
                "{first} {n}, {second} {m}",
                first,
                m=second,
                first=seat_name(names, 0),
                second=seat_name(names, 1),
            )
        case ev.MedalsTurned(gold, spiral):
            if gold and spiral:
                return translate(lang, "{seat} turns over all their medals", seat=seat)
            return (
                translate(lang, "{seat} turns {n} to Spiral", gold or spiral, seat=seat)
                if gold
                else translate(lang, "{seat} turns {n} to Gold", gold or spiral, seat=seat)
            )
        case ev.MedalsMoved(source, target, gold, spiral, cause):
            what = format_medals(lang, gold, spiral)
            one, two = (seat_name(names, each) if each >= 0 else "" for each in (source, target))
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
        case ev.StarsSpent(joker, _):
            return translate(
                lang,
                "{seat} announces {joker}",
                seat=seat,
                joker=rules.joker_by_id(joker).localized_name(lang),
            )
        case ev.StarsMoved(_, number):
            return ntranslate(lang, "{seat} takes {n} star", "{seat} takes {n} stars", number, seat=seat)
        case ev.JokerPassed(able):
            return (
                translate(lang, "{seat} passes", seat=seat)
                if able
                else translate(lang, "{seat} has no joker to announce", seat=seat)
            )
        case ev.FirstSpeakerChosen():
            return translate(lang, "{seat} speaks first", seat=seat)
        case ev.SecondClashStarted():
            return translate(lang, "a new clash")
        case ev.DefaultDeclared(why, need, have):
            text = translate(lang, DEFAULT_TEXTS[why], need=need, have=have)
            return translate(lang, "{seat} is in Default: {why}", seat=seat, why=text)
    return ""


def format_price(joker: Joker, lang: str) -> str:
    """Return the price of a joker in medals, e.g. "2 Gold"."""
    return format_medals(lang, *joker.price)


def format_cost(joker: Joker, lang: str) -> str:
    """Return the cost of a joker in stars and medals, e.g. "1 star, 1 Gold"."""
    return ntranslate(
        lang, "{n} star, {price}", "{n} stars, {price}", joker.stars, price=format_price(joker, lang)
    )


def describe_effect(rules: MedalRules, joker: Joker, lang: str) -> str:
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
        what=format_medals(lang, *joker.take),
        more=format_medals(lang, *joker.back),
        most=rules.medals,
    )


def move_details(rules: MedalRules, move: Move, lang: str) -> str:
    """Return the cost and the effect of a joker on two lines, or "" for a move that doesn't announce a joker."""
    if move.kind != "joker":
        return ""
    joker = rules.joker_by_id(move.text)
    return translate(
        lang, "{price}\n{effect}", price=format_cost(joker, lang), effect=describe_effect(rules, joker, lang)
    )


def describe_spot(rules: MedalRules, view: State, spot: str, lang: str, names: Sequence[str]) -> str:
    """Describe what is at a spot, or return "" if the joker or the kind of spot is unknown.

    Examples of spots are "gold 1 3", "stars 2 1", "dice 1", "lost" (the discard), "number 9" and "joker mirror". For
    "gold", "spiral", "stars", "laid" and "dice", the first number is the seat, counted from 1; a second number is
    ignored.
    """
    kind, *rest = spot.split()
    if kind == "joker":
        row = next((joker for joker in rules.jokers if joker.id == rest[0]), None)
        if row is None:
            return ""
        effect = describe_effect(rules, row, lang)
        return translate(
            lang,
            "{joker} ({price}): {effect}",
            joker=row.localized_name(lang),
            price=format_cost(row, lang),
            effect=effect,
        )
    if kind == "number":
        faces = "+".join(map(str, rules.dice_faces[int(rest[0]) - 1]))
        return translate(lang, "{n}, shown as {faces}", int(rest[0]), faces=faces)
    if kind == "lost":
        return translate(lang, "discard: {n} (medals that were lost or paid)", view.discarded_medals)
    if kind not in ("gold", "spiral", "stars", "laid", "dice"):
        return ""
    seat = int(rest[0]) - 1
    if kind == "dice":
        shown = view.shown_numbers[seat]
        return (
            translate(lang, "{seat}'s dice: {n}", shown, seat=seat_name(names, seat))
            if shown
            else translate(lang, "{seat}'s dice: no number yet", shown, seat=seat_name(names, seat))
        )
    number = {"gold": view.gold, "spiral": view.spiral, "stars": view.stars, "laid": view.spent_stars}[kind][
        seat
    ]
    return translate(lang, SPOT_TEXTS[kind], number, seat=seat_name(names, seat))


def describe_move(
    rules: MedalRules, before: State, move: Move, events: Sequence[Event], lang: str, names: Sequence[str]
) -> str:
    """Return the log text for a move and its effects.

    Examples are "Set 7: against 5, Ben loses 2 Gold" and "Announce Reserve".
    """
    choice, effects = _describe_past_move(rules, before, move, lang), list[str]()
    for event in events:
        match event:
            case ev.NumbersRevealed(numbers):
                other = numbers[1 - move.seat if move.seat >= 0 else 1 - before.deciding_seats[0]]
                effects.append(translate(lang, "against {n}", other))
            case (
                ev.JokerPassed() | ev.StarsSpent() | ev.FirstSpeakerChosen() | ev.MedalsTurned(cause="clash")
            ):
                pass
            case _:
                effects.append(describe_event(rules, event, lang, names))
    what = ", ".join(filter(None, effects))
    return translate(lang, "{choice}: {what}", choice=choice, what=what) if what else choice


def summarize_events(
    rules: MedalRules, view: State, events: Sequence[Event], lang: str, names: Sequence[str]
) -> str:
    """Summarize ``events`` in one sentence, or return "" if there is nothing to report.

    If any medals were moved or turned, the sentence ends with the medal counts in ``view``. It may begin like this:
    "Aiko sets 7, Ben 5: Aiko turns 7 to Spiral, Ben loses 2 Gold; …".
    """
    parts: list[tuple[str, list[str]]] = []
    touched = False
    for event in events:
        match event:
            case ev.NumbersRevealed(numbers=(first, second)):
                one, two = seat_name(names, 0), seat_name(names, 1)
                parts.append(
                    (
                        translate(
                            lang, "{first} sets {n}, {second} {m}", first, m=second, first=one, second=two
                        ),
                        [],
                    )
                )
            case ev.JokerUsed(joker):
                row = rules.joker_by_id(joker)
                called = translate(
                    lang, "{joker} ({price})", joker=row.localized_name(lang), price=format_cost(row, lang)
                )
                parts.append(
                    (
                        translate(
                            lang, "{seat} uses {joker}", seat=seat_name(names, event.seat), joker=called
                        ),
                        [],
                    )
                )
            case ev.StarsSpent() | ev.FirstSpeakerChosen() | ev.JokerPassed(False):
                pass
            case ev.MedalsMoved(cause="price"):
                touched = True
            case _:
                event_text = describe_event(rules, event, lang, names)
                touched = touched or isinstance(event, ev.MedalsMoved | ev.MedalsTurned)
                if event_text and parts and not isinstance(event, ev.JokerPassed | ev.SpiralEnded):
                    parts[-1][1].append(event_text)
                elif event_text:
                    parts.append((event_text, []))
    found = [
        translate(lang, "{what}: {then}", what=what, then=", ".join(then)) if then else what
        for what, then in parts
    ]
    if touched:
        counts_preview = CountsPreview(view.gold, view.spiral, view.stars)
        found.append(format_counts(counts_preview, lang, names))
    return translate(lang, "; ").join(found)


def format_faces(rules: MedalRules, number: int) -> str:
    """Return the two dice faces that show ``number``, as text such as "1+4"."""
    return "+".join(map(str, rules.dice_faces[number - 1]))


def table_lines(rules: MedalRules, view: State, lang: str, names: Sequence[str]) -> list[str]:
    """Return ``view`` as lines of text.

    The lines show the current Spiral, both seats, the discard and, after the first clash, the dice. They also show any
    visible numbers set for the pending clash, and the jokers announced. While a joker can be announced, the lines also
    list all jokers, each with its cost and with the outcome of announcing it or the reason why it can't be announced.
    """
    result = [
        translate(lang, "Spiral {n} of {most}", view.turn + (view.result is None), most=rules.max_spirals)
    ]
    for seat in range(view.seats):
        stars = ntranslate(lang, "{n} star", "{n} stars", view.stars[seat])
        line = translate(
            lang,
            "{seat}: {gold} Gold, {spiral} Spiral, {stars}",
            seat=seat_name(names, seat),
            gold=view.gold[seat],
            spiral=view.spiral[seat],
            stars=stars,
        )
        result.append(
            line
            + (
                ntranslate(
                    lang,
                    ", {n} star spent in this Spiral",
                    ", {n} stars spent in this Spiral",
                    view.spent_stars[seat],
                )
                if view.spent_stars[seat]
                else ""
            )
        )
    result.append(translate(lang, "discard: {n}", view.discarded_medals))
    if all(view.shown_numbers):
        first, second = view.shown_numbers
        result.append(
            translate(
                lang,
                "dice: {first} {n} ({faces}), {second} {m} ({others})",
                first,
                m=second,
                first=seat_name(names, 0),
                second=seat_name(names, 1),
                faces=format_faces(rules, first),
                others=format_faces(rules, second),
            )
        )
    for seat, bid in enumerate(view.secret_numbers):
        if bid > 0:
            result.append(
                translate(
                    lang,
                    "{seat} has set {n} ({faces})",
                    bid,
                    seat=seat_name(names, seat),
                    faces=format_faces(rules, bid),
                )
            )
    for number, id in enumerate(view.announced_jokers):
        joker_name = rules.joker_by_id(id).localized_name(lang) if id else translate(lang, "no joker")
        result.append(
            translate(
                lang, "{seat}: {joker}", seat=seat_name(names, view.speaking_seat(number)), joker=joker_name
            )
        )
    if view.decision_kind == "joker" and view.to_move is not None:
        seat = view.to_move
        for joker in rules.jokers:
            no = explain_unmet_condition(rules, view, seat, joker, lang, names)
            text = no or describe_joker_outcome(rules, view, seat, joker, lang, names)
            price = ntranslate(
                lang,
                "{n} star, {price}",
                "{n} stars, {price}",
                joker.stars,
                price=format_price(joker, lang),
            )
            result.append(
                f"  {'·' if no else '*'} {joker.id} ({joker.localized_name(lang)}, {price}): {text}"
            )
    return result


def reasons_for(
    rules: MedalRules, gold: Sequence[int], move: Move, seat: int, seat_name: Callable[[int], Message | str]
) -> Iterator[Message]:
    """Yield the reasons for ``seat`` to make ``move``, given the Gold of both seats.

    ``seat_name`` is a function that returns the name of a seat. Nothing is yielded unless the move sets a number.
    """
    if move.kind != "bid":
        return
    other = seat_name(1 - seat)
    answers = rules.legal_numbers(gold[1 - seat])
    higher = sum(move.number > answer for answer in answers)
    if higher and higher == len(answers):
        yield Message(P_("why.medals.highest", "is higher than any number {who} can set"), who=other)
    elif higher:
        yield Message(
            P_("why.medals.higher", "is higher than {n} of the {of} numbers {who} can set"),
            n=higher,
            of=len(answers),
            who=other,
        )
    if move.number > 1 and [_is_safe(rules, gold, seat, move.number - less) for less in (1, 0)] == [
        False,
        True,
    ]:
        yield Message(
            P_("why.medals.pays", "is the lowest number that avoids Default, whatever {who} sets"), who=other
        )


def _is_safe(rules: MedalRules, gold: Sequence[int], seat: int, number: int) -> bool:
    """Return whether ``number`` is legal for ``seat`` and safe from Default in a clash.

    A number is safe if it can't put ``seat`` in Default, whatever legal number the opponent sets. ``gold`` is the
    number of Gold medals of each seat. Default at the end of the Spiral is not considered.
    """
    if number not in rules.legal_numbers(gold[seat]):
        return False
    for answer in rules.legal_numbers(gold[1 - seat]):
        _, faults = resolve_clash(rules, gold, (number, answer) if seat == 0 else (answer, number))
        if any(fault.seat == seat for fault in faults):
            return False
    return True
