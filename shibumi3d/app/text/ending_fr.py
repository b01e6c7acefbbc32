"""What is said at the end of a match, and where films and pictures are made of it, in French."""

from __future__ import annotations

from .template import Template

TEXTS: dict[str, Template] = {
    "export.title": "Exporter",
    "export.kind": "En",
    "export.as.mp4": "vidéo",
    "export.as.gif": "GIF animé",
    "export.as.pdf": "plans, PDF",
    "export.as.svg": "plans, SVG",
    "export.as.png": "image",
    "export.as.postcard": "carte postale",
    "export.range": "Passage",
    "export.whole": "toute la partie",
    "export.from-here": "d'ici à la fin",
    "export.to-here": "du début à ici",
    "export.size": "Taille",
    "export.speed": "Vitesse",
    "export.make": "Créer",
    "export.begins": "La création commence.",
    "export.left": ("Encore une seconde environ.", "Encore {n} secondes environ."),
    "export.made": "Le fichier est gardé : {path}.",
    "export.stopped": "Arrêté. Rien n'a été gardé.",
    "export.not-made": "Impossible à créer : {problem}.",
    "result.rematch": "Revanche",
    "result.again": "Rejouer",
    "result.swap": "Changer de place",
    "result.next": "Places suivantes",
    "result.swap.tip": "Revanche, chacun une place plus loin",
    "result.review": "Revoir",
    "result.fall": "Grande chute",
    "result.fall.tip": "Le tour de la plus grande chute, au ralenti et en boucle",
    "result.postcard": "Carte postale",
    "result.postcard.tip": "Une image de la fin, avec le jeu, les noms et la date, à garder ou à envoyer",
}
