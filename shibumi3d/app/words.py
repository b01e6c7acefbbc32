"""What the screen says: short sentences that name the marble."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.colour import COLOURS, LETTERS
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.pyramid import SIDES, pyramid

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.state import State

ASK = {
    "place": "choose a point",
    "enter": "choose where to enter",
    "take": "choose a marble to take",
    "lift": "choose a marble to lift",
    "set": "choose where it goes",
    "points": "choose marbles",
    "colour": "choose a colour",
    "seat": "choose a player",
    "number": "choose a number",
    "give": "choose a colour",
    "label": "choose what to do",
}
END = "or end the turn"
MOVE = re.compile(
    r"(?P<colour>[WBR])@(?P<at>\S+)|x(?P<take>\S+)|\^(?P<lift>\S+)|>(?P<set>\S+)"
    r"|(?P<entering>[WBR])>(?P<entry>\S+)/(?P<side>[WESN])|(?P<given>[WBR])!"
)


def listed(words: Sequence[str], last: str = "and") -> str:
    """The words as a list in a sentence."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def capital(text: str) -> str:
    """The sentence with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def ask(moves: Sequence[Move], asks_colour: bool = False, of_marbles: bool = True) -> str:
    """What the person to move is asked for. ``of_marbles``: sets of points that are picked are marbles."""
    kinds = dict.fromkeys(move.kind for move in moves)
    asked = list(dict.fromkeys(ASK[kind] for kind in ASK if kind in kinds))
    if asks_colour and "place" in kinds:
        asked[asked.index(ASK["place"])] = "choose a colour and a point"
    if "points" in kinds:
        masks = [move.value for move in moves if move.kind == "points"]
        one = all(mask.bit_count() == 1 for mask in masks)
        thing = "marble" if of_marbles else "point"
        asked[asked.index(ASK["points"])] = f"choose a {thing}" if one else f"choose {thing}s"
    labels = [move.label.replace("_", " ") for move in moves if move.kind == "label"]
    if 1 < len(labels) <= 3:
        asked[asked.index(ASK["label"])] = f"choose {listed(labels, 'or')}"
    words = listed([asked[0], *(text.removeprefix("choose ") for text in asked[1:])], "or") if asked else ""
    if "done" in kinds:
        return f"{words}, {END}" if words else "the turn may end here"
    if "pass" in kinds:
        return f"{words}, or pass" if words else "no move is left: pass"
    return words


def side(index: int) -> str:
    """The name of a side."""
    return SIDES[index]


def deed(move: Move, name: str) -> str:
    """What a choice is, on a button: used where one click could mean several things."""
    colour = COLOURS[move.colour] if move.colour >= 0 else ""
    return {
        "place": f"Place {colour}",
        "take": f"Take {name}",
        "lift": f"Lift {name}",
        "set": f"Set it on {name}",
        "enter": f"Enter from the {SIDES[move.side]}" if move.side >= 0 else "",
        "points": move.text,
        "colour": capital(move.text),
        "seat": capital(move.text),
        "number": move.text,
        "give": capital(colour),
        "label": capital(move.label.replace("_", " ")),
        "done": "End turn",
        "pass": "Pass",
    }[move.kind]


def consequences(events: Iterable[ev.Event], names: Sequence[str]) -> str:
    """What else a choice does, beyond the marble set down: "2 marbles drop, Ac1 is taken"."""
    drops = stacked = placed = pushed = 0
    parts: list[str] = []
    taken: list[str] = []
    dyed: list[str] = []
    for event in events:
        if isinstance(event, ev.Dropped | ev.SideDropped):
            drops += 1
        elif isinstance(event, ev.Pushed):
            pushed += 1
        elif isinstance(event, ev.Placed):
            placed += 1
            stacked += placed > 1
        elif isinstance(event, ev.Captured | ev.Removed):
            taken.append(names[event.point])
        elif isinstance(event, ev.Recoloured):
            dyed.append(f"{names[event.point]} becomes {COLOURS[event.after]}")
        elif isinstance(event, ev.Scored) and event.points:
            parts.append(f"{event.points:+d} point{'s' if abs(event.points) != 1 else ''}")
    counted = ((pushed, "pushed"), (drops, "drop"), (stacked, "stacked"))
    found = []
    for count, verb in counted:
        if count:
            noun = "marble" if count == 1 else "marbles"
            if verb == "drop":
                found.append(f"{count} {noun} {'drops' if count == 1 else 'drop'}")
            else:
                found.append(f"{count} {noun} {verb}")
    if taken:
        found.append(f"{listed(taken)} {'is' if len(taken) == 1 else 'are'} taken")
    return ", ".join(found + dyed[:2] + parts)


def tokens(move: str) -> list[tuple[int, str]]:
    """A move of the list as (colour index or -1, text): the colour is shown as a marble."""
    match = MOVE.fullmatch(move)
    if match is None:
        return [(-1, move)]
    part = match.groupdict()
    if part["at"]:
        return [(LETTERS.index(part["colour"]), part["at"])]
    if part["take"]:
        return [(-1, f"−{part['take']}")]
    if part["lift"]:
        return [(-1, f"{part['lift']} →")]
    if part["set"]:
        return [(-1, part["set"])]
    if part["entry"]:
        return [(LETTERS.index(part["entering"]), f"{part['entry']} from {part['side']}")]
    return [(LETTERS.index(part["given"]), "given")]


def told(events: Iterable[ev.Event], size: int, names: Sequence[str]) -> str:
    """One sentence about a move that was made. ``names`` are those of the seats."""
    points = pyramid(size).names
    main, drops = "", 0
    for event in events:
        if isinstance(event, ev.Dropped):
            drops += 1
        elif main:
            continue
        elif isinstance(event, ev.Placed):
            main = f"{COLOURS[event.colour]} on {points[event.point]}"
        elif isinstance(event, ev.Moved):
            main = f"{points[event.origin]} goes to {points[event.point]}"
        elif isinstance(event, ev.Lifted):
            main = f"{points[event.point]} is lifted"
        elif isinstance(event, ev.Removed | ev.Captured):
            main = f"{points[event.point]} is taken"
        elif isinstance(event, ev.Entered):
            main = f"{COLOURS[event.colour]} enters {points[event.point]} from the {SIDES[event.side]}"
        elif isinstance(event, ev.Given) and event.colour >= 0:
            main = f"{COLOURS[event.colour]} is handed over"
        elif isinstance(event, ev.Passed):
            main = f"{names[event.seat]} passes"
        elif isinstance(event, ev.Chose):
            main = f"{names[event.seat]} chooses {event.text}"
    if drops:
        main += f"{'; ' if main else ''}{drops} marble{'s drop' if drops > 1 else ' drops'}"
    return main


def ending(state: State, names: Sequence[str]) -> str:
    """Who won and why."""
    result = state.result
    if result is None:
        return ""
    winners = [names[seat] for seat in result.winners]
    why = f": {result.reason}" if result.reason else ""
    if len(names) == 1:
        return f"Won{why}" if winners else f"Not this time{why}"
    if not winners:
        return f"A draw{why}"
    if len(winners) == 1:
        return f"{winners[0]} wins{why}"
    return f"{listed(winners)} share the win{why}"
