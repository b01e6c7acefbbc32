"""The path of first games has ten different games and says, in every language, what each of them adds."""

from __future__ import annotations

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.courses import load_first_games
from shibumi3d.catalogue.problems import count_problems
from shibumi3d.i18n import LANGUAGES


def test_path_leads_through_ten_different_games() -> None:
    path = load_first_games()
    assert len({step.game for step in path}) == len(path) == 10
    games = [load_catalogue().get(step.game) for step in path]
    # The path begins with two of the easiest games and ends with one as hard as any, and each game for two has
    # problems.
    assert [entry.complexity for entry in games[:2]] == [1, 1]
    assert max(entry.complexity for entry in games) == games[-1].complexity
    assert all(count_problems(entry.id) >= 5 for entry in games if entry.players[0] == 2)


def test_every_step_says_what_it_adds_in_every_language() -> None:
    for step in load_first_games():
        assert all(step.adds.get(language) for language in LANGUAGES)
