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
    "heard.title": "Jouer sans voir",
    "heard.text": (
        "Tout se fait au clavier, et tout peut s'entendre. Le point d'interrogation énumère les touches d'une"
        " page, Tab passe d'une chose à la suivante, Entrée l'active, Échap revient en arrière.\n\n"
        "## Avec un lecteur d'écran\n\n"
        "La fenêtre nomme boutons, champs, listes et dialogues, dans l'ordre de lecture. Les plateaux se "
        "disent point par point, niveau par niveau : « Ab2, blanche, porte 2 » est une bille, « Ab2, vide, "
        "finit le tour » une place à choisir. L'activer, c'est la choisir. Ce qui arrive est annoncé, chaque "
        "chose une fois. Ce que vous n'avez pas le droit de voir ne se dit pas.\n\n"
        "Là où aucun lecteur n'est servi, le titre de la fenêtre le dit : *Réglages*, *Son*, *Lecture "
        "vocale*, *dans le titre*.\n\n"
        "## Cinq questions\n\n"
        "Partout où il y a une table, cinq touches l'interrogent, et la réponse est lue.\n\n"
        "- **F3** : le dernier tour.\n"
        "- **F4** : ce qui se trouve sous le curseur, dans sa rangée et sa colonne et à son niveau ; sinon un"
        " niveau après l'autre.\n"
        "- **F7** : ce qui est à vous, votre but, ce que vous pouvez encore prendre, vos points.\n"
        "- **F8** : combien de choix il y a ; encore une fois : l'un après l'autre.\n"
        "- **F9** : à qui de jouer, et les pendules.\n\n"
        "## Sur le plateau\n\n"
        "Tab et les flèches vont d'un point à l'autre, Entrée choisit. La barre oblique écrit un coup. H donne un "
        "indice, Ctrl+Z reprend un coup.\n\n"
        "## Dans un terminal\n\n"
        "« shibumi3d play spline --text » joue n'importe quel jeu en lignes simples ; « help » en énumère les"
        " mots."
    ),
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
    "heard.colours": "Couleurs",
    "heard.marked": "marqué",
    "heard.best": "meilleur tour, rang {number}",
    "heard.key": "touche {keys}",
    "heard.night": "Couleurs de nuit",
    "heard.sound": "Son  M",
    "heard.seed": "Tirage",
    "heard.path": "Chemin d'un fichier à ouvrir",
    "heard.search-saved": "Chercher une partie enregistrée",
    "heard.adapts": "s'adapte à moi",
    "heard.plays": "Place {seat} : {who}",
    "heard.clock": "Pendule : {pace}",
    "heard.no-clock": "aucune",
    "heard.picked": "Choisi : {things}",
    "heard.back-to": "Retour : {page}",
    "heard.leave": "Quitter cet exercice. {back}",
    "heard.move-back": "Reculer d'un coup  ←",
    "heard.move-on": "Avancer d'un coup  →",
    "heard.and": "et",
    "heard.chosen": "choisie",
    "asked.nothing": "Rien n'a encore été joué",
    "asked.did": "{who} : {did}",
    "asked.empty": "rien",
    "asked.level": "{level} : {told}",
    "asked.points": ("{points} point", "{points} points"),
    "asked.nothing-own": "rien en propre",
    "asked.choices": ("{n} choix", "{n} choix"),
    "asked.choice": "{number} sur {of} : {told}",
}
