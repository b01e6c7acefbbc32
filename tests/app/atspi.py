"""Script for the system's Python that reads and controls the program through AT-SPI.

Requests and answers are lines of JSON; the answer to a request that failed is ``{"error": …}``. A node is found by its
name or, if it has none, its text: the first node with exactly the name in the request, or else the first whose name
begins with it.

- ``{"do": "tree"}`` returns all nodes as [depth, role, name, actions].
- ``{"do": "press", "name": …}`` presses a node and returns whether that worked.
- ``{"do": "focus", "name": …}`` gives a node the focus and returns whether that worked.
- ``{"do": "states", "name": …}`` returns the states of a node.
- ``{"do": "text", "name": …}`` returns the text of a node, its caret and its selections.
- ``{"do": "select", "name": …, "first": …, "last": …}`` selects text, or moves the caret if ``first`` equals ``last``.
- ``{"do": "carets"}`` returns the caret positions reported since the last such request.
- ``{"do": "type", "text": …}`` and ``{"do": "ctrl", "key": …}`` press keys through the AT-SPI registry. Text can't be
  set directly, because AccessKit offers no EditableText interface under X11.
"""

import json
import re
import sys
import time
import traceback

import pyatspi
from gi.repository import Atspi, GLib

SYMBOLS = {"\n": 0xFF0D, "\b": 0xFF08}
"""X11 keysyms of Return and Backspace."""
CONTROL = 37
"""Keycode of Ctrl under X11."""


def wait_for_app():
    for _ in range(200):
        for app in pyatspi.Registry.getDesktop(0):
            if (
                app is not None
                and app.childCount
                and "python" in (app.name or "").lower() + (app.toolkitName or "")
            ):
                return app
            if app is not None and (app.toolkitName or "") == "shibumi3d":
                return app
        time.sleep(0.1)
    raise SystemExit("the program has not registered with AT-SPI")


def walk(node, depth=0):
    try:
        yield node, depth
        for child in node:
            if child is not None:
                yield from walk(child, depth + 1)
    except Exception:
        return


def node_text(node):
    name = node.name or ""
    if not name:
        try:
            name = node.queryText().getText(0, -1)
        except Exception:
            name = ""
    return name


def find_node(app, name):
    first = None
    for node, _ in walk(app):
        try:
            words = node_text(node)
        except Exception:
            continue
        if words == name:
            return node
        if first is None and words.startswith(name):
            first = node
    return first


def answer(app, asked):
    if asked["do"] == "tree":
        rows = []
        for node, depth in walk(app):
            try:
                acts = []
                if "Action" in pyatspi.listInterfaces(node):
                    action = node.queryAction()
                    acts = [action.getName(i) for i in range(action.nActions)]
                rows.append([depth, node.getRoleName(), node_text(node), acts])
            except Exception:
                continue
        return rows
    if asked["do"] == "states":
        states = find_node(app, asked["name"]).getState().getStates()
        return [pyatspi.stateToString(state) for state in states]
    if asked["do"] == "type":
        for part in re.split("([\n\b])", asked["text"]):
            if part in SYMBOLS:
                pyatspi.Registry.generateKeyboardEvent(SYMBOLS[part], None, pyatspi.KEY_SYM)
            else:
                pyatspi.Registry.generateKeyboardEvent(0, part, pyatspi.KEY_STRING)
        return True
    if asked["do"] == "ctrl":
        pyatspi.Registry.generateKeyboardEvent(CONTROL, None, pyatspi.KEY_PRESS)
        pyatspi.Registry.generateKeyboardEvent(ord(asked["key"]), None, pyatspi.KEY_SYM)
        pyatspi.Registry.generateKeyboardEvent(CONTROL, None, pyatspi.KEY_RELEASE)
        return True
    if asked["do"] == "carets":
        while loop.iteration(False):
            pass
        told_of = list(carets)
        carets.clear()
        return told_of
    node = find_node(app, asked["name"])
    if node is None:
        return False
    if asked["do"] == "focus":
        return bool(node.queryComponent().grabFocus())
    if asked["do"] == "text":
        text = node.queryText()
        spans = [text.getSelection(n) for n in range(text.getNSelections())]
        return [text.getText(0, -1), text.caretOffset, [list(span) for span in spans]]
    if asked["do"] == "select":
        text, first, last = node.queryText(), int(asked["first"]), int(asked["last"])
        return bool(text.setCaretOffset(first) if first == last else text.setSelection(0, first, last))
    try:
        return bool(node.queryAction().doAction(0))
    except Exception:  # the node no longer exists
        return False


Atspi.set_timeout(20_000, 20_000)  # ms; by default 800, less than a busy machine may need for an answer
carets = []
loop = GLib.MainContext.default()
pyatspi.Registry.registerEventListener(lambda event: carets.append(event.detail1), "object:text-caret-moved")
app = wait_for_app()
print("ready", flush=True)
for line in sys.stdin:
    try:
        result = answer(app, json.loads(line))
    except Exception:
        result = {"error": traceback.format_exc()}
    print(json.dumps(result), flush=True)
