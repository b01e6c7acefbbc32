"""Message templates of Hyena Spiral."""

from __future__ import annotations

from shibumi3d.i18n import N_, P_, Plural, Translatable

PHRASES: dict[str, Translatable] = {
    "or": N_("or"),
    "taba": Plural("{n} taba", "{n} tabas"),
    "well": N_("the well"),
    "throw": N_("throw"),
    "buy": N_("buy {steps}"),
    "enter": N_("enter the well"),
    "go": N_("go {steps}"),
    "take": N_("take {tabas}"),
    "pay": N_("pay {tabas}"),
    "eats": N_("eats {prey}"),
    "threw": Plural("{seat} throws {n} white face", "{seat} throws {n} white faces"),
    "threw none": N_("{seat} throws no white faces"),
    "gained": N_("{seat} takes {tabas}"),
    "bought": N_("{seat} buys {steps} for {tabas}"),
    "walked": N_("{seat} goes to {place}"),
    "reached": N_("{seat} reaches the well"),
    "wasted": N_("{seat} still owes {fee} at the well and loses {steps}"),
    "wasted exact": N_("{seat} loses {steps}: they would go past the well"),
    "paid": N_("{seat} pays {n} at the well (payment {number} of {of})"),
    "turned": N_("{seat} reaches the well first and turns into the hyena"),
    "departed": N_("{seat} leaves the well to hunt"),
    "eaten out": N_("{seat} is eaten, still on the way out"),
    "eaten well": N_("{seat} is eaten, still at the well"),
    "eaten back": N_("{seat} is caught and eaten at {place}"),
    "home": N_("{seat} is home: {points}"),
    "round ended": N_("round {n} is over: {scores}"),
    "round began": N_("round {n}: {seat} starts"),
    "own out": N_("{role} → {place} · {tabas}"),
    "own well": N_("at the well, {paid}/{of} paid · {tabas}"),
    "own hyena well": N_("hyena at the well, {paid}/{of} paid · {tabas}"),
    "own back": N_("{role} ← {place} · {tabas}"),
    "own home": N_("{role}, home"),
    "own eaten": N_("{role}, eaten"),
    "villager": N_("villager"),
    "hyena": N_("hyena"),
    "villager village": N_("villager, in the village"),
    "hyena village": N_("hyena, in the village"),
    "villager out": N_("villager at {place}, on the way out"),
    "villager well": N_("villager at the well, {paid} of {of} fees paid"),
    "villager back": N_("villager at {place}, on the way home"),
    "villager home": N_("villager, home"),
    "villager eaten": N_("villager, eaten"),
    "hyena out": N_("hyena at {place}, on the way out"),
    "hyena well": N_("hyena at the well, {paid} of {of} fees paid"),
    "hyena back": N_("hyena at {place}, on the way home"),
    "place": N_("You can't pick a space: the throw or the steps bought decide where {seat} goes."),
}
"""Messages that the code looks up by keys computed at run time."""


PLACE = P_("place on the spiral", "space {n}")
"""Phrase for a space between the village and the well, worded to follow "at" or "to"."""
