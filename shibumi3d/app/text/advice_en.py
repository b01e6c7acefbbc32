"""Why a hint names what it names, in English."""

from __future__ import annotations

from .template import Template

TEXTS: dict[str, Template] = {
    "advice.reason": "{told} {why}.",
    "advice.reason-choice": "{told}: {why}.",
    "advice.coloured": "{colour} on {points}",
    "advice.said": "{who}: {why}.",
    "advice.because": "{told}. {why}",
    "advice.proved": "It wins for sure",
    "advice.no-worse": "Nothing better is to be had",
    "advice.mixed": "Others are as good: it was drawn by lot among them, so that nobody can guess it",
    "advice.gained": "It won {n} of 100 tries",
    "advice.beside": "It won {n} of 100 tries; next best, {other}: {m}",
}
