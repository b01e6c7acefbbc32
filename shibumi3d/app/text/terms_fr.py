"""What people at one table agree on before a match, in French."""

from __future__ import annotations

from .template import Template

TEXTS: dict[str, Template] = {
    "terms.title": "Conditions de la partie",
    "terms.tip": "Pendules, qui commence, échange, handicap",
    "terms.clock": "Temps de chacun",
    "terms.no-clock": "sans pendule",
    "terms.match": ("{n} min", "{n} min"),
    "terms.more": "{told} + {more} s par tour",
    "terms.turn": ("{n} s par tour", "{n} s par tour"),
    "terms.first": "Qui commence",
    "terms.seated": "dans l'ordre",
    "terms.by-lot": "au sort",
    "terms.lot": "au sort",
    "terms.second": "Second joueur",
    "terms.no-swap": "répond",
    "terms.may-swap": "peut échanger",
    "terms.swap": "échange",
    "terms.has": "Le joueur {n} débute avec",
    "terms.handicap": "handicap",
}
