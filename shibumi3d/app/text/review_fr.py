"""What a match that is gone through turn by turn is told of, in French."""

from __future__ import annotations

from .template import Template

TEXTS: dict[str, Template] = {
    "review.alone": "qui joue seul n'est pas passé en revue ; « shibumi3d solve » cherche comment gagner",
    "review.not-over": "la partie n'est pas finie : « shibumi3d analyse » dit où elle en est",
    "review.better": "mieux : {moves}",
    "review.and": " ({told})",
    "review.missed": "laisse passer un gain en {turns}",
    "review.gave-win": "laisse échapper le gain",
    "review.gave-draw": "laisse échapper la nulle",
    "review.accuracy": "{name} : précision {percent}, {proved} des tours prouvés",
}
