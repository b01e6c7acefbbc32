"""Status line of a match page, and spoken answers to questions about the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from shibumi3d.i18n import _, language, localize_texts, ngettext
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, HEADING_PX, SMALL_TEXT_PX, Style
from shibumi3d.wording import describe_seat, game_title, variant_title

from ...match import visibility
from ..host.settings import BEST_RUNS
from ..ui import icons
from ..ui.accessibility import BoardElement
from ..ui.canvas import Canvas
from ..ui.prose import ExplainedSentence
from .players import MatchPageInterface

if TYPE_CHECKING:
    from shibumi3d.match.match import Match
    from shibumi3d.rules.game import Move, State


MIN_SENTENCE_WIDTH_PX = 220.0
"""Minimum width of the sentence, in logical pixels.

If there is less room, the text beside the game's name and, if necessary, the name itself are left out.
"""


class AnswersOwner(Protocol):
    """Page whose table the user can ask questions about."""

    match: Match
    names: list[str]

    def show_note(self, sentence: str) -> None:
        """Show a message that isn't about a particular place on the table."""

    def active_spot_key(self) -> str:
        """Return the key of the item under the pointer or the keyboard cursor, or an empty string if there is none."""

    def board_elements(self) -> Sequence[BoardElement]:
        """Return the items on the table."""


class StatusLine(ExplainedSentence):
    """Status line that shows the name of the game, whose turn it is, and what to do."""

    is_static = True

    def __init__(self, page: MatchPageInterface) -> None:
        super().__init__("status")
        self.page = page

    def sentence(self) -> str:
        """Return a sentence that says whose turn it is and what to do, or that the match is over.

        If an earlier position is shown, the sentence says which turn led to it, or that it comes before the first turn.
        Otherwise, it is empty while choices are suspended. While secret choices are being revealed, it says that
        everyone has chosen.
        """
        page, model, state = self.page, self.page.model, self.page.match.state
        if not model.is_live:
            ply = model.cursor
            return (
                _("After turn {turn}", turn=page.match.plies[ply - 1].turn + 1)
                if ply
                else _("Before the first turn")
            )
        if model.suspended:
            return ""
        if model.is_revealing:
            return _("Everyone has chosen")
        if state.to_move is None:
            return _("The match is over")
        if model.response_seats:
            everybody = page.match.game.observe(state, None)
            return capitalize_first(page.match.game.describe_decision(everybody, language(), page.names))
        if model.choosing_seat is None:
            return page.computer_players.status_text().removesuffix(".") + self._phase_text()
        asked = page.actions.prompt()
        if len(page.names) == 1:
            return capitalize_first(asked) + self._phase_text()
        secretly = state.decision is not None and state.decision.visibility == "hidden"
        who = page.names[model.choosing_seat]
        text = (
            _("{who} to move in secret – {asked}", who=who, asked=asked)
            if secretly
            else _("{who} to move – {asked}", who=who, asked=asked)
        )
        return text + self._phase_text()

    def _phase_text(self) -> str:
        """Return the end of the status line: the number of the game in its series and the name of the phase.

        The number is left out if the match isn't a series, and the name if there is no phase.
        """
        facts, state, text = self.page.model.facts, self.page.match.state, ""
        if facts.is_series:
            text += (
                _(" · game {number} of {games}", number=state.game_number, games=facts.games_in_series)
                if facts.games_in_series
                else _(" · game {number}", number=state.game_number, games=facts.games_in_series)
            )
        if 0 <= state.phase < len(facts.phases):
            text += _(" · {phase}", phase=localize_texts(facts.phases[state.phase]))
        return text

    def seed_text(self) -> str:
        """Return the text beside the game's name: the variant, the seed, and the best run if the user wants it.

        The variant and the best run are shown only in solo games. The seed, with which the same deal can be played
        again, is shown only in games with a solver and with chance.
        """
        page, facts = self.page, self.page.model.facts
        parts = [_("seed {seed}", seed=page.match.seed)] if facts.solver and facts.has_chance else []
        if len(page.names) == 1 and page.match.game.variant:
            parts.insert(0, variant_title(page.match.game, page.match.game.variant))
        if len(page.names) == 1 and page.app.settings.best_run != BEST_RUNS[0]:
            parts += self._best_run_parts()
        return " · ".join(parts)

    def _best_run_parts(self) -> list[str]:
        """Return texts with the result of the best run on the deal and, if known, the time that it took.

        The result is the score or, in games without scores, the number of turns. The list is empty if there is no run.
        """
        found = self.page.app.results.solo.best_run(self.page.match)
        deal, run = found if found is not None else (None, None)
        if deal is None or run is None:
            return []
        if deal.best is not None:
            parts = [_("your best: {n}", n=run.score)]
        else:
            parts = [ngettext("your best: {n} turn", "your best: {n} turns", len(run.turns))]
        if run.seconds is not None:
            minutes, seconds = divmod(round(run.seconds), 60)
            parts.append(f"{minutes}:{seconds:02}")
        return parts

    @property
    def symbol_seat(self) -> int | None:
        """Seat whose symbol is drawn before the sentence, or None if none is drawn."""
        model = self.page.model
        if not model.can_choose or model.response_seats or len(self.page.names) == 1:
            return None
        return model.choosing_seat if model.choosing_seat is not None else model.first_choosing_computer

    def paint_key(self) -> object:
        return self.sentence(), self.seed_text(), self.symbol_seat, self.page.rect, self.page.is_zen_mode

    def paint(self, canvas: Canvas, style: Style) -> None:
        page, left, end = self.page, self.rect.x, self.rect.right
        title, text = game_title(page.entry), self.sentence()
        if page.is_zen_mode:
            self._paint_floating(canvas, style, text)
            return
        wide = canvas.text_width(title, "title", HEADING_PX - 2) + 24
        if end - left - wide < MIN_SENTENCE_WIDTH_PX:
            # The sentence matters more than the name.
            wide = 0.0
        else:
            space = Rect(left, self.rect.y, wide, self.rect.h)
            canvas.text_in(space, title, style.ink, "title", HEADING_PX - 2)
            seed = self.seed_text()
            more = canvas.text_width(seed, "sans", SMALL_TEXT_PX) + 16 if seed else 0.0
            if seed and end - left - wide - more >= MIN_SENTENCE_WIDTH_PX:
                place = Rect(left + wide - 8, self.rect.y + 2, more, self.rect.h)
                canvas.text_in(place, seed, style.secondary_ink, "sans", SMALL_TEXT_PX)
                wide += more
        long = canvas.text_width(text, "bold", BODY_TEXT_PX + 1) + 28
        begin = max(left + wide, min(page.rect.cx - long / 2, end - long))
        if self.symbol_seat is not None:
            icons.draw_seat_symbol(canvas, self.symbol_seat, begin + 9, self.rect.cy, style.action, 8)
            begin += 26
        place = Rect(begin, self.rect.y, end - begin, self.rect.h)
        self.draw_sentence(canvas, place, text, style.ink, "bold", BODY_TEXT_PX + 1)

    def _paint_floating(self, canvas: Canvas, style: Style, text: str) -> None:
        """Paint the sentence ``text`` and the seat symbol, if there is one, on a card over the table."""
        sign = 26.0 if self.symbol_seat is not None else 0.0
        long = min(canvas.text_width(text, "bold", BODY_TEXT_PX + 1) + sign + 24, self.page.rect.w - 16)
        box = self.page.rect.centred(long, 32)
        box = Rect(box.x, self.rect.cy - 16, box.w, box.h)
        if text:
            self.draw_card(canvas, style, box)
        if self.symbol_seat is not None:
            icons.draw_seat_symbol(canvas, self.symbol_seat, box.x + 21, box.cy, style.action, 8)
        place = Rect(box.x + 12 + sign, box.y, box.w - 24 - sign, box.h)
        self.draw_sentence(canvas, place, text, style.ink, "bold", BODY_TEXT_PX + 1)


class SpokenAnswers:
    """Spoken answers to questions about the table; each question has its own function key.

    F4 describes the item pointed at. If nothing is pointed at, each press of F4 describes the next level. F8 gives the
    number of choices, and each further press describes the next choice.
    """

    def __init__(self, page: AnswersOwner) -> None:
        self._page = page
        self._last_choice: tuple[object, int] = (None, 0)
        """Key of the position in which F8 was last pressed, and the number of the choice described, or 0 for none."""
        self._last_level: tuple[object, int] = (None, 0)
        """Key of the position in which a level was last described, and the index of that level."""

    def bindings(self) -> Mapping[str, Callable[[], None]]:
        """Return the key bindings.

        They are F3 (last move), F4 (item pointed at), F7 (what the player owns), F8 (choices) and F9 (time).
        """
        asked = {
            "f3": self.describe_last_move,
            "f4": self.describe_pointed,
            "f7": self.describe_own_things,
            "f8": self.describe_choices,
            "f9": self.describe_time,
        }
        return {key: lambda answer=answer: self._page.show_note(answer()) for key, answer in asked.items()}  # type: ignore[misc]  # mypy infers no default

    def describe_pointed(self) -> str:
        """Describe the item pointed at, the lines through it, and what else is on its level.

        If nothing is pointed at, describe a whole level instead, and the next level on each further call.
        """
        things, key = self._page.board_elements(), self._page.active_spot_key()
        pointed = next((thing for thing in things if thing.key == key), None)
        group = pointed.group if pointed is not None else self._next_level(things)
        beside = [
            thing.name
            for thing in things
            if thing.group == group and thing is not pointed and thing.is_object
        ]
        # Items with the same name share one description, which says how many there are.
        others = "; ".join(dict.fromkeys(beside))
        if not others and pointed is not None and pointed.is_object:
            others = _("nothing else")
        elif not others:
            others = _("empty") if group else _("nothing")
        first = (
            [pointed.name, pointed.action_text, *map(capitalize_first, pointed.line_texts)]
            if pointed is not None
            else []
        )
        level = (
            _("{level}: {told}", level=capitalize_first(group), told=others)
            if group
            else capitalize_first(others)
        )
        return ". ".join([*filter(None, first), level])

    def describe_choices(self) -> str:
        """Return the number of choices or, on further calls in the same position, a description of the next choice.

        After the last choice, the next call returns the number again. If there are no choices, return whose turn it is,
        or why nobody is to move.
        """
        moves, place = self.legal_moves(), self.position_key()
        if not moves:
            return self.describe_turn_to_move()
        asked, number = self._last_choice
        number = number + 1 if asked == place and number + 1 <= len(moves) else 0
        self._last_choice = place, number
        if not number:
            return ngettext("{n} choice", "{n} choices", len(moves))
        text = self._page.match.game.move_label(
            self.chooser_observation(), moves[number - 1], language(), self._page.names
        )
        return _("{number} of {of}: {told}", number=number, of=len(moves), told=capitalize_first(text))

    def _next_level(self, elements: Sequence[BoardElement]) -> str:
        places = [thing for thing in elements if thing.is_object or thing.line_texts]
        groups = list(dict.fromkeys(thing.group for thing in places)) or [""]
        asked, number = self._last_level
        self._last_level = (
            self.position_key(),
            (number + 1) % len(groups) if asked == self.position_key() else 0,
        )
        return groups[self._last_level[1]]

    def describe_seat(self, observation: State, seat: int) -> str:
        """Describe a seat in ``observation``: what belongs to it, its goal, the pieces it has left, and its score."""
        return describe_seat(self._page.match.game, observation, seat, self._page.names)

    # Overridden by each kind of page

    def position_key(self) -> object:
        """Return a key that identifies the position shown."""
        raise NotImplementedError

    def legal_moves(self) -> Sequence[Move]:
        """Return the moves that can be chosen now, or an empty sequence if there are none or they must stay secret."""
        raise NotImplementedError

    def chooser_observation(self) -> State:
        """Return the state, limited to what the seat that must choose may know."""
        raise NotImplementedError

    def describe_turn_to_move(self) -> str:
        """Return whose turn it is, or why nobody is to move."""
        raise NotImplementedError

    def describe_last_move(self) -> str:
        """Return a description of the last move, including who made it."""
        raise NotImplementedError

    def describe_own_things(self) -> str:
        """Return a description of the player's seat or, if the match isn't being played, of every seat.

        Each seat is described by :meth:`describe_seat`.
        """
        raise NotImplementedError

    def describe_time(self) -> str:
        """Return whose turn it is, and the remaining time of each player who has a clock."""
        raise NotImplementedError


class MatchAnswers(SpokenAnswers):
    """Spoken answers about a match that is being played.

    F7 describes the seat of the person who must choose or, if no person must choose, the seat from whose side the table
    is shown.
    """

    def __init__(self, page: MatchPageInterface, status_line: StatusLine) -> None:
        super().__init__(page)
        self.page, self._status_line = page, status_line

    def position_key(self) -> object:
        return self.page.model.cursor

    def legal_moves(self) -> Sequence[Move]:
        model = self.page.model
        return self.page.actions.legal_moves() if model.can_choose and model.choosing_seat is not None else ()

    def chooser_observation(self) -> State:
        return self.page.model.chooser_observation()

    def describe_turn_to_move(self) -> str:
        return self._status_line.sentence()

    def describe_last_move(self) -> str:
        page, model = self.page, self.page.model
        number = model.cursor - 1
        if number < 0:
            return _("Nothing has been played yet")
        if model.is_ply_hidden(number):
            return _("{who} chose in secret", who=page.names[page.match.plies[number].seat])
        return page.describe_move(number)

    def describe_own_things(self) -> str:
        model = self.page.model
        return self.describe_seat(
            model.observation,
            model.choosing_seat if model.choosing_seat is not None else model.perspective_seat,
        )

    def describe_time(self) -> str:
        page = self.page
        clocks = [(name, page.clocks.time_text(seat)) for seat, name in enumerate(page.names)]
        times = [_("{who}: {did}", who=name, did=line) for name, line in clocks if line]
        return ". ".join([self._status_line.sentence(), *times])


class PositionAnswersOwner(AnswersOwner, Protocol):
    """Page that shows a position of a match that isn't being played."""

    @property
    def at_ply(self) -> int:
        """Number of moves made before the position shown."""

    @property
    def viewer(self) -> int | None:
        """Viewer, in the form accepted by :func:`shibumi3d.match.visibility.observe`."""

    @property
    def state(self) -> State:
        """Complete state of the position, including hidden information."""

    def caption(self) -> str:
        """Return a caption for the position, such as a description of the last move or instructions for editing."""


class PositionAnswers(SpokenAnswers):
    """Spoken answers about a position in a match that isn't being played.

    F7 describes every seat, not just one of them.
    """

    def __init__(self, page: PositionAnswersOwner) -> None:
        super().__init__(page)
        self.page = page

    def position_key(self) -> object:
        return self.page.at_ply, self.page.match

    def _observe(self) -> State:
        return visibility.observe(self.page.match.game, self.page.state, self.page.viewer)

    def legal_moves(self) -> Sequence[Move]:
        page, game, state = self.page, self.page.match.game, self.page.state
        # If the seat to move knows more than the viewer, its choices would give secrets away.
        if state.to_move is None or (
            page.viewer is not None and self.chooser_observation() != self._observe()
        ):
            return ()
        return game.moves(state, state.to_move)

    def chooser_observation(self) -> State:
        return self.page.match.game.observe(self.page.state, self.page.state.to_move)

    def describe_turn_to_move(self) -> str:
        seat = self.page.state.to_move
        if seat is None:
            return _("The match is over")
        asked = self.page.match.game.describe_decision(self._observe(), language(), self.page.names)
        return _("{who} to move – {asked}", who=self.page.names[seat], asked=asked)

    def describe_last_move(self) -> str:
        return self.page.caption()

    def describe_own_things(self) -> str:
        view = self._observe()
        return ". ".join(self.describe_seat(view, seat) for seat in range(len(self.page.names)))

    def describe_time(self) -> str:
        return self.describe_turn_to_move()
