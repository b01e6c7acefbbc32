"""Why a hint names what it names, in French."""

from __future__ import annotations

from .template import Template

TEXTS: dict[str, Template] = {
    "advice.reason": "{told} {why}.",
    "advice.reason-choice": "{told} : {why}.",
    "advice.coloured": "{colour} en {points}",
    "advice.said": "{who} : {why}.",
    "advice.because": "{told}. {why}",
    "advice.proved": "C'est un gain certain",
    "advice.no-worse": "Il n'y a pas mieux",
    "advice.mixed": "D'autres se valent : il est tiré au sort parmi eux, pour que nul ne le devine",
    "advice.gained": "{n} essais gagnés sur 100",
    "advice.beside": "{n} essais gagnés sur 100 ; ensuite, {other} : {m}",
}
