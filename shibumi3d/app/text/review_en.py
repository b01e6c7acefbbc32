"""What a match that is gone through turn by turn is told of, in English."""

from __future__ import annotations

from .template import Template

TEXTS: dict[str, Template] = {
    "review.alone": "one who plays alone is not reviewed; 'shibumi3d solve' looks for a way to win",
    "review.not-over": "the match is not over: 'shibumi3d analyse' says how it stands",
    "review.better": "better: {moves}",
    "review.and": " ({told})",
    "review.missed": "missed a win in {turns}",
    "review.gave-win": "gave the win away",
    "review.gave-draw": "gave the draw away",
    "review.accuracy": "{name}: accuracy {percent}, {proved} of the turns proved",
}
