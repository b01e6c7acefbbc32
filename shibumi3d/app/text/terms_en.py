"""What people at one table agree on before a match, in English."""

from __future__ import annotations

from .template import Template

TEXTS: dict[str, Template] = {
    "terms.title": "Terms of the match",
    "terms.tip": "Clocks, who begins, swap, handicap",
    "terms.clock": "Time for each",
    "terms.no-clock": "no clock",
    "terms.match": ("{n} min", "{n} min"),
    "terms.more": "{told} + {more} s a turn",
    "terms.turn": ("{n} s a turn", "{n} s a turn"),
    "terms.first": "Who begins",
    "terms.seated": "as listed",
    "terms.by-lot": "by lot",
    "terms.lot": "by lot",
    "terms.second": "Second seat",
    "terms.no-swap": "answers",
    "terms.may-swap": "may swap",
    "terms.swap": "swap",
    "terms.has": "Player {n} begins with",
    "terms.handicap": "handicap",
}
