"""What a match that is gone through turn by turn is told of, in French."""

from __future__ import annotations

from .template import Template

TEXTS: dict[str, Template] = {
    "review.alone": "qui joue seul n'est pas passé en revue ; « shibumi3d solve » cherche comment gagner",
    "review.not-over": "la partie n'est pas finie : « shibumi3d analyse » dit où elle en est",
    "review.proved": "prouvé",
    "review.about": "environ",
    "review.line": "{mark}  {sure} {best} % → {played} %",
    "review.line-better": ". Mieux : {better}",
    "review.only": "{mark}  le seul tour qui tient",
    "review.told": "{line}.  {thought}",
    "review.then": ", puis ",
    "review.button": "Revue : qui était mieux, et où  A",
    "find.button": "Trouver le tour",
    "find.tip": "Chercher mieux dans trois de vos tours au plus",
    "find.going": "La partie est passée en revue : {part} %.",
    "find.none": "Aucun de vos tours n'a laissé échapper grand-chose.",
    "find.found": "Trouvés : {number} sur {most}.",
    "find.ask": "Tour {turn} – {told}. Il y avait mieux.",
    "find.show": "Montrer",
    "find.next": "Suivant",
    "find.looking": "Un instant.",
    "find.right": "{told} : c'est cela. {why}.",
    "find.shown": "{told}. {why}.",
    "find.wins": "Cela gagne à coup sûr",
    "find.wins-in": ("Cela gagne tout de suite", "Cela gagne en {n} tours"),
    "find.holds": "Cela tient la nulle",
    "find.instead": "Environ {best} % de gagner, au lieu de {played} %",
    "find.answered": "{told}. Puis {answer}. Essayez autre chose.",
    "find.other": "{told}. Il y a mieux. Essayez autre chose.",
    "review.better": "mieux : {moves}",
    "review.and": " ({told})",
    "review.missed": "laisse passer un gain en {turns}",
    "review.gave-win": "laisse échapper le gain",
    "review.gave-draw": "laisse échapper la nulle",
    "review.accuracy": "{name} : précision {percent}, {proved} des tours prouvés",
}
