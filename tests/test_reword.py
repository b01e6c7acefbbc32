"""The tool that rewords English messages in the sources."""

from __future__ import annotations

import ast

from tools.reword import reword

SOURCE = '''
def told(n):
    """Say "Go on" to nobody."""
    KEYS = {"Go on": _("Go on")}
    many = ngettext("{n} game kept", "{n} games kept", n)
    return KEYS, many, P_("file", "Go on"), Bad("it is kept as {path}", path=n)
'''


def test_messages_are_reworded_where_they_are_marked_and_nowhere_else() -> None:
    wording = {
        (None, "Continue"): "Continue",
        (None, ("{n} game kept", "{n} games kept")): ("{n} saved game", "{n} saved games"),
        ("file", "Continue"): "Next",
        (None, "it is kept as {path}"): "saved to {path}",
    }
    found = reword(SOURCE, wording, {"Bad"})
    assert found == (
        SOURCE.replace('_("Go on")', '_("Continue")')
        .replace('"{n} game kept", "{n} games kept"', '"{n} saved game", "{n} saved games"')
        .replace('P_("file", "Go on")', 'P_("file", "Next")')
        .replace("it is kept as {path}", "saved to {path}")
    )


def test_long_texts_quotes_and_lines_survive() -> None:
    text = 'A "quoted" word, a \\ sign, it\'s long:\n\n' + "word after word " * 12 + "end."
    found = reword('x = _("Go on")\n', {(None, "Continue"): text}, set())
    call = ast.parse(found).body[0]
    assert isinstance(call, ast.Assign)
    assert isinstance(call.value, ast.Call)
    assert ast.literal_eval(call.value.args[0]) == text
    assert max(map(len, found.splitlines())) < 110
