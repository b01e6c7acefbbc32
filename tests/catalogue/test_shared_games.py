"""A game as a line of text: it can be read back unchanged; damaged, oversized or invalid lines are refused."""

from __future__ import annotations

import base64
import hashlib
import zlib
from pathlib import Path

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.schema import CatalogueError
from shibumi3d.catalogue.sharing import (
    MAX_LINE_LENGTH,
    PREFIX,
    decode_game,
    encode_game,
    is_shared_line,
    to_game_file,
)
from shibumi3d.catalogue.yaml_parser import GAME_LIMITS
from shibumi3d.rules.errors import GameFileError
from shibumi3d.rules.source import to_plain_data

TEXT = "title: Épée\nturn: {place: own}\nend: [{when: stuck, lose: mover}]\n"


def line(data: bytes, check: str = "", packed: bytes | None = None) -> str:
    packed = zlib.compress(data) if packed is None else packed
    check = check or hashlib.sha256(data).hexdigest()[:12]
    return f"{PREFIX}1:{check}:{base64.urlsafe_b64encode(packed).decode()}"


def test_shared_game_round_trips() -> None:
    link = encode_game(TEXT)
    assert link.startswith("shibumi3d-game:1:")
    assert link.isascii()
    assert link.split() == [link]
    assert is_shared_line(f"  {link}\n")
    assert decode_game(link) == TEXT
    # Chat programs and mail may break a long line and indent the parts.
    assert decode_game("\n ".join(link[i : i + 40] for i in range(0, len(link), 40))) == TEXT
    assert decode_game(encode_game("")) == ""


def test_extending_game_is_shared_as_a_standalone_game(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(
        "title: Base\nplayers: 3\ndefine: {low: holes, high: apex}\nturn: {place: own, at: low}\n"
        "end: [{when: stuck, lose: mover}]\n",
        "utf-8",
    )
    (tmp_path / "more.yaml").write_text(
        "title: Épée\nextends: base\ndefine: {high: null}\nsummary: {en: 'yes: 12'}\nend: [{when: stuck, win: me}]\n",
        "utf-8",
    )
    more = load_catalogue(tmp_path).get("more")
    text = decode_game(encode_game(to_game_file(more)))
    assert "extends" not in text
    alone, problems = load_catalogue().check_text(text.encode(), tmp_path / "elsewhere" / "alone.yaml")
    assert problems == ()
    assert alone is not None
    assert (alone.title, alone.players, alone.summary) == ("Épée", (3, 3), {"en": "yes: 12"})
    assert to_plain_data(alone.item)["define"] == {"low": "holes"}  # type: ignore[index]
    first, second = (entry.game() for entry in (more, alone))
    assert [m.text for m in second.moves(second.start(3, 1))] == [
        m.text for m in first.moves(first.start(3, 1))
    ]
    assert to_plain_data(alone.item)["end"] == [{"when": "stuck", "win": "me"}]  # type: ignore[index]


@pytest.mark.parametrize("path", sorted(Path("docs/tutorial").glob("*.yaml")), ids=lambda path: path.stem[:2])
def test_every_tutorial_step_can_be_shared(path: Path) -> None:
    text = path.read_text("utf-8")
    assert decode_game(encode_game(text)) == text


def test_changed_or_missing_character_is_detected() -> None:
    link = encode_game(TEXT)
    for place in range(len(PREFIX), len(link)):
        other = "b" if link[place] != "b" else "c"
        for spoilt in (link[:place] + other + link[place + 1 :], link[:place] + link[place + 1 :]):
            try:
                found = decode_game(spoilt)
            except CatalogueError:
                continue
            assert found == TEXT  # only the bits of the last character that Base64 doesn't use have changed


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ("", "this is not a shared game: the line must start with"),
        ("title: x", "this is not a shared game: the line must start with"),
        (PREFIX, "the text is incomplete or has been changed"),
        (f"{PREFIX}1:000000000000:", "the text is incomplete or has been changed"),
        (f"{PREFIX}2:000000000000:eJwDAAAAAAE", "newer version"),
        (line(b"x", check="0" * 12), "the text is incomplete or has been changed"),
        (line(b"x", packed=b"x"), "the text is incomplete or has been changed"),
        (
            line(b"x" * 99, packed=zlib.compress(b"x" * 99)[:-6]),
            "the text is incomplete or has been changed",
        ),
        (line(b"\xff\xfe"), "incomplete or has been changed"),
        (line(bytes(GAME_LIMITS.size + 1)), "too long"),
        (PREFIX + "1:000000000000:" + "A" * MAX_LINE_LENGTH, "too long"),
        ("x" * 10_000_000, "must start with"),
        (PREFIX + "x" * 10_000_000, "too long"),
    ],
    ids=range(13),
)
def test_invalid_shared_lines_are_refused(message: str, why: str) -> None:
    with pytest.raises(CatalogueError, match=why):
        decode_game(message)


def test_decompression_bomb_is_refused() -> None:
    packer = zlib.compressobj(9)
    block = bytes(1 << 20)
    bomb = b"".join(packer.compress(block) for _ in range(64)) + packer.flush()
    assert len(bomb) < MAX_LINE_LENGTH // 2
    with pytest.raises(CatalogueError, match="too long"):
        decode_game(line(b"", packed=bomb))


@pytest.mark.parametrize(
    "text",
    [
        "title: !!python/object/apply:os.system ['true']\nturn: {place: own}",
        "a: &a [x]\n" + "".join(f"b{i}: &b{i} [{', '.join(['*a'] * 99)}]\n" for i in range(300)),
        "[" * 5000,
        "title: x\n---\ntitle: y",
        "turn: {place: own}\nturn: {place: red}\ntitle: x",
    ],
    ids=["a tag", "a bomb", "depth", "documents", "keys"],
)
def test_shared_game_is_checked_like_a_file(text: str) -> None:
    with pytest.raises(GameFileError):
        load_catalogue().parse(decode_game(encode_game(text)).encode(), Path("came.yaml"))
