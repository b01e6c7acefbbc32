"""Matches in the terminal, with the levels side by side and one line of input for each move."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from shibumi3d.app import secret_reveals
from shibumi3d.app.board_descriptions import describe_boards
from shibumi3d.files import expand_path
from shibumi3d.i18n import P_, _, language, localize, ngettext, shorten
from shibumi3d.match import visibility
from shibumi3d.match.clock import format_clock
from shibumi3d.match.marbles import marble_moves, marble_state
from shibumi3d.match.match import Match
from shibumi3d.match.record import RecordError
from shibumi3d.match.special_moves import SWAP, TIME_UP, can_swap, group_by_turn, is_swapped, original_seats
from shibumi3d.rules.errors import IllegalMove, RuleFailure
from shibumi3d.rules.marbles.facts import MarbleFacts
from shibumi3d.rules.marbles.move import normalize_notation, spell_out_side
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.wording import (
    describe_result,
    describe_seat,
    describe_turns,
    describe_visible_plies,
    translated_rules,
)

if TYPE_CHECKING:
    from shibumi3d.rules.game import State
    from shibumi3d.search.players import Player


COMMAND_TEXTS = {
    "undo": P_("command", "undo"),
    "redo": P_("command", "redo"),
    "back": P_("command", "back"),
    "forward": P_("command", "forward"),
    "moves": P_("command", "moves"),
    "hint": P_("command", "hint"),
    "explain": P_("command", "explain"),
    "last": P_("command", "last"),
    "mine": P_("command", "mine"),
    "may": P_("command", "may"),
    "here": P_("command", "here"),
    "clocks": P_("command", "clocks"),
    "save": P_("command", "save"),
    "help": P_("command", "help"),
    "quit": P_("command", "quit"),
    "rules": P_("command", "rules"),
    "end": P_("command", "end"),
}
"""Commands that can be typed instead of a move. They are also understood in the current language."""
FORMER_COMMANDS = {"tell": "explain", "dire": "explain"}
"""Current names of commands, by their former names, which still work; "dire" was the French "tell"."""

HINT_LEVEL = "mountain"
"""Level of the computer player that gives hints."""
PRIVACY_LINES = 60
"""Number of empty lines that hide what the previous player saw."""
POINT_AT_END = re.compile(r"(?:(?<!\w)\w++\.)?[A-J][a-j]\d+$")
"""Pattern for a point at the end of a text, including the name of its board if there are several boards."""
_NAME_CHARACTER = re.compile(r"[\w.]")
"""Pattern for a character that, right before a point, shows that the point is only the end of a longer name."""


def format_turns(match: Match, viewer: int | None) -> Iterator[str]:
    """Yield a line for each turn made so far.

    Each line gives the number of the turn, the player and what ``viewer`` may know of the moves.
    """
    seats = original_seats(match)
    for turn, did in describe_turns(match, viewer):
        yield f"{turn[0].turn + 1:>3}  {seats[turn[0].seat].name}: {did}"
        seats = seats[::-1] if turn[0].move == SWAP else seats


def play(
    match: Match,
    ask: Callable[[str], str],
    say: Callable[[str], None],
    computers: Mapping[int, Player] = MappingProxyType({}),
    now: Callable[[], float] = time.monotonic,
) -> None:
    """Play ``match`` in the terminal until the player quits or the input ends.

    Input is still read after the end of the match, so that turns can be undone. ``ask`` prints a prompt and returns a
    line; it raises EOFError at the end of the input. ``computers`` maps seats to the computer players in them; the
    seats are numbered as they were before any swap. ``now`` returns the time in seconds, for matches with clocks.
    """
    try:
        _play_loop(match, ask, say, computers, now)
    except EOFError:
        say("")


def _play_loop(
    match: Match,
    ask: Callable[[str], str],
    say: Callable[[str], None],
    computers: Mapping[int, Player],
    now: Callable[[], float],
) -> None:
    """Run the main loop of :func:`play`. Raises EOFError at the end of the input."""
    shown: tuple[State, bool] | None = None
    problem = None
    first, after = computers, {1 - seat: player for seat, player in computers.items()}
    while True:
        state, swapping = match.state, is_swapped(match)
        names = tuple(match.names)
        computers = after if swapping else first
        chooser = next(
            (seat for seat in (state.decision.seats if state.decision else ()) if seat in computers), None
        )
        if chooser is not None:
            start_time = now()
            did = _choose_for_computer(match, chooser, computers[chooser], names, say)
            if not _deduct_time(match, chooser, now() - start_time, names, ask):
                did()
            continue
        if shown != (state, swapping):
            _print_position(match, names, ask, say, computers)
            shown = (state, swapping)
        seat = state.to_move
        prompt = f"{names[seat]} > " if seat is not None else "> "
        start_time = now()
        line = ask(prompt).strip()
        if seat is not None and _deduct_time(match, seat, now() - start_time, names, ask):
            continue
        line = _translate_command(line, match)
        if line in ("quit", "q", "exit"):
            return
        answer = _run_command(match, line, computers)
        if answer:
            say(answer)
        if match.autosave_problem != problem:
            problem = match.autosave_problem
            say(f"{capitalize_first(localize(problem))}." if problem else _("The game is being saved again."))


def _deduct_time(
    match: Match, seat: int, seconds: float, names: tuple[str, ...], ask: Callable[[str], str]
) -> bool:
    """Deduct ``seconds`` from the clock of ``seat``, if the match has clocks; return whether the match was ended.

    If the seat is to move and its time has just run out, the player is asked whether to end the match.
    """
    clock = match.clock
    if clock is None or not clock.deduct(seat, seconds) or seat != match.state.to_move:
        return False
    if (
        _to_english(
            ask(
                _(
                    "{name} has run out of time. Type 'end' to end the match, or press Enter to keep playing: ",
                    name=names[seat],
                )
            ).strip()
        )
        != "end"
    ):
        return False
    match.play(TIME_UP)
    return True


def _choose_for_computer(
    match: Match, seat: int, computer: Player, names: tuple[str, ...], say: Callable[[str], None]
) -> Callable[[], None]:
    """Let the computer choose a move, and return a function that plays and announces it.

    The announcement reveals only public information.
    """
    move = _computer_choice(match, seat, computer)

    def play_move() -> None:
        match.play(move, seat)
        hidden = visibility.hidden_plies(match, match.plies, visibility.ALL_SEATS)
        say(
            f"{names[seat]}: {describe_visible_plies(match, [len(match.plies) - 1], hidden, visibility.ALL_SEATS)}"
        )
        if shown := describe_reveals(match):
            say(shown)

    return play_move


def _computer_choice(match: Match, seat: int, computer: Player) -> str:
    """Return the move, possibly :data:`.SWAP`, that the computer player chooses for a seat."""
    from shibumi3d.search.players import Budget

    state, game = match.state, match.game
    states = [match.initial_state, *[ply.state for ply in match.plies]]
    past = [game.observe(each, seat) for each in states[:-1] if each.step == 0]
    moves = [move.text for move in game.moves(state, seat)]
    budget = Budget(seconds=match.clock.thinking_seconds(seat)) if match.clock is not None else None
    chosen = computer.choose(
        game, game.observe(state, seat), budget, seat=seat, past_states=past, moves=moves
    )
    return SWAP if can_swap(match) and chosen.analysis.mean < 0.5 else chosen.move


def _print_position(
    match: Match,
    names: tuple[str, ...],
    ask: Callable[[str], str],
    say: Callable[[str], None],
    computers: Mapping[int, Player],
) -> None:
    """Print the board and the choices, limited to what the player to move may see.

    If several people play and the views of the seats differ, earlier output is first scrolled off, and the player to
    move is asked to press Enter. This isn't done if the last person who moved is the player to move. When the match is
    over, everything is shown, with the result.
    """
    state = match.state
    seat = state.to_move
    if seat is None:
        for line in match.game.table_lines(state, language(), names):
            say(line)
        say(describe_result(match))
        say(_("Type 'undo' to take back the last turn, or 'quit' to leave."))
        return
    seen = match.game.observe(state, seat)
    secrets = any(match.game.observe(state, other) != seen for other in range(len(names)))
    before = next((ply.seat for ply in reversed(match.plies) if ply.seat not in computers), None)
    if secrets and before != seat and len(computers) < len(names) - 1:
        # Another player was using the screen before.
        say("\n" * PRIVACY_LINES)
        ask(_("Only {name} should look now. Press Enter.", name=names[seat]))
    for line in match.game.table_lines(seen, language(), names):
        say(line)
    moves = match.legal_moves()
    own = " · ".join(match.game.describe_seat(seen, seat, language()))
    asked = match.game.describe_decision(seen, language(), names=names, moves=moves)
    place = _("turn {turn}", turn=state.turn + 1)
    if seen.step:
        place = _("turn {turn}, step {step}", turn=state.turn + 1, step=seen.step + 1)
    who = f"{names[seat]} ({own})" if own else names[seat]
    say(_("{place}: {name} to move – {asked}", place=place, name=who, asked=asked))
    if match.clock is not None:
        left = ", ".join(
            f"{name} {format_clock(match.clock.seconds_left[n])}" for n, name in enumerate(names)
        )
        say(_("time left: {left}", left=left))
    for line in format_choices([spell_out_side(move.text) for move in moves]):
        say(line)
    if can_swap(match):
        say(_("Type '{word}' to swap seats and take over the other player's first turn.", word=SWAP))


def format_choices(choices: list[str], width: int | None = None) -> list[str]:
    """Return lines that list ``choices``, numbered from 1, in as many columns as fit.

    ``width`` is in characters and defaults to that of the terminal.
    """
    width = shutil.get_terminal_size().columns if width is None else width
    cells = [f"{number:>3} {choice}" for number, choice in enumerate(choices, 1)]
    widest = max(map(len, cells), default=0)
    across = max(1, (width + 2) // (widest + 2))
    down = -(-len(cells) // across)
    return ["  ".join(cell.ljust(widest) for cell in cells[row::down]).rstrip() for row in range(down)]


def _to_english(word: str) -> str:
    """Return the English name of the command ``word``, or ``word`` itself if none is found.

    Translated and former names are recognized, and case is ignored.
    """
    typed = word.lower()
    return FORMER_COMMANDS.get(typed) or english_command(typed, COMMAND_TEXTS) or word


def english_command(word: str, texts: Mapping[str, str]) -> str:
    """Return the key of ``texts`` for a command typed in English or in the current language, or "" for other words."""
    return next((command for command, own in texts.items() if word in (command, _(own))), "")


def help_text() -> str:
    """Return the list of commands with explanations."""
    return _(
        "Type a move or its number, or one of these commands:\n  undo, redo        take back the "
        "last turn, or play it again\n  back, forward     the same, one move at a time\n  "
        "moves             the turns so far\n  rules             the rules of the game\n  explain "
        "MOVE      what a move would do, or why it isn't possible\n  hint              a good "
        "move\n  last, mine, may   the last turn; what you have; what you can do\n  here, here "
        "POINT  what is on the boards: everything, one level or one point\n  clocks            "
        "whose turn it is, and the time left\n  save FILE         save the game to a file\n  "
        "help              this text\n  quit              leave (the game is saved; to resume: "
        "shibumi3d play --text --resume)"
    )


def _translate_command(line: str, match: Match) -> str:
    """Return ``line`` with its command translated to English.

    A legal move and a line without a known command are returned unchanged.
    """
    word, blank, rest = line.partition(" ")
    command = _to_english(word)
    return line if command == word or line in map(str, match.legal_moves()) else command + blank + rest


def _run_command(match: Match, line: str, computers: Mapping[int, Player]) -> str:
    """Carry out a line of input and return the text to print.

    Undoing and redoing continue past the moves of the ``computers``.
    """
    word, _unused, rest = line.partition(" ")
    if word == "save" and rest:
        try:
            match.record().save(expand_path(rest))
        except RecordError as error:
            return shorten(localize(error))
        except OSError as error:
            return _("Couldn't save {path}: {problem}.", path=shorten(rest.strip()), problem=localize(error))
        return _("Saved as {path}.", path=shorten(rest.strip()))
    if line == "moves":
        return "\n".join(format_turns(match, match.state.to_move)) or _("No turn has been played yet.")
    if line in ("help", "?"):
        return help_text()
    if line == "hint":
        return _give_hint(match)
    if line in ("last", "mine", "may", "here", "clocks") or word == "here":
        return _answer_question(match, word, rest.strip())
    if line == "rules":
        return translated_rules(match.game.meta["rules"]) if match.game.meta else ""
    choices = [str(move) for move in match.legal_moves()]
    if line in ("undo", "back") and line not in choices:
        return _undo(match, line == "undo", computers)
    if line in ("redo", "forward") and line not in choices:
        step = match.redo_turn if line == "redo" else match.redo_step
        done = step()
        while match.state.to_move in computers and step():
            pass
        return "" if done else _("There is nothing to redo.")
    if not line:
        return help_text()
    if line not in choices and line.isdecimal() and len(line) < 10 and 1 <= int(line) <= len(choices):
        line = choices[int(line) - 1]
    if word == "explain" and rest:
        return _describe_move(match, rest.strip())
    matching = _choices_at_point(line, choices)
    if len(matching) > 1:
        return " ".join(
            (_("'{line}' could mean:", line=line), ", ".join(spell_out_side(choice) for choice in matching))
        )
    line = matching[0] if matching else line
    try:
        match.play(line if _is_answer(match, line) else normalize_notation(line))
    except IllegalMove as error:
        return _explain_illegal(match, line) or _(
            "{problem}. Type 'help' for a list of commands.", problem=shorten(localize(error))
        )
    except RuleFailure as error:
        return f"{shorten(localize(error))}."
    return describe_reveals(match)


def _answer_question(match: Match, question: str, point: str = "") -> str:
    """Return the answer to ``question`` for the seat to move.

    The question is "last" (the last turn), "here" (what is on the boards), "clocks" (who is to move, and the time
    left), "mine" (what the seat has) or "may" (what it can do). For "here", ``point`` limits the description of the
    boards; see :func:`_describe_boards`.
    """
    state, seat = match.state, match.state.to_move
    names = [each.name for each in match.seats]
    if question == "last":
        return [_("No turn has been played yet."), *format_turns(match, seat)][-1]
    if question == "here":
        return _describe_boards(
            match, state if seat is None else match.game.observe(state, seat), names, point
        )
    if seat is None:
        return _("The match is over")
    view = match.game.observe(state, seat)
    if question == "clocks":
        asked = match.game.describe_decision(view, language(), names, match.legal_moves())
        lines = [_("{who} to move – {asked}", who=names[seat], asked=asked)]
        left = match.clock.seconds_left if match.clock is not None else ()
        lines += [
            _("{who}: {did}", who=name, did=format_clock(time))
            for name, time in zip(names, left, strict=False)
        ]
        return "\n".join(lines)
    if question == "mine":
        return describe_seat(match.game, view, seat, names)
    moves = match.legal_moves()
    labels = [capitalize_first(match.game.move_label(view, move, language(), names)) for move in moves]
    return "\n".join([ngettext("{n} choice", "{n} choices", len(moves)), *labels])


def _describe_boards(match: Match, view: State, names: Sequence[str], point: str) -> str:
    """Describe the boards, or only the part selected by ``point``: a level, or a point and the lines through it.

    A table without marble boards is described as a whole. If nothing matches ``point``, an error message is returned
    instead.
    """
    facts = match.game.facts(len(names))
    if not isinstance(facts, MarbleFacts):
        return "\n".join(match.game.table_lines(view, language(), names))
    description = "\n".join(describe_boards(marble_state(view), names, facts.picks_up_marbles, point))
    return description or _("'{move}' is not possible now.", move=shorten(point))


def run_line(match: Match, line: str) -> str:
    """Carry out a line of input in a match without computer players; return the text to print."""
    return _run_command(match, line, {})


def describe_reveals(match: Match) -> str:
    """Describe the secret choices that the last move revealed, and their outcome.

    Choices that remain secret are left out. Returns "" if there is nothing to describe.
    """
    names = match.names
    if not secret_reveals.includes_reveal(match.plies[-1].events):
        return ""
    found = secret_reveals.public_reveal(match, match.plies, names)
    if found is None:
        return ""
    chose = (f"{names[one.seat]}: {' '.join(word for _, word in one.parts)}" for one in found.choices)
    return "\n".join([*chose, found.sentence]).strip()


def _give_hint(match: Match) -> str:
    """Return a good choice for the seat to move, with its effect and the reasons why it is good.

    Returns only :data:`.SWAP` if the choice is to swap seats, and "" if the match is over. The hint is counted in the
    match.
    """
    from shibumi3d.search.explanations import explain_move
    from shibumi3d.search.players import player

    seat = match.state.to_move
    if seat is None:
        return ""
    found = _computer_choice(match, seat, player(HINT_LEVEL, match.seed))
    with match.save_once():
        match.hints[seat] += 1
    if found == SWAP:
        return found
    names = [each.name for each in match.seats]
    why = explain_move(match.game, match.game.observe(match.state, seat), found, names=names)
    return "\n".join([_describe_move(match, found), *(f"  {localize(each)}" for each in why)])


def _choices_at_point(line: str, choices: list[str]) -> list[str]:
    """Return the choices that end with the point ``line``.

    A point includes the name of its board, if one is given: ``Aa1`` isn't the point ``left.Aa1``. The list is empty if
    ``line`` isn't a point, or if it is itself a choice.
    """
    if POINT_AT_END.fullmatch(line) is None or line in choices:
        return []
    return [
        choice
        for choice in choices
        if choice.endswith(line) and not _NAME_CHARACTER.match(choice[-len(line) - 1])
    ]


def _undo(match: Match, whole_turn: bool, computers: Mapping[int, Player]) -> str:
    """Undo moves, or whole turns if ``whole_turn`` is true, until a person is to move.

    The undoing also ends at the start of the match. Returns a message if nothing was undone, else "". Nothing is undone
    if one of the moves involved chance, revealed something or was another seat's secret.
    """
    cursor, looking = match.cursor, match.state.to_move
    if not cursor:
        return _("There is nothing to undo.")
    with match.save_once():
        while match.cursor:
            last = list(group_by_turn(match.plies))[-1] if whole_turn else match.plies[-1:]
            if visibility.is_undo_forbidden(match, last, looking):
                match.go_to(cursor)
                if any(event.blocks_undo for ply in last for event in ply.events):
                    return _("This can't be undone: something was drawn or revealed.")
                return _("This can't be undone: it was another player's secret choice.")
            match.go_to(match.cursor - len(last))
            if match.state.to_move not in computers:
                break
    return ""


def _is_answer(match: Match, line: str) -> bool:
    """Return whether ``line`` starts with the number of a seat that must decide now, as in ``3:let``.

    In lines of input, seats are counted from 1.
    """
    ask, (seat, sign, _) = match.state.decision, line.partition(":")
    return bool(sign) and seat.isdecimal() and ask is not None and int(seat[:9]) - 1 in ask.seats


def _describe_move(match: Match, line: str) -> str:
    """Describe the effect of the move given in ``line`` by its notation or number, or explain why it isn't possible."""
    seat = match.state.to_move
    moves = match.legal_moves()
    if line.isdecimal() and len(line) < 10 and 1 <= int(line) <= len(moves):
        line = moves[int(line) - 1].text
    move = next((move for move in moves if move.text == normalize_notation(line)), None)
    if move is not None and seat is not None:
        names = tuple(match.names)
        return (
            f"{match.game.describe_outcome(match.game.observe(match.state, seat), move, language(), names)}."
        )
    return _explain_illegal(match, line) or _("'{move}' is not possible now.", move=shorten(line))


def _explain_illegal(match: Match, line: str) -> str:
    """Explain why no move is possible at the point at the end of ``line``.

    Returns "" if ``line`` doesn't end with a point, a move is possible there, no reason is known or the match is over.
    """
    state, game = match.state, match.game
    # The point is at the end. Searching a whole line of 100,000 characters would take minutes.
    found, seat, moves = POINT_AT_END.search(line[-200:]), match.state.to_move, match.legal_moves()
    if found is None or seat is None:
        return ""
    place_of = getattr(state, "parse_point", None)
    if place_of is None or any(
        (move.board, move.point) == place_of(found[0]) for move in marble_moves(moves)
    ):
        return ""
    names = tuple(each.name for each in match.seats)
    return game.explain_illegal(game.observe(state, seat), [found[0]], language(), names=names, moves=moves)
