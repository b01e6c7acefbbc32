"""What a match that is gone through turn by turn is told of, in English."""

from __future__ import annotations

from .template import Template

TEXTS: dict[str, Template] = {
    "review.alone": "one who plays alone is not reviewed; 'shibumi3d solve' looks for a way to win",
    "review.not-over": "the match is not over: 'shibumi3d analyse' says how it stands",
    "review.proved": "proved",
    "review.about": "about",
    "review.line": "{mark}  {sure} {best} % → {played} %",
    "review.line-better": ". Better: {better}",
    "review.only": "{mark}  the only turn that holds",
    "review.told": "{line}.  {thought}",
    "review.then": ", then ",
    "review.button": "Review: who stood better, and where  A",
    "find.button": "Find the turn",
    "find.tip": "Look for something better in up to three of your own turns",
    "find.going": "Going through the match: {part} %.",
    "find.none": "No turn of yours gave much away.",
    "find.found": "Found: {number} of {most}.",
    "find.ask": "Turn {turn} – {told}. There was better.",
    "find.show": "Show",
    "find.next": "Next",
    "find.looking": "Looking at that.",
    "find.right": "{told}: that is it. {why}.",
    "find.shown": "{told}. {why}.",
    "find.wins": "It wins for sure",
    "find.wins-in": ("It wins at once", "It wins in {n} turns"),
    "find.holds": "It holds the draw",
    "find.instead": "About {best} % to win, instead of {played} %",
    "find.answered": "{told}. Then {answer}. Try something else.",
    "find.other": "{told}. There is better. Try something else.",
    "review.better": "better: {moves}",
    "review.and": " ({told})",
    "review.missed": "missed a win in {turns}",
    "review.gave-win": "gave the win away",
    "review.gave-draw": "gave the draw away",
    "review.accuracy": "{name}: accuracy {percent}, {proved} of the turns proved",
}
