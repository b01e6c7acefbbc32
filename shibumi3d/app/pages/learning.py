"""Page for learning: the first ten games, ideas that recur in many games, and a shelf of the games played."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from shibumi3d.catalogue.courses import FirstGame, Idea, load_first_games, load_ideas
from shibumi3d.catalogue.problems import count_problems
from shibumi3d.catalogue.shown_problems import find_problem, show_problem, tip_lessons
from shibumi3d.i18n import N_, _, language, localize_texts, ngettext
from shibumi3d.match.attempts import rating_history
from shibumi3d.match.results import FinishedMatch
from shibumi3d.rules.wording import join_words
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, CORNER_RADIUS_PX, SMALL_TEXT_PX, Style
from shibumi3d.search.levels import ADAPTIVE, LEVELS, PERSON, RANDOM, find_level, player_type_of
from shibumi3d.wording import game_title, translated_rules

from ..host.courses import GameCourse
from ..host.page import Page
from ..host.player_setup import human_names, name_players
from ..host.problems import problems_of_game
from ..ui.button import Button, layout_row, shrink_to_fit
from ..ui.canvas import Canvas
from ..ui.choice import Tabs
from ..ui.list_view import ListView
from ..ui.prose import FormattedText
from ..ui.widget import Key

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry

    from ..host import Host

LEARNING_TAB_TEXTS = {
    "path": N_("First ten games"),
    "ideas": N_("Ideas"),
    "shelf": N_("My shelf"),
}
TABS = tuple(LEARNING_TAB_TEXTS)
PATH_TAB, IDEAS_TAB, SHELF_TAB = range(len(TABS))
PATH_PROBLEMS = 5
"""Maximum number of problems that a step of the path offers."""
PART_TEXTS = {
    "idea": N_("the tips"),
    "win": N_("a win"),
    "solo": N_("one game"),
}
"""What the parts of a step are called in the list of what is still to be done; problems are counted instead."""
SHOWN_IDEAS_KEY = "first games"
"""Key for saving the IDs of the games whose tips have all been shown."""
ROW_HEIGHT_PX, NARROW_LIST_HEIGHT_PX = 46.0, 150.0
"""Height of a row, and height of the list if it is above the details."""
MAX_LIST_WIDTH_PX, MIN_WIDE_WINDOW_PX = 340.0, 760.0
"""Maximum width of the list, and the minimum window width at which it is beside the details."""
MIN_STACKED_HEIGHT_PX, MIN_LOW_WINDOW_PX = 320.0, 600.0
"""Height below which the list is beside the details if the window is at least as wide as the second value."""
GRAPH_HEIGHT_PX, MIN_GRAPH_RANGE = 90.0, 200
"""Height of the rating graph, and the minimum range of ratings that it covers."""


class GameRecord(NamedTuple):
    """Number of matches that the user has finished in one game, and how many of them the user won.

    A win after the program has shown the solution doesn't count as one.
    """

    played: int
    won: int


def is_own_win(match: FinishedMatch) -> bool:
    """Return whether the user won a match without being shown the solution."""
    return match.own_seat >= 0 and match.points == 1 and not match.is_solution_shown


def beaten_strength(match: FinishedMatch) -> float:
    """Return the strength of the weakest computer player that the user beat in a match without help.

    It is 0 if the user didn't win, had help or played alone, or if an opponent was a person or a random player.
    """
    if not is_own_win(match) or match.hints:
        return 0.0
    player_types = [
        player_type_of(player_type)
        for seat, player_type in enumerate(match.player_types)
        if seat != match.own_seat
    ]
    if not player_types or any(player_type in (PERSON, RANDOM) for player_type in player_types):
        return 0.0
    return min(find_level(player_type).number for player_type in player_types)


def game_records(matches: tuple[FinishedMatch, ...]) -> dict[str, GameRecord]:
    """Return the :class:`GameRecord` of each game that the user has played, by game ID."""
    records: dict[str, GameRecord] = {}
    for match in matches:
        if match.own_seat >= 0:
            before = records.get(match.game, GameRecord(0, 0))
            records[match.game] = GameRecord(before.played + 1, before.won + is_own_win(match))
    return records


def shorten_rules(rules: str) -> str:
    """Return the rules of a game without their last section, which holds the details.

    If there is no text before that section, the rules are returned unchanged.
    """
    head, _separator, _details = rules.rpartition("\n## ")
    return head or rules


class LearningPage(Page):
    """Page for learning, with three tabs: the path, the ideas and the shelf.

    Each tab has a list of rows and a text. All rows of the path and all ideas are available from the start. A button
    removes the link to this page from the home page.
    """

    page_name = "learning"
    has_narrow_layout = True

    def __init__(self, app: Host, tab: int = PATH_TAB, row: int = 0) -> None:
        super().__init__(app)
        self.records = game_records(app.results.matches())
        self.path = [step for step in load_first_games() if app.catalogue.find(step.game) is not None]
        self.ideas = list(load_ideas())
        self.played_games = sorted(
            (entry for entry in app.catalogue if entry.id in self.records),
            key=lambda entry: game_title(entry).casefold(),
        )
        """Games that the user has played to the end, by title."""
        self.back_button = Button(_("Games"), app.pages.show_home, icon="back", kind="quiet", name="back")
        self.hide_button = Button(
            _("Hide"),
            self._hide,
            kind="quiet",
            tip=_("Remove “Learn” from the home page. You can bring it back in the settings."),
            name="hide learning",
        )
        self.tabs = Tabs([_(LEARNING_TAB_TEXTS[name]) for name in TABS], tab, self._select_tab, name="tabs")
        self.tabs.accessible_name = _("Sections")
        self.row_list = ListView(ROW_HEIGHT_PX, self._paint_row, self._select_row, name="steps")
        self.text = FormattedText("", 16, name="step")
        self.idea_button = Button(_("Tips"), self._show_idea, icon="tip", name="idea")
        self.problems_button = Button("", self._solve_problems, icon="hint", name="problems")
        self.main_button = Button("", self._start, kind="main", name="start")
        self.next_button = Button(_("Next step"), self._select_next_step, kind="main", name="next step")
        self.add(
            self.back_button,
            self.tabs,
            self.row_list,
            self.text,
            self.idea_button,
            self.problems_button,
            self.main_button,
            self.next_button,
            self.hide_button,
        )
        self.row = row
        self._graph_rect = Rect()
        self._ratings: list[int] = []
        self._update()

    def rebuild(self) -> LearningPage:
        return type(self)(self.app, self.tabs.selected_index, self.row)

    # Contents

    @property
    def row_count(self) -> int:
        """Number of rows of the current tab."""
        return (len(self.path), len(self.ideas), len(self.played_games))[self.tabs.selected_index]

    @property
    def step(self) -> FirstGame | None:
        """The selected step of the path, or None if another tab is open or the path is empty."""
        at_path = self.tabs.selected_index == PATH_TAB and self.path
        return self.path[self.row] if at_path else None

    @property
    def idea(self) -> Idea | None:
        """The selected idea, or None if another tab is open or there are no ideas."""
        at_ideas = self.tabs.selected_index == IDEAS_TAB and self.ideas
        return self.ideas[self.row] if at_ideas else None

    @property
    def _buttons(self) -> tuple[Button, ...]:
        """The buttons below the text, in the order in which the parts of a step are done."""
        return self.idea_button, self.problems_button, self.main_button, self.next_button

    def _update(self) -> None:
        self.row = max(0, min(self.row, self.row_count - 1))
        self.row_list.set_rows(self.row_count, self.row if self.row_count else -1)
        for button in self._buttons:
            button.visible, button.kind = False, "plain"
        self.main_button.kind = self.next_button.kind = "main"
        self._ratings = []
        if self.step is not None:
            self._update_step(self.step)
        elif self.idea is not None:
            self.text.set_markup(f"## {localize_texts(self.idea.title)}\n\n{localize_texts(self.idea.text)}")
            self.main_button.label, self.main_button.visible = _("Start"), True
        else:
            self._update_shelf()
        if self.rect.w:
            self.layout(self.rect)
        self.refresh()

    def _update_step(self, step: FirstGame) -> None:
        entry = self.app.catalogue.get(step.game)
        parts = (
            f"## {game_title(entry)}",
            f"*{localize_texts(step.adds)}*",
            self._describe_progress(step),
            shorten_rules(translated_rules(entry.rules)),
        )
        self.text.set_markup("\n\n".join(parts))
        self.idea_button.visible = bool(entry.tips)
        problem_count = self._problem_count(step)
        self.problems_button.visible = bool(problem_count)
        self.problems_button.label = _(
            "Problems {found} / {all}", found=self._solved_count(entry), all=problem_count
        )
        self.main_button.label, self.main_button.visible = _("Play"), True
        # The button of the first part that is still to be done stands out.
        buttons = {"idea": self.idea_button, "problems": self.problems_button, "win": self.main_button}
        following = next((part for part, is_done in self.parts(step).items() if not is_done), "")
        for part, button in buttons.items():
            button.kind = "main" if part == following else "plain"
        self.next_button.visible = not following and self.row + 1 < len(self.path)

    def _describe_progress(self, step: FirstGame) -> str:
        """Return a sentence that lists the parts of a step that are still to be done, or says that there are none."""
        entry = self.app.catalogue.get(step.game)
        is_solo = entry.players[0] == 1
        open_parts = [
            ngettext("{n} problem", "{n} problems", self._problem_count(step) - self._solved_count(entry))
            if name == "problems"
            else _(PART_TEXTS["solo" if name == "win" and is_solo else name])
            for name, is_done in self.parts(step).items()
            if not is_done
        ]
        if not open_parts:
            return _("All done.")
        return _("Still to do: {parts}.", parts=join_words(open_parts, _("and")))

    def _update_shelf(self) -> None:
        matches, problems = self.app.results.matches(), self.app.results.problems
        best = max(map(beaten_strength, matches), default=0.0)
        beaten = [level.localize_title(language()) for level in LEVELS if level.number <= best]
        rating = problems.rating()
        lines = [
            f"## {_('My shelf')}",
            "- "
            + _("Games played: {n} of {all}", n=len(self.played_games), all=len(self.app.catalogue.entries)),
            "- "
            + _(
                "Different games won: {n}",
                n=sum(self.records[entry.id].won > 0 for entry in self.played_games),
            ),
            "- " + _("Levels beaten: {names}", names=", ".join(beaten) or _("none yet")),
        ]
        if rating is not None:
            lines.append("- " + _("Rating: {value} ± {give}", value=rating.value, give=rating.margin))
            self._ratings = rating_history(problems.attempts())
        self.text.set_markup("\n".join(lines))

    # Steps of the path

    def _solved_count(self, entry: Entry) -> int:
        """Return how many of the problems that the path offers for a game have been solved."""
        solved = self.app.results.problems.solved(entry.id)
        return sum(head.name in solved for head in problems_of_game(entry.id)[:PATH_PROBLEMS])

    def _problem_count(self, step: FirstGame) -> int:
        """Return how many problems a step offers: :data:`PATH_PROBLEMS`, or all if the game has fewer."""
        return min(PATH_PROBLEMS, count_problems(step.game))

    def parts(self, step: FirstGame) -> dict[str, bool]:
        """Return the parts of a step and whether each of them is done.

        The part "idea" is reading the tips, if the game has any. The part "problems" is solving the problems that the
        step offers, if any. The part "win" is winning a match or, in a solo game, finishing one.
        """
        entry = self.app.catalogue.get(step.game)
        record = self.records.get(step.game, GameRecord(0, 0))
        done_by_part: dict[str, bool] = {}
        if entry.tips:
            done_by_part["idea"] = step.game in self._shown_ideas()
        if problem_count := self._problem_count(step):
            done_by_part["problems"] = self._solved_count(entry) >= problem_count
        done_by_part["win"] = bool(record.played if entry.players[0] == 1 else record.won)
        return done_by_part

    def done_parts(self, step: FirstGame) -> int:
        """Return how many parts of a step are done."""
        return sum(self.parts(step).values())

    def _shown_ideas(self) -> list[str]:
        """Return the IDs of the games whose tips have all been shown."""
        shown_ids = self.app.results.problems.load_progress(SHOWN_IDEAS_KEY).get("shown")
        return [str(name) for name in shown_ids] if isinstance(shown_ids, list) else []

    # Actions

    def _select_tab(self, index: int) -> None:
        self.row = 0
        self._update()

    def _select_row(self, row: int) -> None:
        self.row = row
        self._update()

    def _select_next_step(self) -> None:
        self._select_row(self.row + 1)

    def _hide(self) -> None:
        self.app.change_settings(learning=False)
        self.app.pages.show_home()

    def _show_idea(self) -> None:
        step = self.step
        assert step is not None
        game = step.game
        entry = self.app.catalogue.get(game)

        def save_as_shown() -> None:
            shown_ids = self._shown_ideas()
            if game not in shown_ids:
                self.app.results.problems.save_progress(SHOWN_IDEAS_KEY, {"shown": [*shown_ids, game]})

        lessons = tip_lessons(entry.id, entry.tips)
        if lessons:
            exercises = [(entry, lesson) for lesson in lessons]
            self.app.pages.show_exercises(exercises, 0, self, save_as_shown)

    def _solve_problems(self) -> None:
        step = self.step
        assert step is not None
        course = GameCourse(self.app.results.problems, step.game, max_problems=PATH_PROBLEMS)
        self.app.pages.show_problem(course, self)

    def _start(self) -> None:
        """Start the game of the selected step against adaptive opponents, or the lesson on the selected idea."""
        if self.step is not None:
            entry = self.app.catalogue.get(self.step.game)
            seats = entry.players[0]
            kinds = [PERSON, *[ADAPTIVE] * (seats - 1)]
            names = name_players(human_names(self.app.settings.names, seats), kinds)
            self.app.pages.path_row = self.row
            self.app.matches.start(
                entry, names, entry.size, "", random.randrange(1_000_000), player_types=kinds
            )
        elif self.idea is not None:
            exercises = []
            for step in self.idea.steps:
                example_entry = self.app.catalogue.find(step.game)
                if example_entry is not None:
                    exercises.append(
                        (example_entry, show_problem(find_problem(step.game, step.problem), step.text))
                    )
            if exercises:
                self.app.pages.show_exercises(exercises, 0, self)

    # Layout and drawing

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        top, rest = self.layout_title_bar(rect, self.back_button)
        hide = self.hide_button.preferred_width(canvas)
        self.hide_button.layout(Rect(top.right - 12 - hide, top.cy - 16, hide, 32))
        tabs, rest = rest.inset(16, 6).cut_top(38, 10)
        self.tabs.layout(Rect(tabs.x, tabs.y, min(tabs.w, 520), tabs.h))
        is_low = rest.h < MIN_STACKED_HEIGHT_PX and rect.w >= MIN_LOW_WINDOW_PX
        if is_low or rect.w >= MIN_WIDE_WINDOW_PX:
            column, area = rest.cut_left(min(MAX_LIST_WIDTH_PX, rest.w * 0.4), 20)
        else:
            column, area = rest.cut_top(NARROW_LIST_HEIGHT_PX, 12)
        self.row_list.layout(column)
        self._card_rect = area
        area = area.inset(20, 14)
        buttons = [button for button in self._buttons if button.visible]
        if buttons:
            line, area = area.cut_bottom(36, 8)
            shrink_to_fit(buttons, canvas, line.w, gap=8)
            layout_row(line, buttons, canvas, gap=8)
        self._graph_rect = Rect()
        if len(self._ratings) > 1 and area.h > 2 * GRAPH_HEIGHT_PX:
            self._graph_rect, area = area.cut_bottom(GRAPH_HEIGHT_PX, 12)
        self.text.layout(Rect(area.x, area.y, area.w + 12, area.h))

    def heading(self) -> str:
        return _("Learn")

    def paint(self, canvas: Canvas, style: Style) -> None:
        self.paint_title_bar(canvas, style)
        canvas.rect(self._card_rect, style.card, CORNER_RADIUS_PX)
        canvas.outline(self._card_rect, style.hairline, CORNER_RADIUS_PX)
        if not self.row_count:
            canvas.text_fit(
                self.row_list.rect.cut_top(40)[0],
                _("No finished games yet."),
                style.secondary_ink,
                "italic",
                16,
            )
        if self._graph_rect.h:
            self._paint_graph(canvas, style, self._graph_rect)

    def _paint_graph(self, canvas: Canvas, style: Style, area: Rect) -> None:
        """Draw a graph of how the problem rating has changed; see :func:`.rating_history`."""
        caption, area = area.cut_top(20)
        canvas.text_fit(caption, _("Problem rating"), style.secondary_ink, "sans", SMALL_TEXT_PX)
        span = max(MIN_GRAPH_RANGE, max(self._ratings) - min(self._ratings))
        low = (max(self._ratings) + min(self._ratings) - span) / 2
        step = area.w / (len(self._ratings) - 1)
        points = [
            (area.x + step * index, area.bottom - area.h * (rating - low) / span)
            for index, rating in enumerate(self._ratings)
        ]
        canvas.hairline(area.x, area.bottom, area.w, style.hairline)
        canvas.path(points, style.action, 2)

    def _paint_row(self, canvas: Canvas, style: Style, rect: Rect, row: int, is_hovered: bool) -> None:
        box = self.row_list.paint_row_background(canvas, style, rect, row, is_hovered)
        area = box.inset(14, 4)
        title, end = self.row_texts(row)
        wide = canvas.text_width(end, "sans", SMALL_TEXT_PX)
        canvas.text_in(area, end, style.secondary_ink, "sans", SMALL_TEXT_PX, 1)
        room = Rect(area.x, area.y, area.w - wide - 12, area.h)
        canvas.text_fit(room, title, style.ink, "sans", BODY_TEXT_PX)

    def row_texts(self, row: int) -> tuple[str, str]:
        """Return the title of a row, and the text at its right end."""
        if self.tabs.selected_index == PATH_TAB:
            step = self.path[row]
            entry, parts = self.app.catalogue.get(step.game), self.parts(step)
            title = _("{n}. {title}", n=row + 1, title=game_title(entry))
            return title, _("{found} / {all}", found=self.done_parts(step), all=len(parts))
        if self.tabs.selected_index == IDEAS_TAB:
            steps = len(self.ideas[row].steps)
            return localize_texts(self.ideas[row].title), ngettext("{n} position", "{n} positions", steps)
        entry = self.played_games[row]
        record = self.records[entry.id]
        played, won = (
            ngettext("{n} match", "{n} matches", record.played),
            ngettext("{n} won", "{n} won", record.won),
        )
        return game_title(entry), _("{played}, {won}", played=played, won=won)

    def on_key(self, key: Key) -> bool:
        if key.chord == "escape":
            self.app.pages.show_home()
            return True
        return self.row_list.on_key(key)

    def trace_values(self) -> Mapping[str, object]:
        return {"tab": TABS[self.tabs.selected_index], "row": self.row}
