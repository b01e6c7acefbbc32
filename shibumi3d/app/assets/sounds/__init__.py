"""The shipped sounds. ``make.py`` makes them."""

from __future__ import annotations

from importlib import resources

from shibumi3d.scene.marbles.cue import THINGS

VARIANTS = {"set": 4, "slide": 4, "fall": 4, "lift": 4, "page": 2, "tap": 2, "bowl": 1}
"""Kinds of sound, and how many of each there are; of the first four as many of each material of marbles."""
OF_THINGS = 2
"""How many there are of each thing that is no marble, and each kind."""
_MATERIALS = ("shell", "stone", "clay")


def material(colour: int) -> str:
    """What marbles of that colour are made of; those of further colours, or of none known, are of glass."""
    return _MATERIALS[colour] if 0 <= colour < len(_MATERIALS) else "glass"


def variants(of: str, kind: str) -> int:
    """How many sounds there are of a kind, and of a thing or material ("": of none)."""
    return OF_THINGS if of in THINGS else VARIANTS[kind]


def data(name: str) -> bytes:
    """The WAV file of that name, such as ``glass-set-1``."""
    return resources.files(__package__).joinpath("files", f"{name}.wav").read_bytes()
