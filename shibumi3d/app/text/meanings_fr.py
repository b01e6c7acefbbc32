"""French of what the verbs and words of the rule language mean, by ``verb.`` or ``word.`` and the name."""

from __future__ import annotations

VERBS = {
    "verb.place": (
        "une bille d'une de ces couleurs va d'une réserve (box) à un point jouable de « at » (n'importe lequel)"
    ),
    "verb.take": (
        "une bille mobile de l'ensemble quitte le plateau pour une réserve (box) ; ce qu'elle portait tombe"
    ),
    "verb.move": (
        "une bille mobile est levée, les chutes se font, puis elle va sur un autre point jouable de « to » (n'importe "
        "lequel), ou sur une bille de « onto », qui est prise"
    ),
    "verb.enter": (
        "une bille entre par un bord d'un niveau au-dessus du plateau, sur un point de bord de « at » ; ce qui s'y "
        "trouve est poussé"
    ),
    "verb.pick": ("un élément d'un ensemble est choisi et nommé ; rien ne bouge"),
    "verb.give": ("une bille d'une couleur choisie va d'une réserve à une autre (box, si rien n'est dit)"),
    "verb.put": (
        "des billes de ces couleurs vont sur chaque point de « at », lu pour chaque couleur, les niveaux du bas d'abord"
    ),
    "verb.remove": ("chaque bille de l'ensemble s'en va, de haut en bas, et les chutes se font"),
    "verb.recolour": ("chaque bille de l'ensemble est échangée contre une d'une autre couleur de box"),
    "verb.deal": ("tant de billes (1) de chacune de ces couleurs vont d'une réserve à une autre"),
    "verb.draw": (
        "tant de billes au hasard, moins si la réserve s'épuise, vers une réserve ou une par point de « at »"
    ),
    "verb.score": "donne des points à un joueur (me, si rien n'est dit)",
    "verb.let": ("nomme des valeurs ; celles de vars restent d'un tour à l'autre"),
    "verb.mark": ("nomme des billes ; le nom les suit où qu'elles tombent ou soient poussées"),
    "verb.next": "à qui est le tour suivant",
    "verb.choose": (
        "un programme parmi plusieurs : le premier choix fait décide lequel ; avec des étiquettes, c'est l'étiquette"
    ),
    "verb.may": "un programme que l'on peut refuser",
    "verb.first": ("le premier de plusieurs programmes qui peut se faire en entier"),
    "verb.repeat": (
        "répète un programme jusqu'à ce qu'il soit impossible ou ne change rien ; ou « times » fois, n ou "
        "[moins, plus]"
    ),
    "verb.if": "un programme si une condition est vraie, un autre sinon",
    "verb.require": (
        "ce qui précède est impossible si ceci n'est pas vrai ; « because » le dit à qui l'essaie"
    ),
    "verb.best": (
        "de toutes les façons de suivre un programme, celles seules qui finissent par la plus grande valeur"
    ),
    "verb.by": (
        "ces joueurs agissent l'un après l'autre ; secret : chacun ne voit que ses propres choix, jusqu'à la fin"
    ),
    "verb.board": "un programme sur un autre plateau",
}
PLACES = {
    "word.points": "tous les points",
    "word.holes": "le niveau A, le plateau",
    "word.apex": "le point du sommet",
    "word.west": "la face ouest, arêtes comprises",
    "word.east": "la face est, arêtes comprises",
    "word.south": "la face sud, arêtes comprises",
    "word.north": "la face nord, arêtes comprises",
    "word.levels": "les niveaux, une liste à partir du plateau",
    "word.rows": ("toute suite de 2 points ou plus, à plat et droite"),
    "word.diagonals": ("toute suite de 2 points ou plus, à plat et en diagonale"),
    "word.slopes": ("toute suite droite de 2 points ou plus à travers les niveaux"),
    "word.full_lines": (
        "les lignes à plat qui traversent tout leur niveau, de bord à bord ou de coin à coin"
    ),
    "word.sight_lines": (
        "les suites de points qui se touchent, droites vues d'en haut, pouvant monter et descendre"
    ),
    "word.size": "la largeur du plateau, en points",
    "word.players": "le nombre de joueurs",
    "word.Aa1": "un point par son nom : niveau, colonne, rangée",
    "word.copies": ("une forme partout où elle tient : tournée, en miroir, renversée"),
    "word.level": ("le plus haut niveau d'un ensemble, le plateau étant 0 ; -1 pour rien"),
    "word.steps": (
        "les demi-pas entre deux points vus d'en haut : le long des colonnes plus le long des rangées"
    ),
    "word.touching": "les points qui en touchent un de l'ensemble, occupés ou non",
    "word.diagonal_to": "les voisins en diagonale sur le niveau",
    "word.supports": "les quatre points sur lesquels repose chacun de l'ensemble",
    "word.resting_on": "les points qui reposent sur un de l'ensemble, occupés ou non",
    "word.empty": "les points sans bille",
    "word.filled": "les points qui portent une bille",
    "word.playable": "les trous vides, et les points vides sur quatre billes",
    "word.free": "les billes qui n'en portent aucune",
    "word.movable": "les billes qui n'en portent aucune ou une seule",
    "word.visible": "les billes sans aucune à l'aplomb",
    "word.placed": "où sont les billes posées à ce tour",
    "word.moved": "où sont les billes déplacées à ce tour",
    "word.fallen": "où sont les billes tombées à ce tour",
    "word.vacated": (
        "les points occupés au début du tour (dans un « by », de la part du joueur) et vides maintenant"
    ),
    "word.origin": ("d'où vient la bille en main, ou la dernière déplacée à ce tour"),
    "word.linked": ("les billes de toute couleur visiblement reliées à un ensemble"),
    "word.seen": ("tout l'ensemble est occupé et visible, sans contact coupé"),
    "word.groups": ("les groupes des billes d'un ensemble : liens visibles, une couleur chacun"),
    "word.full_groups": ("les groupes par simple contact, billes et contacts cachés compris"),
    "word.longest_path": ("les billes de la plus longue chaîne visible, sans fourche, d'une couleur"),
}
SEATS = {
    "word.white": ("les billes blanches ; la couleur blanche où l'on attend une couleur"),
    "word.black": ("les billes noires ; la couleur noire où l'on attend une couleur"),
    "word.red": ("les billes rouges ; la couleur rouge où l'on attend une couleur"),
    "word.all_colours": "toutes les couleurs",
    "word.own": ("les billes (ou la couleur) du joueur qui agit ou que l'on évalue"),
    "word.enemy": "les billes (ou les couleurs) de tous les autres joueurs",
    "word.none": "l'ensemble vide, de tout type",
    "word.colour": ("la couleur posée, entrée ou déplacée, dans « at », « to » et « onto »"),
    "word.taken": "les couleurs des billes prises à ce tour",
    "word.me": "le joueur qui agit ou que l'on évalue",
    "word.mover": "le joueur dont c'est le tour",
    "word.everyone": "tous les joueurs",
    "word.tied": "dans « tie » : les joueurs à égalité en tête",
    "word.winners": "dans « series » : les gagnants de la partie qui vient de finir",
    "word.stuck": "le joueur qui doit agir ne peut rien faire",
    "word.able": (
        "dans « end » : un de ces joueurs pourrait faire mieux que passer si le tour suivant était le sien"
    ),
    "word.repeats": ("depuis combien de tours les plateaux étaient comme maintenant ; 0 = jamais"),
    "word.of": "les couleurs que possèdent ces joueurs",
    "word.owner": "les joueurs qui possèdent une de ces couleurs",
    "word.seat": "le n-ième joueur dans l'ordre du tour, compté depuis 1",
    "word.next": "le joueur suivant dans l'ordre du tour",
    "word.previous": "le joueur précédent dans l'ordre du tour",
    "word.passed": "chacun de ces joueurs a passé à son dernier tour",
    "word.score": "le score d'un joueur ; « score » seul est celui de me",
}
NUMBERS = {
    "word.colours": "les couleurs présentes parmi des billes ou dans une réserve",
    "word.commonest": ("les couleurs les plus fréquentes de billes ou d'une réserve, plusieurs à égalité"),
    "word.rarest": ("les couleurs les moins fréquentes, les absentes comptant 0, plusieurs à égalité"),
    "word.box": ("la réserve générale : toute bille qui n'est sur aucun plateau ni dans une autre réserve"),
    "word.on": "X, évalué sur un autre plateau",
    "word.count": (
        "combien de points, d'ensembles, de joueurs, de couleurs ou de nombres ; les billes d'une réserve"
    ),
    "word.sum": "la somme de nombres, 0 s'il n'y en a pas",
    "word.max": "le plus grand de nombres, 0 s'il n'y en a pas",
    "word.min": "le plus petit de nombres, 0 s'il n'y en a pas",
    "word.prod": "le produit de nombres, 1 s'il n'y en a pas",
    "word.any": "un au moins est vrai",
    "word.all": "tous sont vrais",
    "word.range": ("les nombres du premier (0 si rien n'est dit) jusqu'au dernier, celui-ci exclu"),
}
MEANINGS = {**VERBS, **PLACES, **SEATS, **NUMBERS}
