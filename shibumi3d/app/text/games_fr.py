"""French of what is said to those who make games, by its English pattern: lines that tell a game, and hints."""

from __future__ import annotations

SHARED = {
    "the line is too long to be a game": "la ligne est trop longue pour un jeu",
    "a game in one line begins with {}": "un jeu en une ligne commence par {}",
    "the line is not whole": "la ligne n'est pas entière",
    "the line was written by a newer version of Shibumi 3D": "la ligne vient d'une version plus récente de Shibumi 3D",
    "the line holds more than a game may": "la ligne contient plus qu'un jeu ne peut avoir",
    "the line holds no text": "la ligne ne contient pas de texte",
}
JUDGED = {
    "Matches stop where nobody can do anything and no rule of the end decides: add one with 'when: stuck' or"
    " 'when: not able(everyone)'.": (
        "Des parties s'arrêtent là où personne ne peut rien faire et où aucune règle de fin ne décide : ajoutez-en une"
        " avec « when: stuck » ou « when: not able(everyone) »."
    ),
    "Matches go on for ever: forbid what takes back the turn before ('require'), or let every turn add something.": (
        "Des parties ne finissent jamais : interdisez ce qui défait le tour d'avant (« require »), ou faites que chaque"
        " tour ajoute quelque chose."
    ),
    "Matches are very short: ask for more in the end, or make the board larger.": (
        "Les parties sont très courtes : demandez plus pour finir, ou agrandissez le plateau."
    ),
    "Matches are very long: ask for less in the end, or make the board smaller.": (
        "Les parties sont très longues : demandez moins pour finir, ou réduisez le plateau."
    ),
    "A seat wins too often: let the others begin with something ('setup', 'vars'), or ask more of that seat.": (
        "Une place gagne trop souvent : donnez quelque chose aux autres au début (« setup », « vars »), ou demandez"
        " davantage à celle-là."
    ),
    "Many matches are drawn: name who wins among equals ('tie'), or compare one thing more ('most' with a list).": (
        "Beaucoup de parties sont nulles : dites qui gagne à égalité (« tie »), ou comparez une chose de plus"
        " (« most » avec une liste)."
    ),
    "There is hardly anything to choose: offer a second thing to do ('choose'), or more points ('at', 'to').": (
        "Il n'y a presque rien à choisir : offrez une deuxième action (« choose »), ou plus de points (« at », « to »)."
    ),
    "There is very much to choose: narrow it down ('at', 'to'), or let the choice come in two steps.": (
        "Il y a énormément à choisir : restreignez le choix (« at », « to »), ou faites-le en deux étapes."
    ),
    "Looking ahead hardly helps: less chance ('draw', 'deal'), or an aim that can be worked towards over several"
    " turns.": (
        "Voir plus loin n'aide guère : moins de hasard (« draw », « deal »), ou un but que l'on prépare en plusieurs"
        " tours."
    ),
    "It was never solved: ask for less in the end, or offer more to do.": (
        "Il n'a jamais été résolu : demandez moins pour finir, ou offrez plus d'actions."
    ),
    "It was always solved: ask for more in the end, or offer less to do.": (
        "Il a toujours été résolu : demandez plus pour finir, ou offrez moins d'actions."
    ),
    "judge a game by matches between computers: length, balance, draws, dead ends, choices, whether looking ahead "
    "helps, and what to change": (
        "juge un jeu par des parties entre ordinateurs : durée, équilibre, nulles, impasses, choix, si voir plus loin"
        " sert, et quoi changer"
    ),
    "Judge a game by matches between computers: length, balance, draws, dead ends, choices, whether looking ahead "
    "helps, and what to change.": (
        "Juge un jeu par des parties entre ordinateurs : durée, équilibre, nulles, impasses, choix, si voir plus loin"
        " sert, et quoi changer."
    ),
    "how many (default 500)": "combien (d'usage 500)",
}
