"""What is said where games are made, in French."""

from __future__ import annotations

from .template import Template

TEXTS: dict[str, Template] = {
    "home.design": "Créer un jeu  Ctrl+D",
    "home.design.title": "Créer un jeu",
    "home.design.below": "Vos propres règles, essayées aussitôt",
    "design.first": "title: Mon jeu\nplayers: 2\nturn:\n  - place: own\nend:\n  - when: stuck\n    lose: mover\n",
    "design.unnamed": "Encore sans titre",
    "design.text": "Texte",
    "design.board": "Plateau",
    "design.new": "Nouveau",
    "design.new.tip": "Partir de rien  Ctrl+N",
    "design.save": "Garder",
    "design.save.tip": "Garder parmi vos jeux  Ctrl+S",
    "design.try": "Essayer",
    "design.try.tip": "Y jouer  F5",
    "design.reading": "Lecture…",
    "design.stuck": "La lecture est trop longue. Changez le texte, et il sera relu.",
    "design.mistakes": ("{n} erreur.", "{n} erreurs."),
    "design.before": "Le plateau montre le dernier texte correct.",
    "design.no-start": "Aucune erreur, mais ces règles ne permettent pas de jouer une partie.",
    "design.good": "Correct · {players} · {saved}",
    "design.saved": "gardé",
    "design.unsaved": "pas encore gardé",
    "design.not-kept": "Le brouillon n'a pas pu être gardé : {problem}",
    "design.not-yet": "Il n'y a pas encore de texte correct auquel on puisse jouer.",
    "design.trying": "Un essai : cette partie n'est pas gardée.",
    "design.anew": "Encore une fois",
}

KEYS: dict[str, tuple[str, str]] = {
    "write-words": ("Ctrl+Espace", "les mots possibles ici"),
    "write-indent": ("Tab, Maj+Tab", "décaler, revenir"),
    "write-undo": ("Ctrl+Z, Ctrl+Y", "annuler, rétablir"),
    "write-leave": ("Échap", "quitter le texte, la page"),
    "write-copy": ("Ctrl+C, X, V", "copier, couper, coller"),
    "write-save": ("Ctrl+S", "garder"),
    "write-new": ("Ctrl+N", "partir de rien"),
    "write-try": ("F5", "essayer le jeu"),
}
