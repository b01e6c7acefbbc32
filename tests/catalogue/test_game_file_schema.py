"""Metadata of game files: what is read, what is refused, and how files and variants inherit."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

from shibumi3d.catalogue import catalogue as module
from shibumi3d.catalogue.catalogue import Catalogue
from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.i18n import set_language
from shibumi3d.rules.errors import GameFileError
from shibumi3d.rules.source import Item
from shibumi3d.wording import title_with_variant, variant_title

FULL = """\
title: Ladder
authors: [Ann Author, Ben Builder]
year: 2011
source: {book: A book, page: 12}
category: alignment
complexity: 2
minutes: 15
players: [2, 3]
sizes: [4, 3, 5]
summary: {en: Climb., fr: Grimpez.}
aim: {en: [go up, stay up], fr: monter}
words: {rung: {en: a step, fr: un pas}, low: {en: down}}
rules: {en: "# Turn\\n\\nClimb.", fr: "# Tour\\n\\nGrimpez."}
define: {high: apex, low: holes}
turn: {place: own}
end: [{when: stuck, lose: me}]
variants:
  long: {label: {en: Long climb, fr: longue montée}, sizes: [6], minutes: 40, define: {low: null, mid: points}}
  "2018": {title: New Ladder, turn: {take: own}}
  three players: {label: {fr: à trois}, players: 3}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "games"
    path.mkdir()
    return path


def catalogue(folder: Path, **files: str) -> Catalogue:
    for name, text in files.items():
        (folder / f"{name.replace('_', '-')}.yaml").write_text(text, encoding="utf-8")
    return Catalogue(folder)


def problems(folder: Path, text: str) -> list[str]:
    found = catalogue(folder, game=text).problems
    return [str(problem) for problem in found.get("game", ())]


def value(item: Item, *path: str) -> object:
    for key in path:
        assert isinstance(item.value, dict)
        item = item.value[key]
    return item.value


def test_every_metadata_key_is_read(folder: Path) -> None:
    entry = catalogue(folder, ladder=FULL).get("ladder")
    assert dict(entry.meta) == {
        "id": "ladder",
        "file": "games/ladder.yaml",
        "kind": "marbles",
        "variant": "",
        "title": "Ladder",
        "titles": {},
        "authors": ("Ann Author", "Ben Builder"),
        "year": 2011,
        "book": "A book",
        "page": 12,
        "category": "alignment",
        "complexity": 2,
        "minutes": 15,
        "players": (2, 3),
        "sizes": (4, 3, 5),
        "size": 4,
        "options": (),
        "variants": ("long", "2018", "three players"),
        "variant_labels": {
            "long": {"en": "Long climb", "fr": "longue montée"},
            "2018": {"en": "2018"},
            "three players": {"en": "three players", "fr": "à trois"},
        },
        "best": {},
        "recommended": (),
        "own": False,
        "path": "",
        "summary": {"en": "Climb.", "fr": "Grimpez."},
        "aim": {"en": ("go up", "stay up"), "fr": ("monter",)},
        "words": {"rung": {"en": "a step", "fr": "un pas"}, "low": {"en": "down"}},
        "rules": {"en": "# Turn\n\nClimb.", "fr": "# Tour\n\nGrimpez."},
    }
    assert isinstance(entry.rules_item.value, dict)
    assert list(entry.rules_item.value) == ["players", "define", "turn", "end"]


def test_aims_and_words_must_be_texts_by_language(folder: Path) -> None:
    errors = problems(folder, "title: T\nturn: {place: own}\naim: {en: {a: b}}\nwords: [a]\n")
    assert any("aim" in text or "en: expected" in text for text in errors)
    assert any(
        "words: expected a mapping from each name to texts in one or more languages" in text
        for text in errors
    )
    errors = problems(folder, "title: T\nturn: {place: own}\nwords: {a: {it: x}}\n")
    assert any("unknown key in a: 'it'" in text for text in errors)


def test_missing_metadata_gets_defaults(folder: Path) -> None:
    entry = catalogue(folder, tiny="title: Tiny\nturn: {place: own}\n").get("tiny")
    assert (entry.players, entry.sizes, entry.size, entry.authors, entry.year) == ((2, 2), (4,), 4, (), 0)
    assert (entry.book, entry.page, entry.category, dict(entry.summary)) == ("", 0, "", {})


def test_fixed_board_size_is_the_only_size_by_default(folder: Path) -> None:
    one = catalogue(folder, big="title: Big\nboards: {size: 6}\n").get("big")
    assert (one.sizes, one.size) == ((6,), 6)


def test_variants_change_metadata_and_rules(folder: Path) -> None:
    entry = catalogue(folder, ladder=FULL).get("ladder")
    long = entry.with_variant("long")
    assert (long.variant, long.title, long.sizes, long.size, long.minutes) == ("long", "Ladder", (6,), 6, 40)
    define = value(long.rules_item, "define")
    assert isinstance(define, dict)
    assert set(define) == {"high", "mid"}
    assert long.variants == ()
    new = entry.with_variant("2018")
    assert (new.title, value(new.rules_item, "turn", "take")) == ("New Ladder", "own")
    assert entry.with_variant("three-players").players == (3, 3)
    assert entry.with_variant(None) is entry
    assert entry.with_variant("") is entry


def test_variants_keep_their_labels_in_games_and_in_files_that_extend_them(folder: Path) -> None:
    games = catalogue(folder, ladder=FULL, longer="title: Longer\nextends: ladder\n")
    for entry in (games.get("ladder"), games.get("longer"), games.get("longer").with_variant("long")):
        assert entry.variant_labels["long"] == {"en": "Long climb", "fr": "longue montée"}
    game = games.get("longer").game(variant="long")
    assert (game.variant, title_with_variant(game)) == ("long", "Longer, Long climb")
    assert not games.problems


@pytest.mark.parametrize(
    ("lang", "titles"),
    [
        ("en", ["Long climb", "2018", "three players"]),
        ("fr", ["longue montée", "2018", "à trois"]),
        ("de", ["Long climb", "2018", "three players"]),
    ],
)
def test_variant_titles_are_in_the_current_language_or_else_english(
    folder: Path, lang: str, titles: list[str]
) -> None:
    entry = catalogue(folder, ladder=FULL).get("ladder")
    set_language(lang)
    try:
        assert [variant_title(entry, name) for name in entry.variants] == titles
    finally:
        set_language("en")


def test_unknown_variants_and_sizes_give_suggestions(folder: Path) -> None:
    entry = catalogue(folder, ladder=FULL).get("ladder")
    with pytest.raises(CatalogueError, match=r"^Ladder has no variant 'lnog', did you mean 'long'\?$"):
        entry.with_variant("lnog")
    with pytest.raises(
        CatalogueError, match=r"^Ladder has no variant 'xyz'; it has long, 2018, three players$"
    ):
        entry.with_variant("xyz")
    with pytest.raises(
        CatalogueError, match=r"^Ladder can't be played on a board of size 9; possible sizes: 3, 4, 5$"
    ):
        entry.game(size=9)


def test_games_are_found_by_id_and_title_with_suggestions(folder: Path) -> None:
    games = catalogue(folder, ladder=FULL, ladder_plus=FULL.replace("Ladder", "Ladder+"))
    assert games.get("Ladder+").id == "ladder-plus"
    assert games.get(" LADDER ").id == "ladder"
    assert [entry.title for entry in games] == ["Ladder", "Ladder+"]
    assert len(games) == 2
    with pytest.raises(CatalogueError, match=r"^there is no game 'laddr', did you mean 'ladder'\?$"):
        games.get("laddr")


def test_entries_are_sorted_by_title(folder: Path) -> None:
    games = catalogue(folder, a="title: zebra", b="title: Apple", c="title: mango")
    assert [entry.title for entry in games.entries] == ["Apple", "mango", "zebra"]


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("turn: {place: own}\n", ["games/game.yaml:1:1: a game needs a title"]),
        ("- a\n", ["games/game.yaml:1:1: a game file consists of keys such as 'title' and 'turn'"]),
        ("title: [x]\n", ["games/game.yaml:1:8: title: expected text"]),
        ("title: x\nkind: marble\n", ["games/game.yaml:2:7: unknown kind 'marble', did you mean 'marbles'?"]),
        ("title: x\nyaer: 2011\n", ["games/game.yaml:2:1: unknown key: 'yaer', did you mean 'year'?"]),
        (
            "title: x\ncategory: alignmnet\n",
            ["games/game.yaml:2:11: unknown category 'alignmnet', did you mean 'alignment'?"],
        ),
        (
            "title: x\ncategory: fun\n",
            [
                "games/game.yaml:2:11: unknown category 'fun'; expected one of alignment, connection, pattern, "
                "completion, elimination, capture, score, puzzle, mixed, race, bidding, cards"
            ],
        ),
        ("title: x\ncomplexity: 6\n", ["games/game.yaml:2:13: complexity: expected a number from 1 to 5"]),
        ("title: x\nyear: soon\n", ["games/game.yaml:2:7: year: expected a number from 1900 to 2100"]),
        ("title: x\nauthors: [a, 5]\n", ["games/game.yaml:2:14: authors: expected a list of strings"]),
        (
            "title: x\nsizes: [4, 11]\n",
            ["games/game.yaml:2:12: sizes: expected a list of numbers from 2 to 10"],
        ),
        ("title: x\nsizes: 4\n", ["games/game.yaml:2:8: sizes: expected a list of numbers from 2 to 10"]),
        (
            "title: x\nplayers: [3, 2]\n",
            [
                "games/game.yaml:2:10: players: expected a number from 1 to 10, "
                "or the lowest and the highest number, as in [2, 3]"
            ],
        ),
        (
            "title: x\nsource: p. 12\n",
            ["games/game.yaml:2:9: source: expected a mapping with some of these keys: book, page"],
        ),
        (
            "title: x\nsource: {book: b, pgae: 3}\n",
            ["games/game.yaml:2:19: unknown key in source: 'pgae', did you mean 'page'?"],
        ),
        (
            "title: x\nrules: {en: a, it: b}\n",
            ["games/game.yaml:2:16: unknown key in rules: 'it'; expected one of en, fr, de, es"],
        ),
        (
            "title: x\nvariants: {a: {trun: {}, variants: {}}}\n",
            [
                "games/game.yaml:2:16: unknown key: 'trun', did you mean 'turn'?",
                "games/game.yaml:2:26: unknown key: 'variants', did you mean 'vars'?",
            ],
        ),
        (
            "title: x\nvariants: [a]\n",
            [
                "games/game.yaml:2:11: variants: "
                "expected a mapping from the name of each variant to the keys it changes"
            ],
        ),
        (
            "title: x\nvariants: {a: {label: b}, c: {label: {it: d}}}\n",
            [
                "games/game.yaml:2:23: label: expected a mapping with some of these keys: en, fr, de, es",
                "games/game.yaml:2:39: unknown key in label: 'it'; expected one of en, fr, de, es",
            ],
        ),
        ("title: x\nvariants: {a: b}\n", ["games/game.yaml:2:15: variant 'a': expected a mapping"]),
        (
            "title: x\nvariants: {A!: {}}\n",
            ["games/game.yaml:2:12: variant 'A!': use lowercase letters and digits, joined by spaces or '-'"],
        ),
        (
            "title: x\nextends: gmae\n",
            ["games/game.yaml:2:10: extends: there is no game 'gmae', did you mean 'game'?"],
        ),
        (
            "title: x\nextends: game\n",
            ["games/game.yaml:2:10: extends: the game extends itself: game -> game"],
        ),
        ("title: x\nextends: [a]\n", ["games/game.yaml:2:10: extends: expected the id of a game"]),
    ],
)
def test_invalid_game_file_is_refused(folder: Path, text: str, messages: list[str]) -> None:
    assert problems(folder, text) == messages


def test_all_errors_of_a_file_are_reported_in_order(folder: Path) -> None:
    text = "title: x\ncomplexity: high\nyear: 2011\nyear: 2012\ncategory: fnu\ntrun: {}\n"
    assert [line.split(": ")[0] for line in problems(folder, text)] == [
        "games/game.yaml:2:13",
        "games/game.yaml:4:1",
        "games/game.yaml:5:11",
        "games/game.yaml:6:1",
    ]


def test_invalid_file_hides_only_itself(folder: Path) -> None:
    games = catalogue(folder, good=FULL, bad="title: x\nyaer: 3\n")
    assert [entry.id for entry in games] == ["good"]
    with pytest.raises(GameFileError, match="unknown key: 'yaer'"):
        games.get("bad")


def test_file_names_must_be_valid_ids(folder: Path) -> None:
    found = catalogue(folder, Big_Game="title: x").problems["Big-Game"]
    assert [str(problem) for problem in found] == [
        (
            "games/Big-Game.yaml:1:1: file name 'Big-Game.yaml': use lowercase letters, digits and "
            "'-', as in 'spline-plus.yaml'"
        )
    ]


def test_other_files_are_ignored(folder: Path) -> None:
    (folder / "README.md").write_text("x")
    (folder / ".hidden.yaml").write_text("x")
    assert len(catalogue(folder, a="title: x")) == 1


class TestExtends:
    def test_game_inherits_what_it_does_not_replace(self, folder: Path) -> None:
        house = "title: House Ladder\nextends: ladder\ndefine: {low: apex}\nend: null\nvariants: null\n"
        entry = catalogue(folder, ladder=FULL, house=house).get("house")
        assert (entry.title, entry.authors, entry.sizes) == (
            "House Ladder",
            ("Ann Author", "Ben Builder"),
            (4, 3, 5),
        )
        assert entry.variants == ()
        assert value(entry.rules_item, "define", "low") == "apex"
        assert value(entry.rules_item, "define", "high") == "apex"
        assert isinstance(entry.rules_item.value, dict)
        assert "end" not in entry.rules_item.value
        assert "extends" not in entry.rules_item.value

    def test_locations_name_the_file_of_each_key(self, folder: Path) -> None:
        entry = catalogue(folder, ladder=FULL, house="title: House\nextends: ladder\nend: []\n").get("house")
        assert str(entry.rules_item.key_locations["turn"]) == "games/ladder.yaml:15:1"
        assert str(entry.rules_item.key_locations["end"]) == "games/house.yaml:3:1"

    def test_extending_game_needs_its_own_title(self, folder: Path) -> None:
        games = catalogue(folder, ladder=FULL, house="extends: ladder\n")
        assert [str(p) for p in games.problems["house"]] == ["games/house.yaml:1:1: a game needs a title"]

    def test_games_can_extend_each_other_in_a_chain(self, folder: Path) -> None:
        games = catalogue(
            folder,
            a="title: A\nscore: 1\npass: x",
            b="title: B\nextends: a\nscore: 2",
            c="title: C\nextends: b\nturn: y",
        )
        program = games.get("c").rules_item
        assert [value(program, key) for key in ("score", "pass", "turn")] == [2, "x", "y"]

    def test_circular_extension_is_reported(self, folder: Path) -> None:
        games = catalogue(folder, a="title: A\nextends: b", b="title: B\nextends: a")
        assert [str(p) for p in games.problems["a"]] == [
            ("games/b.yaml:2:10: extends: the game extends itself: a -> b -> a")
        ]

    def test_errors_of_the_parent_are_reported(self, folder: Path) -> None:
        games = catalogue(folder, a="title: A\ntitle: B", b="title: B\nextends: a")
        assert [str(p) for p in games.problems["b"]] == [
            "games/a.yaml:2:1: key 'title' appears twice; first on line 1",
            "games/b.yaml:2:10: extends: 'a' has errors",
        ]

    def test_metadata_error_is_located_in_the_file_that_has_it(self, folder: Path) -> None:
        a = "title: A\nyaer: 3\ncategory: fnu\nturn: {place: own}\n"
        games = catalogue(folder, a=a, b="title: B\nextends: a\nminuets: 5\nyear: soon\n")
        assert [str(p).split(", did")[0].split(";")[0] for p in games.problems["b"]] == [
            "games/a.yaml:2:1: unknown key: 'yaer'",
            "games/a.yaml:3:11: unknown category 'fnu'",
            "games/b.yaml:3:1: unknown key: 'minuets'",
            "games/b.yaml:4:7: year: expected a number from 1900 to 2100",
        ]
        assert {p.location.file for p in games.problems["a"]} == {"games/a.yaml"}

    def test_rule_error_is_located_in_the_file_that_has_it(self, folder: Path) -> None:
        a = "title: A\ndefine: {low: holes}\nturn: {place: own, at: low}\nend: [{when: stukc, lose: me}]\n"
        b = "title: B\nextends: a\nend: [{when: stuck, loose: me}]\n"
        games = catalogue(folder, a=a, b=b)
        assert [str(p) for p in games.check()[1]] == [
            "games/a.yaml:4:14: unknown word 'stukc', did you mean 'stuck'?",
            "games/b.yaml:3:7: an end rule needs 'win', 'lose' or 'most'",
            "games/b.yaml:3:21: unknown key in an end rule: 'loose', did you mean 'lose'?",
        ]

    def test_error_caused_by_a_child_is_located_in_the_child(self, folder: Path) -> None:
        a = "title: A\ndefine: {low: holes}\nturn: {place: own, at: low}\nend: [{when: stuck, lose: me}]\n"
        games = catalogue(folder, a=a, b="title: B\nextends: a\ndefine: {low: null}\n")
        assert [str(p) for p in games.check()[1]] == [
            (
                "games/b.yaml:2:10: extends: this file's changes cause an error at games/a.yaml:3:24: "
                "unknown word 'low', did you mean 'own'?"
            )
        ]

    def test_length_of_extension_chains_is_limited(self, folder: Path) -> None:
        files = {f"g{n}": f"title: G{n}\nextends: g{n - 1}\nminutes: {n}\n" for n in range(1, 19)}
        games = catalogue(folder, g0="title: G0\nturn: {place: own}\nyear: 2001\n", **files)
        assert (games.get("g16").year, games.get("g16").minutes) == (2001, 16)
        assert [str(p) for p in games.problems["g17"]] == [
            "games/g1.yaml:2:10: extends: at most 16 games can extend each other in a chain"
        ]

    def test_outside_file_can_extend_the_catalogue_and_its_neighbours(
        self, folder: Path, tmp_path: Path
    ) -> None:
        games = catalogue(folder, ladder=FULL)
        (tmp_path / "house.yaml").write_text("title: House\nextends: ladder\nyear: 2020\n")
        (tmp_path / "garden.yaml").write_text("title: Garden\nextends: house\n")
        entry: Entry = games.open(tmp_path / "garden.yaml")
        assert (entry.title, entry.year, entry.minutes) == ("Garden", 2020, 15)


def test_open_reports_errors_and_missing_files(folder: Path, tmp_path: Path) -> None:
    games = catalogue(folder)
    path = tmp_path / "x.yaml"
    path.write_text("title: x\nyaer: 1\n")
    with pytest.raises(GameFileError) as caught:
        games.open(path)
    assert str(caught.value) == f"{path}:2:1: unknown key: 'yaer', did you mean 'year'?"
    with pytest.raises(FileNotFoundError):
        games.open(tmp_path / "none.yaml")


TINY = "title: Tiny\nturn: {place: own}\nend: [{when: stuck, lose: mover}]\n"


class TestOwnGames:
    """The folder of the user's own games is searched in addition to the one that comes with the program."""

    @pytest.fixture
    def own(self, tmp_path: Path) -> Path:
        path = tmp_path / "own"
        path.mkdir()
        return path

    def test_own_games_are_listed_among_the_others(self, folder: Path, own: Path) -> None:
        (own / "tiny.yaml").write_text(TINY)
        games = catalogue(folder, ladder=FULL).with_user_games(own)
        assert [(entry.id, entry.own, entry.path) for entry in games] == [
            ("ladder", False, ""),
            ("tiny", True, ""),
        ]
        assert games.get("tiny").file == str(own / "tiny.yaml")
        assert games.user_folder == own
        assert games.check() == (2, ())

    def test_missing_folder_is_no_error(self, folder: Path, own: Path) -> None:
        games = Catalogue(folder, user_folder=own / "none")
        assert (len(games), games.problems) == (0, {})

    def test_file_in_place_of_the_folder_is_reported(self, folder: Path, own: Path) -> None:
        (own / "games").write_text("x")
        games = catalogue(folder, ladder=FULL).with_user_games(own / "games")
        assert len(games) == 1
        assert [str(p) for p in games.problems["games"]] == [
            f"{own / 'games'}:1:1: can't be read: part of the path is not a folder"
        ]

    def test_invalid_files_are_listed_with_their_errors(self, folder: Path, own: Path) -> None:
        (own / "good.yaml").write_text(TINY)
        (own / "keys.yaml").write_text("title: x\nyaer: 3\n")
        (own / "steps.yaml").write_text("title: x\nturn: {plcae: own}\nend: [{when: stuck, lose: me}]\n")
        (own / "latin.yaml").write_bytes(b"title: caf\xe9\n")
        (own / "deep.yaml").write_text("[" * 1000)
        (own / "Big Game.yaml").write_text(TINY)
        (own / "folder.yaml").mkdir()
        (own / "gone.yaml").symlink_to(own / "nowhere")
        (own / "notes.txt").write_text("x")
        games = catalogue(folder, ladder=FULL).with_user_games(own)
        assert [entry.id for entry in games] == ["ladder", "good"]
        assert {
            name: [str(p).removeprefix(str(own)) for p in found] for name, found in games.problems.items()
        } == {
            "keys": ["/keys.yaml:2:1: unknown key: 'yaer', did you mean 'year'?"],
            "steps": ["/steps.yaml:2:8: unknown verb 'plcae', did you mean 'place'?"],
            "latin": ["/latin.yaml:1:11: the file is not UTF-8 text (byte 0xe9)"],
            "deep": ["/deep.yaml:1:61: values are nested more than 60 levels deep"],
            "Big Game": [
                (
                    "/Big Game.yaml:1:1: file name 'Big Game.yaml': use lowercase letters, digits and '-', as "
                    "in 'spline-plus.yaml'"
                )
            ],
            "folder": ["/folder.yaml:1:1: can't be read: it is not a file"],
            "gone": ["/gone.yaml:1:1: can't be read: no such file or folder"],
        }
        with pytest.raises(GameFileError, match="plcae"):
            games.get("steps")

    def test_unexpected_exception_affects_only_its_file(
        self, folder: Path, own: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (own / "good.yaml").write_text(TINY)
        (own / "merge.yaml").write_text("title: x\nturn: {<<}\n")
        (own / "odd.yaml").write_text(TINY.replace("Tiny", "Odd"))
        compile_form = module._compile

        def fragile(entry: Entry, *rest: Any) -> None:
            if entry.title == "Odd":
                raise KeyError("oh")
            compile_form(entry, *rest)

        monkeypatch.setattr(module, "_compile", fragile)
        games = catalogue(folder, ladder=FULL).with_user_games(own)
        assert [entry.id for entry in games] == ["ladder", "good"]
        assert {name: [str(p) for p in found] for name, found in games.problems.items()} == {
            "merge": [f"{own / 'merge.yaml'}:2:7: merge keys ('<<') can't be used here"],
            "odd": [f"{own / 'odd.yaml'}:1:1: couldn't be read: KeyError: 'oh'. Please report this as a bug"],
        }
        count, problems = games.check()
        assert count == 4
        assert [str(problem.message) for problem in problems] == [
            "merge keys ('<<') can't be used here",
            "couldn't be read: KeyError: 'oh'. Please report this as a bug",
        ]

    def test_own_game_never_replaces_a_built_in_game(self, folder: Path, own: Path) -> None:
        (own / "ladder.yaml").write_text(TINY)
        games = catalogue(folder, ladder=FULL).with_user_games(own)
        assert games.get("ladder").title == "Ladder"
        assert [str(p) for p in games.problems["ladder"]] == [
            f"{own / 'ladder.yaml'}:1:1: a game 'ladder' already exists; rename this file (it can still extend "
            "'ladder')"
        ]

    def test_own_games_can_extend_each_other_and_built_in_games(
        self, folder: Path, own: Path, tmp_path: Path
    ) -> None:
        (own / "house.yaml").write_text("title: House\nextends: ladder\nminutes: 3\n")
        (own / "garden.yaml").write_text("title: Garden\nextends: house\n")
        games = catalogue(folder, ladder=FULL).with_user_games(own)
        assert (games.get("garden").year, games.get("garden").minutes) == (2011, 3)
        (tmp_path / "elsewhere.yaml").write_text("title: E\nextends: garden\n")
        assert games.open(tmp_path / "elsewhere.yaml").minutes == 3

    def test_folder_is_read_again_each_time(self, folder: Path, own: Path) -> None:
        games = catalogue(folder, ladder=FULL)
        (own / "tiny.yaml").write_text(TINY)
        assert games.with_user_games(own).get("tiny").title == "Tiny"
        (own / "tiny.yaml").write_text(TINY.replace("Tiny", "Teeny"))
        assert games.with_user_games(own).with_user_games(own).get("tiny").title == "Teeny"
        assert len(games) == 1


def test_file_outside_the_catalogue_may_have_any_name(folder: Path, tmp_path: Path) -> None:
    games = catalogue(folder, ladder=FULL)
    path = tmp_path / "My Game (2).yml"
    path.write_text(TINY)
    entry = games.get(str(path))
    assert (entry.id, entry.own, entry.path) == ("my-game-2", True, str(path))
    ladder = tmp_path / "ladder.yaml"
    ladder.write_text("title: Steeper\nextends: ladder\n")
    assert games.open(ladder).year == 2011


def test_file_is_reread_on_every_open(folder: Path, tmp_path: Path) -> None:
    games = catalogue(folder)
    path = tmp_path / "x.yaml"
    path.write_text(TINY)
    assert games.open(path).title == "Tiny"
    path.write_text(TINY.replace("Tiny", "Teeny"))
    assert games.open(path).title == "Teeny"
    assert games.parse(TINY.replace("Tiny", "Wee").encode(), path).title == "Wee"


def test_huge_size_numbers_are_refused_with_a_message(folder: Path) -> None:
    assert problems(folder, f"title: x\nbest: {{{'9' * 500}: 1}}\n")[0].endswith(
        "(2 to 10) with a number for each, as in {4: 27}"
    )


def test_number_of_variants_is_limited(folder: Path) -> None:
    variants = ", ".join(f"v{n}: {{}}" for n in range(31))
    assert problems(folder, f"title: x\nvariants: {{{variants}}}\n") == [
        "games/game.yaml:2:11: variants: a game can have at most 30 of them"
    ]


def test_numeric_title_stays_text(folder: Path) -> None:
    games = catalogue(folder, agent=TINY.replace("title: Tiny", "title: 007"))
    assert games.get("agent").title == "007"


def test_expressions_cause_no_python_warnings(folder: Path, tmp_path: Path) -> None:
    """Python itself would warn about "1or" in an expression; the warning must neither be shown nor stop the check."""
    path = tmp_path / "x.yaml"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        entry, problems = catalogue(folder).check_text((TINY + "define: {a: 1or 2}\n").encode(), path)
    assert entry is not None
    assert not [problem for problem in problems if "failed" in str(problem.message)]


def test_recommended_settings_are_read_and_inherited(folder: Path) -> None:
    text = FULL + "  fair: {recommend: {swap: true}}\n  plain: {recommend: {swap: false}}\n"
    entry = catalogue(folder, game=text).get("game")
    assert entry.recommended == ()
    assert entry.with_variant("fair").recommended == ("swap",)
    assert entry.with_variant("plain").recommended == ()
    swapped = catalogue(folder, game=f"{text}recommend: {{swap: true}}\n").get("game")
    assert swapped.recommended == swapped.with_variant("long").recommended == ("swap",)
    assert swapped.with_variant("plain").recommended == ()
    assert swapped.game(variant="long").meta["recommended"] == ("swap",)


def test_wrong_recommendations_are_reported(folder: Path) -> None:
    assert any(
        "swap: expected true or false" in text for text in problems(folder, FULL + "recommend: {swap: 7}\n")
    )
    wrong = problems(folder, FULL + "recommend: {swop: true}\n")
    assert any("unknown key in recommend: 'swop'" in text for text in wrong)
