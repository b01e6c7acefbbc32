"""French of what the verbs and words of the rule language mean, by the English of the reference."""

from __future__ import annotations

VERBS = {
    "a marble of one of these colours goes from a stock (the box) to a playable point of 'at' (any)": (
        "une bille d'une de ces couleurs va d'une réserve (box) à un point jouable de « at » (n'importe lequel)"
    ),
    "a movable marble of the set leaves the board for a stock (the box); what it carried drops": (
        "une bille mobile de l'ensemble quitte le plateau pour une réserve (box) ; ce qu'elle portait tombe"
    ),
    "a movable marble is lifted, drops settle, then it is put on another playable point of 'to' (any), or on a marble "
    "of 'onto', which is taken": (
        "une bille mobile est levée, les chutes se font, puis elle va sur un autre point jouable de « to » (n'importe "
        "lequel), ou sur une bille de « onto », qui est prise"
    ),
    "a marble comes in over an edge of a level above the board on to an edge point of 'at'; what is there is pushed "
    "on": (
        "une bille entre par un bord d'un niveau au-dessus du plateau, sur un point de bord de « at » ; ce qui s'y "
        "trouve est poussé"
    ),
    "one element of a set is chosen and named; nothing moves": (
        "un élément d'un ensemble est choisi et nommé ; rien ne bouge"
    ),
    "one marble of a chosen colour goes from a stock to another (each the box when left out)": (
        "une bille d'une couleur choisie va d'une réserve à une autre (box, si rien n'est dit)"
    ),
    "marbles of these colours go on every point of 'at', read for each colour, lower levels first": (
        "des billes de ces couleurs vont sur chaque point de « at », lu pour chaque couleur, les niveaux du bas d'abord"
    ),
    "every marble of the set leaves, from the top down, drops settling": (
        "chaque bille de l'ensemble s'en va, de haut en bas, et les chutes se font"
    ),
    "each marble of the set is exchanged for one of another colour from the box": (
        "chaque bille de l'ensemble est échangée contre une d'une autre couleur de box"
    ),
    "so many (1) marbles of each of these colours go from a stock to another": (
        "tant de billes (1) de chacune de ces couleurs vont d'une réserve à une autre"
    ),
    "so many marbles by chance, fewer if the stock runs out, to a stock or one each on the points of 'at'": (
        "tant de billes au hasard, moins si la réserve s'épuise, vers une réserve ou une par point de « at »"
    ),
    "points for a seat (me)": "des points pour une place (me)",
    "names values; a var keeps its value between turns": (
        "nomme des valeurs ; celles de vars restent d'un tour à l'autre"
    ),
    "names marbles; the name follows them wherever they drop or are pushed": (
        "nomme des billes ; le nom les suit où qu'elles tombent ou soient poussées"
    ),
    "whose turn comes next": "à qui est le tour suivant",
    "one of several programs: the first choice made decides which; with labels the label is the choice": (
        "un programme parmi plusieurs : le premier choix fait décide lequel ; avec des étiquettes, c'est l'étiquette"
    ),
    "a program that may be declined": "un programme que l'on peut refuser",
    "the first of several programs that can be carried out as a whole": (
        "le premier de plusieurs programmes qui peut se faire en entier"
    ),
    "a program again and again until it is impossible or changes nothing; or 'times' times, n or [least, most]": (
        "un programme encore et encore, jusqu'à ce qu'il soit impossible ou ne change rien ; ou « times » fois, n ou "
        "[moins, plus]"
    ),
    "a program when a condition holds, another when not": "un programme si une condition est vraie, un autre sinon",
    "what went before is impossible unless this holds; 'because' says so to whoever tries": (
        "ce qui précède est impossible si ceci n'est pas vrai ; « because » le dit à qui l'essaie"
    ),
    "of all ways through a program only those with the greatest value at its end": (
        "de toutes les façons de suivre un programme, celles seules qui finissent par la plus grande valeur"
    ),
    "these seats do it one after the other; secret: each sees only what it does itself until all are done": (
        "ces places le font l'une après l'autre ; secret : chacune ne voit que ce qu'elle fait, jusqu'à la fin"
    ),
    "a program on another board": "un programme sur un autre plateau",
}
PLACES = {
    "all points": "tous les points",
    "level A, the board": "le niveau A, le plateau",
    "the top point": "le point du sommet",
    "the west face, ridges included": "la face ouest, arêtes comprises",
    "the east face, ridges included": "la face est, arêtes comprises",
    "the south face, ridges included": "la face sud, arêtes comprises",
    "the north face, ridges included": "la face nord, arêtes comprises",
    "the levels, a list from the board up": "les niveaux, une liste à partir du plateau",
    "every run of 2 or more consecutive points, flat and orthogonal": (
        "toute suite de 2 points ou plus, à plat et droite"
    ),
    "every run of 2 or more consecutive points, flat and diagonal": (
        "toute suite de 2 points ou plus, à plat et en diagonale"
    ),
    "every run of 2 or more consecutive points straight across levels": (
        "toute suite droite de 2 points ou plus à travers les niveaux"
    ),
    "the flat lines that span their whole level from edge to edge or corner to corner": (
        "les lignes à plat qui traversent tout leur niveau, de bord à bord ou de coin à coin"
    ),
    "touching runs straight in plan, going up and down between levels as they like": (
        "les suites de points qui se touchent, droites vues d'en haut, montant et descendant à leur gré"
    ),
    "the side of the board": "le côté du plateau",
    "the number of seats": "le nombre de places",
    "a point by name: level, file, rank": "un point par son nom : niveau, colonne, rangée",
    "a shape wherever it fits: turned about the vertical, mirrored, upside down": (
        "une forme partout où elle tient : tournée, en miroir, renversée"
    ),
    "the highest level in a set, the board being 0; -1 for nothing": (
        "le plus haut niveau d'un ensemble, le plateau étant 0 ; -1 pour rien"
    ),
    "half-steps between two points in plan: along the files plus along the ranks": (
        "les demi-pas entre deux points vus d'en haut : le long des colonnes plus le long des rangées"
    ),
    "points in contact with any of a set, filled or not": "les points qui en touchent un de l'ensemble, occupés ou non",
    "diagonal neighbours on the level": "les voisins en diagonale sur le niveau",
    "the four points that each point of a set rests on": "les quatre points sur lesquels repose chacun de l'ensemble",
    "points that rest on any of a set, filled or not": "les points qui reposent sur un de l'ensemble, occupés ou non",
    "points without a marble": "les points sans bille",
    "points with a marble": "les points qui portent une bille",
    "empty holes, and empty points on four marbles": "les trous vides, et les points vides sur quatre billes",
    "marbles that support no marble": "les billes qui n'en portent aucune",
    "marbles that support no marble or just one": "les billes qui n'en portent aucune ou une seule",
    "marbles with none vertically above": "les billes sans aucune à l'aplomb",
    "where marbles placed in this turn stand now": "où sont les billes posées à ce tour",
    "where marbles moved in this turn stand now": "où sont les billes déplacées à ce tour",
    "where marbles that dropped in this turn stand now": "où sont les billes tombées à ce tour",
    "points filled when the turn (in a 'by', the seat's part of it) began and empty now": (
        "les points occupés au début du tour (dans un « by », de la part de la place) et vides maintenant"
    ),
    "where the marble in hand, or the one moved last in this turn, was lifted": (
        "d'où vient la bille en main, ou la dernière déplacée à ce tour"
    ),
    "marbles of any colour visibly connected to a set": (
        "les billes de toute couleur visiblement reliées à un ensemble"
    ),
    "all of a set is filled and visible, and no contact in it is cut": (
        "tout l'ensemble est occupé et visible, sans contact coupé"
    ),
    "groups formed by the marbles of a set: visible connections, one colour each": (
        "les groupes des billes d'un ensemble : liens visibles, une couleur chacun"
    ),
    "groups by touching alone, hidden marbles and contacts included": (
        "les groupes par simple contact, billes et contacts cachés compris"
    ),
    "marbles in the longest unbranched chain of visible connections of one colour": (
        "les billes de la plus longue chaîne visible, sans fourche, d'une couleur"
    ),
}
SEATS = {
    "white marbles; the colour white where a colour is expected": (
        "les billes blanches ; la couleur blanche où l'on attend une couleur"
    ),
    "black marbles; the colour black where a colour is expected": (
        "les billes noires ; la couleur noire où l'on attend une couleur"
    ),
    "red marbles; the colour red where a colour is expected": (
        "les billes rouges ; la couleur rouge où l'on attend une couleur"
    ),
    "all colours": "toutes les couleurs",
    "marbles (or the colour) of the seat that acts or is rated": (
        "les billes (ou la couleur) de la place qui agit ou que l'on évalue"
    ),
    "marbles (or the colours) of all other seats": "les billes (ou les couleurs) de toutes les autres places",
    "the empty set, of any type": "l'ensemble vide, de tout type",
    "the colour being placed, entered or moved, in 'at', 'to' and 'onto'": (
        "la couleur posée, entrée ou déplacée, dans « at », « to » et « onto »"
    ),
    "colours of the marbles taken in this turn": "les couleurs des billes prises à ce tour",
    "the seat that acts or is rated": "la place qui agit ou que l'on évalue",
    "the seat whose turn it is": "la place dont c'est le tour",
    "all seats": "toutes les places",
    "in 'tie': the seats that are equal at the top": "dans « tie » : les places à égalité en tête",
    "in 'series': the winners of the game just over": "dans « series » : les gagnants de la partie qui vient de finir",
    "the seat to act can do nothing": "la place qui doit agir ne peut rien faire",
    "in 'end': one of these seats could do more than pass if the next turn were its own": (
        "dans « end » : une de ces places pourrait faire mieux que passer si le tour suivant était le sien"
    ),
    "how many turns ago the boards last stood as now; 0 = never": (
        "depuis combien de tours les plateaux étaient comme maintenant ; 0 = jamais"
    ),
    "the colours that seats own": "les couleurs que possèdent des places",
    "the seats that own one of some colours": "les places qui possèdent une de ces couleurs",
    "the n-th seat in turn order, counted from 1": "la n-ième place dans l'ordre du tour, comptée depuis 1",
    "the following seat in turn order": "la place suivante dans l'ordre du tour",
    "the seat before in turn order": "la place précédente dans l'ordre du tour",
    "the last turn of each of these seats was a pass": "au dernier tour, chacune de ces places a passé",
    "the score of a seat; 'score' alone is that of me": "le score d'une place ; « score » seul est celui de me",
}
NUMBERS = {
    "the colours present among marbles or in a stock": "les couleurs présentes parmi des billes ou dans une réserve",
    "the most frequent colours of marbles or of a stock, several if equal": (
        "les couleurs les plus fréquentes de billes ou d'une réserve, plusieurs à égalité"
    ),
    "the least frequent colours, absent ones counting 0, several if equal": (
        "les couleurs les moins fréquentes, les absentes comptant 0, plusieurs à égalité"
    ),
    "the supply: every marble that is on no board and in no other stock": (
        "la provision : toute bille qui n'est sur aucun plateau ni dans une autre réserve"
    ),
    "X as read on another board": "X tel qu'il se lit sur un autre plateau",
    "how many points, sets, seats, colours or numbers; the marbles of a stock": (
        "combien de points, d'ensembles, de places, de couleurs ou de nombres ; les billes d'une réserve"
    ),
    "the sum of numbers, 0 of none": "la somme de nombres, 0 s'il n'y en a pas",
    "the greatest of numbers, 0 of none": "le plus grand de nombres, 0 s'il n'y en a pas",
    "the smallest of numbers, 0 of none": "le plus petit de nombres, 0 s'il n'y en a pas",
    "the product of numbers, 1 of none": "le produit de nombres, 1 s'il n'y en a pas",
    "at least one is true": "un au moins est vrai",
    "every one is true": "tous sont vrais",
    "the numbers from the first (0 when left out) up to, but not including, the last": (
        "les nombres du premier (0 si rien n'est dit) jusqu'au dernier, celui-ci exclu"
    ),
}
MEANINGS = {**VERBS, **PLACES, **SEATS, **NUMBERS}
