"""What is heard: names of what is seen, and answers to questions, in French."""

from __future__ import annotations

from .template import Template

TEXTS: dict[str, Template] = {
    "empty": "vide",
    "may.choose": "peut être choisi",
    "heard.board": "Plateau",
    "heard.groups": "Groupes de jeux",
    "heard.games": "Jeux",
    "heard.players": "Nombre de joueurs",
    "heard.length": "Durée",
    "heard.level": "Difficulté",
    "heard.tabs": "Pages du côté",
    "heard.level-of": "niveau {letter}",
    "heard.row": "rangée {number} : {told}",
    "heard.column": "colonne {letter} : {told}",
    "heard.carries": ("en porte {n}", "en porte {n}"),
    "heard.fixed": "ne peut bouger",
    "heard.saved": "Parties gardées",
    "heard.moves": "Coups",
    "heard.turns": "Tours",
    "heard.table": "Table",
    "heard.choices": "Ce qui peut être choisi",
    "heard.kinds": "Genres de problèmes",
    "heard.problems": "Problèmes",
    "heard.results": "Résultats par jeu",
    "heard.kept-filter": "Parties montrées",
    "heard.editor": "Texte du jeu",
    "heard.design": "Texte ou mécanismes",
    "heard.line": "Moment de la partie",
    "heard.to-move": "À qui de jouer",
    "heard.size": "Taille du plateau",
    "asked.nothing": "Rien n'a encore été joué",
    "asked.did": "{who} : {did}",
    "asked.empty": "rien",
    "asked.level": "{level} : {told}",
    "asked.points": "{points} points",
    "asked.nothing-own": "rien en propre",
    "asked.choices": ("{n} choix", "{n} choix"),
    "asked.choice": "{number} sur {of} : {told}",
}
