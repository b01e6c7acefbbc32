"""What is said at the end of a match, and where films and pictures are made of it, in English."""

from __future__ import annotations

from .template import Template

TEXTS: dict[str, Template] = {
    "export.title": "Export",
    "export.kind": "As",
    "export.as.mp4": "video",
    "export.as.gif": "animated GIF",
    "export.as.pdf": "plans, PDF",
    "export.as.svg": "plans, SVG",
    "export.as.png": "picture",
    "export.as.postcard": "postcard",
    "export.range": "Of",
    "export.whole": "the whole game",
    "export.from-here": "from here on",
    "export.to-here": "up to here",
    "export.size": "Size",
    "export.speed": "Speed",
    "export.make": "Make",
    "export.begins": "Making it begins.",
    "export.left": ("About a second left.", "About {n} seconds left."),
    "export.made": "It is kept as {path}.",
    "export.stopped": "Stopped. Nothing was kept.",
    "export.not-made": "It can't be made: {problem}.",
    "result.rematch": "Rematch",
    "result.again": "Play again",
    "result.swap": "Swap seats",
    "result.next": "Next seats",
    "result.swap.tip": "Rematch, everybody one seat on",
    "result.review": "Review",
    "result.fall": "Great fall",
    "result.fall.tip": "The turn in which most fell, slowly, again and again",
    "result.postcard": "Postcard",
    "result.postcard.tip": "A picture of the end, with game, names and day, to keep or to send",
}
