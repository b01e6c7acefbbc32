"""French of what is said below the window, by its English pattern."""

from __future__ import annotations

from .games_fr import JUDGED, SHARED
from .meanings_fr import MEANINGS
from .terminal_fr import HELP, TERMINAL

RECORDS = {
    "'{}' is too late: the match is over": "« {} » vient trop tard : la partie est finie",
    "seats are swapped instead of the second turn, where that was agreed": (
        "on échange les places au lieu de jouer le deuxième tour, là où c'est convenu"
    ),
    "nobody can play on": "personne ne peut continuer",
    "the series is over": "la série est terminée",
    "the position stood three times": "la position s'est présentée trois fois",
    "the time was up": "le temps était écoulé",
    "nobody's time is up": "personne n'a épuisé son temps",
    "nobody loses by the clock here": "personne ne perd ici à la pendule",
    "'{}' is no clock: 10+5 is ten minutes and five seconds a turn, 30s is a turn": (
        "« {} » n'est pas une pendule : 10+5 fait dix minutes, et cinq secondes par tour ; 30s compte un tour"
    ),
    "'{}' is no clock: it gives from a second to a day": (
        "« {} » n'est pas une pendule : elle donne d'une seconde à un jour"
    ),
    "clock: {}": "clock : {}",
    "clock: expected a pace and what is left, in format 2": (
        "clock : il faut un rythme et ce qui reste, au format 2"
    ),
    "clock: expected the seconds left to each of the seats": (
        "clock : il faut les secondes qui restent à chaque place"
    ),
    "this game has no handicap in marbles": "ce jeu ne permet pas de handicap en billes",
    "a player can't begin with so few marbles": "un joueur ne peut pas débuter avec si peu de billes",
    "the box does not hold so many marbles more": "la boîte n'a pas tant de billes à donner",
    "player {} begins with no '{}'": "le joueur {} n'a pas de « {} » au début",
    "a handicap is written as in 1+W,2-B, not as '{}'": "un handicap s'écrit comme 1+W,2-B, pas « {} »",
    "seats can't be swapped in {}: that is for two, without secrets and chance": (
        "on n'échange pas les places à {} : c'est pour deux, sans secret ni hasard"
    ),
    "{} has no clocks: several choose at once": "{} se joue sans pendule : plusieurs choisissent à la fois",
    "a draw is claimed when a position stands for the third time": (
        "la nulle se demande quand une position se présente pour la troisième fois"
    ),
    "'{}': nothing is asked of seat {} now": "« {} » : rien n'est demandé à la place {} en ce moment",
    "the history has {} moves, not {}": "l'historique compte {} coups, pas {}",
    "a match that was begun in the middle can't be saved": (
        "une partie commencée en cours de route ne peut pas être gardée"
    ),
    "the record is of {}, not of {}": "le fichier est une partie de {}, pas de {}",
    "the record is of {} with {}, not {}": "le fichier est une partie de {} avec {}, pas {}",
    "the record can't be set up: {}": "la partie ne peut pas être mise en place : {}",
    "the record does not replay: in turn {}, {}": "la partie ne se rejoue pas : au tour {}, {}",
    "the record does not replay: a variation leaves it after {} moves": (
        "la partie ne se rejoue pas : une variante la quitte après {} coups"
    ),
    "the record does not replay: in a variation, {}": "la partie ne se rejoue pas : dans une variante, {}",
    "variations: expected a list of {after: …, moves: …}": (
        "variations : une liste de {after: …, moves: …} est attendue"
    ),
    "the record says {}, but its moves lead to {}": "le fichier annonce {}, mais ses coups mènent à {}",
    "the match could not be saved: {}": "la partie n'a pas pu être gardée : {}",
    "the file of the game, {}, {}": "le fichier du jeu, {}, {}",
    "is gone": "n'est plus là",
    "can't be read": "ne peut pas être lu",
    "{} on size {}": "{} de taille {}",
    "no result yet": "une partie en cours",
    "nobody wins": "que personne ne gagne",
    "{} wins": "la victoire de {}",
    "{} wins ({})": "la victoire de {} ({})",
    "{} wins with {}": "la victoire de {} avec {}",
    "{} wins with {} ({})": "la victoire de {} avec {} ({})",
    "{} is not overwritten: {}": "{} n'est pas remplacé : {}",
    "{} can't be read: {}": "{} ne peut pas être lu : {}",
    "the record can't be replayed: {}": "la partie ne peut pas être rejouée : {}",
    "{} can't be read: it is not a file": "{} ne peut pas être lu : ce n'est pas un fichier",
    "{} is larger than {} KB": "{} dépasse {} Ko",
    "the record": "la partie",
    "{} is not a Shibumi 3D record": "{} n'est pas une partie de Shibumi 3D",
    "{} was written by a newer version of Shibumi 3D (format {}; this one reads up to {})": (
        "{} vient d'une version plus récente de Shibumi 3D (format {} ; celle-ci lit jusqu'à {})"
    ),
    "{} is broken at line {}: {}": "{} est abîmé à la ligne {} : {}",
    "shibumi3d: expected the format, a number up to {}": "shibumi3d : un nombre jusqu'à {} est attendu, le format",
    "unknown key '{}'": "clé inconnue « {} »",
    "seats: nothing is seen of the name of seat {}": "seats : rien ne se voit du nom de la place {}",
    "seats: expected the names of the players": "seats : les noms des joueurs sont attendus",
    "players: expected who plays each of the seats": "players : qui tient chaque place est attendu",
    "hints: expected how many each of the seats was given, in format 2": (
        "hints : le nombre d'indices reçus à chaque place est attendu, au format 2"
    ),
    "options: expected a mapping of names to values, in format 2": (
        "options : des noms avec leurs valeurs sont attendus, au format 2"
    ),
    "position: expected {boards: …, to-move: …, phase: …, stocks: …}, in format 2": (
        "position : {boards: …, to-move: …, phase: …, stocks: …} est attendu, au format 2"
    ),
    "{} can't begin at a position": "{} ne peut pas commencer dans une position",
    "options: {}: expected a whole number or a word": "options : {} : un nombre entier ou un mot est attendu",
    "{}: expected a text": "{} : un texte est attendu",
    "{}: expected true or false": "{} : true ou false est attendu",
    "{}: expected a whole number": "{} : un nombre entier est attendu",
    "{}: expected a list of texts": "{} : une liste de textes est attendue",
    "{}: expected a list of whole numbers": "{} : une liste de nombres entiers est attendue",
    "{}: '{}' is not a turn": "{} : « {} » n'est pas un tour",
    "deal: expected a mapping of stocks to letters": "deal : des réserves avec leurs lettres sont attendues",
    "result: expected winners, scores and reason": "result : winners, scores et reason sont attendus",
    "result: winners are seats from 1 to {}": "result : les gagnants sont des places de 1 à {}",
    "reason: expected a text": "reason : un texte est attendu",
}
"""Of records of matches."""

FILES = {
    "there is no game '{}'{}": "il n'y a pas de jeu « {} »{}",
    "can't be read: {}": "ne peut pas être lu : {}",
    "there is a game '{}' already; a file with another name can extend it": (
        "il y a déjà un jeu « {} » ; un fichier d'un autre nom peut l'étendre"
    ),
    "extends: expected the id of a game": "extends : le nom de fichier d'un jeu est attendu",
    "extends: there is no game '{}'{}": "extends : il n'y a pas de jeu « {} »{}",
    "extends itself: {}": "s'étend lui-même : {}",
    "extends: '{}' is broken": "extends : « {} » a des erreurs",
    "extends: more than {} games, one under the other": "extends : plus de {} jeux l'un sous l'autre",
    "file name '{}': expected small letters, digits and '-', as in 'spline-plus.yaml'": (
        "nom de fichier « {} » : des minuscules, des chiffres et « - » sont attendus, comme « spline-plus.yaml »"
    ),
    "a game file is a mapping of keys such as 'title' and 'turn'": (
        "un fichier de jeu est fait de clés telles que « title » et « turn »"
    ),
    "extends: with what this file changes, {} does not hold: {}": (
        "extends : avec ce que ce fichier change, {} ne tient plus : {}"
    ),
    "unknown {} '{}'{}": "{} : « {} » est inconnu{}",
    "unknown key of {} '{}'{}": "{} : clé inconnue, « {} »{}",
    "{}: unknown word '{}'{}": "{} : mot inconnu « {} »{}",
    "; expected one of {}": " ; est attendu l'un de {}",
    "{}: expected {}": "{} : attendu : {}",
    "a text": "un texte",
    "a text of which something is seen": "un texte dont quelque chose se voit",
    "a list of texts": "une liste de textes",
    "true or false": "true ou false",
    "whole numbers from {} to {}": "des nombres entiers de {} à {}",
    "a number from {} to {}": "un nombre de {} à {}",
    "a whole number from {} to {}": "un nombre entier de {} à {}",
    "a list of numbers from {} to {}": "une liste de nombres de {} à {}",
    "a list of whole numbers": "une liste de nombres entiers",
    "{} whole numbers": "{} nombres entiers",
    "{} from {} to {}": "{} de {} à {}",
    "numbers from {} to {} by number from {} to {}": "des nombres de {} à {} par nombre de {} à {}",
    "{}, as in {{}: {}}": "{}, comme dans {{}: {}}",
    "a list of mappings": "une liste de tables",
    "key of {}": "clé de {}",
    "a mapping with {}": "une table avec {}",
    "a mapping of names to texts by language": "une table de noms avec des textes par langue",
    "numbers by board size, as in {4: 27}, sizes from {} to {}": (
        "des nombres par taille de plateau, comme dans {4: 27}, pour des tailles de {} à {}"
    ),
    "a number from 1 to 10, or the least and the most: [2, 3]": (
        "un nombre de 1 à 10, ou le moins et le plus : [2, 3]"
    ),
    "{}: expected a mapping of keys": "{} : une table de clés est attendue",
    "{}: not a mapping": "{} : ce n'est pas une table",
    "the file is larger than {} KB": "le fichier dépasse {} Ko",
    "the file is not UTF-8 text (byte 0x{})": "le fichier n'est pas du texte UTF-8 (octet 0x{})",
    "the file is {} text, not UTF-8": "le fichier est du texte {}, et non UTF-8",
    "the file is empty": "le fichier est vide",
    "a file holds one document; a second one begins here ('---')": (
        "un fichier tient un document ; un second commence ici (« --- »)"
    ),
    "values are nested more than {} deep": "les valeurs s'emboîtent sur plus de {} étages",
    "tag '{}' has no meaning here; quote a value that starts with '!'": (
        "l'étiquette « {} » n'a pas de sens ici ; mettez entre guillemets une valeur qui commence par « ! »"
    ),
    "anchor '&{}' names nothing; quote a value that starts with '&'": (
        "l'ancre « &{} » ne nomme rien ; mettez entre guillemets une valeur qui commence par « & »"
    ),
    "the file holds more than {} values, aliases written out": (
        "le fichier tient plus de {} valeurs, renvois compris"
    ),
    "alias '*{}' names nothing before it; quote a value that starts with '*'": (
        "le renvoi « *{} » ne nomme rien avant lui ; mettez entre guillemets une valeur qui commence par « * »"
    ),
    "alias '*{}' stands inside the value it names": "le renvoi « *{} » se trouve dans la valeur qu'il nomme",
    "a key must be a word{}": "une clé est un mot{}",
    ", not a list or a mapping": ", non une liste ou une table",
    "merge keys ('<<') have no meaning here": "les clés de fusion (« << ») n'ont pas de sens ici",
    "key '{}' stands twice; first at line {}": "la clé « {} » est donnée deux fois, d'abord à la ligne {}",
    "no value follows '{}'; quote an expression that {}": (
        "aucune valeur ne suit « {} » ; mettez entre guillemets une expression qui {}"
    ),
    "starts with '{'": "commence par « { »",
    "holds ', '": "contient « , »",
    "the file holds a character that is not text": "le fichier contient un signe qui n'est pas du texte",
    "a sign stands here that ends files under DOS (0x1a); take it out": (
        "ici se trouve le signe qui termine les fichiers sous DOS (0x1a) ; enlevez-le"
    ),
    "reading it failed: {}": "sa lecture a échoué : {}",
    "this is not YAML{}": "ce n'est pas du YAML{}",
    "; indent with spaces, not with tabs": " ; décalez par des espaces, non par des tabulations",
    "; quote a value that starts with '{}'": " ; mettez entre guillemets une valeur qui commence par « {} »",
    "; quote a value that holds ': '": " ; mettez entre guillemets une valeur qui contient « : »",
    "options: expected a mapping of names to values": "options : des noms avec leurs valeurs sont attendus",
    "options: a game has at most {}": "options : un jeu en a {} au plus",
    "option '{}': a name is made of small letters, joined by '_', and not size or variant": (
        "option « {} » : un nom est fait de minuscules, jointes par « _ », et n'est ni size ni variant"
    ),
    "option '{}': expected {}": "option « {} » : attendu : {}",
    "values or a range, and the usual one": "des valeurs ou un intervalle, et celle d'usage",
    "key of option '{}'": "clé de l'option « {} »",
    "one of the values by number of players, from {} to {}": "une des valeurs par nombre de joueurs, de {} à {}",
    "one of its values: {}": "une de ses valeurs : {}",
    "either values or a range": "soit des valeurs, soit un intervalle",
    "a range of whole numbers: the least and the most, as in [1, 10]": (
        "un intervalle de nombres entiers : le plus petit et le plus grand, comme [1, 10]"
    ),
    "a list of whole numbers, or of words in small letters": (
        "une liste de nombres entiers, ou de mots en minuscules"
    ),
    "each value once": "chaque valeur une seule fois",
    "; it has {}": " ; il a {}",
    "; it has none": " ; il n'en a pas",
    "{} has no option '{}'{}": "{} n'a pas d'option « {} »{}",
    "{}: {} is one of {}, not '{}'": "{} : {} est l'un de {}, pas « {} »",
    "{} has no variant '{}'{}": "{} n'a pas de variante « {} »{}",
    "{} has no board that comes in sizes": "{} n'a pas de plateau à plusieurs tailles",
    "{} is not played on size {}, only on {}": "{} ne se joue pas en taille {}, seulement en {}",
    "title: expected a text of at most {} characters": "title : un texte de {} signes au plus est attendu",
    "a game needs a title": "il faut un titre au jeu",
    "variants: expected a mapping of names to keys": "variants : des noms avec leurs clés sont attendus",
    "variants: a game has at most {}": "variants : un jeu en a {} au plus",
    "variant '{}': a name is made of small letters and digits, joined by spaces or '-'": (
        "variante « {} » : un nom est fait de minuscules et de chiffres, joints par des espaces ou « - »"
    ),
    "variant '{}': expected a mapping of keys": "variante « {} » : une table de clés est attendue",
    ", did you mean '{}'?": ". Plutôt « {} » ?",
    "{} can't begin on a drawn position": "{} ne peut pas commencer sur une position dessinée",
    "{}: expected a mapping with moves and what to say of them": (
        "{} : une table est attendue, avec des coups et ce qu'il faut en dire"
    ),
    "example: expected {} to {} moves": "example : de {} à {} coups sont attendus",
    "try: expected one move": "try : un seul coup est attendu",
    "{}: say one sentence, or one for each move": "{} : une phrase, ou une par coup",
    "try: what the move does is missing": "try : ce que fait le coup manque",
    "; the match is over": " ; la partie est finie",
    "{}: the move '{}' is not possible there{}": "{} : le coup « {} » n'y est pas possible{}",
    "{}: the move '{}' does not {}": "{} : le coup « {} » ne fait pas « {} »",
    "try: the move '{}' does so too": "try : le coup « {} » le fait aussi",
    "{}: expected moves as they are written, such as W@Aa1": (
        "{} : des coups sont attendus comme ils s'écrivent, tel W@Aa1"
    ),
    "unknown deed '{}'{}": "effet inconnu « {} »{}",
    "stocks: expected letters of colours by stock, as in {hand: WWB}": (
        "stocks : des lettres de couleurs par réserve sont attendues, comme dans {hand: WWB}"
    ),
    "{}: expected letters of colours, or one text for each seat": (
        "{} : des lettres de couleurs sont attendues, ou un texte par place"
    ),
}
"""Of game files, as they are read."""

RULES = {
    "a game needs either 'turn' or 'phases'": "il faut à un jeu « turn » ou « phases »",
    "'phases' is a list of {turn: …, turns: n or until: …}": (
        "« phases » est une liste de {turn: …, turns: n ou until: …}"
    ),
    "a phase": "une phase",
    "a phase needs 'turn'": "il faut à une phase « turn »",
    "'turns' is a number of turns from 1": "« turns » est un nombre de tours, à partir de 1",
    "'end' is a list of rules": "« end » est une liste de règles",
    "a rule of 'end'": "une règle de « end »",
    "an end rule": "une règle de fin",
    "a stock": "une réserve",
    "a var": "une variable",
    "key of a phase": "clé d'une phase",
    "key of an end rule": "clé d'une règle de fin",
    "an end rule needs either 'when' or 'as_soon_as'": "il faut à une règle de fin « when » ou « as_soon_as »",
    "an end rule needs one of 'win', 'lose' and 'most'": (
        "il faut à une règle de fin « win », « lose » ou « most »"
    ),
    "'tie' belongs to 'most'": "« tie » va avec « most »",
    "key of 'series'": "clé de « series »",
    "'series' needs 'gain', and either 'games' or 'target'": (
        "il faut à « series » « gain », et « games » ou « target »"
    ),
    "'{}' is a number from 1 to 1000": "« {} » est un nombre de 1 à 1000",
    "key of 'boards'": "clé de « boards »",
    "'names' is a list of one to ten board names": "« names » est une liste d'un à dix noms de plateaux",
    "'{}' can't name a board: it is no plain name or stands twice": (
        "« {} » ne peut pas nommer un plateau : ce n'est pas un nom simple, ou il est donné deux fois"
    ),
    "who sees it can't change during the match": "ceux qui le voient ne peuvent pas changer en cours de partie",
    "'{}' can't name a stock: it is a word already or no plain name": (
        "« {} » ne peut pas nommer une réserve : c'est déjà un mot, ou ce n'est pas un nom simple"
    ),
    "the stock '{}'": "la réserve « {} »",
    "key of a stock": "clé d'une réserve",
    "the stock '{}' needs either 'each' or 'holds'": "il faut à la réserve « {} » « each » ou « holds »",
    "what a stock holds": "ce que tient une réserve",
    "what a stock holds can't hang on the match": (
        "ce que tient une réserve ne peut pas dépendre de la partie"
    ),
    "a stock holds from 0 to 10,000 marbles of a colour": (
        "une réserve tient de 0 à 10 000 billes d'une couleur"
    ),
    "the start position has size {}, the board {}": "la position de départ est de taille {}, le plateau de {}",
    "'{}' is not a name, nor a name with parameters like 'room(p)'": (
        "« {} » n'est pas un nom, ni un nom avec paramètres comme « room(p) »"
    ),
    "'{}' is a word of the language already": "« {} » est déjà un mot du langage",
    "a parameter of '{}' is a word of the language already": (
        "un paramètre de « {} » est déjà un mot du langage"
    ),
    "'{}' is defined by an expression": "« {} » se définit par une expression",
    "'{}' is named both by 'mark' and by 'let' or 'as'": (
        "« {} » est nommé à la fois par « mark » et par « let » ou « as »"
    ),
    "'{}' can't be a name: it is a word already or no plain name": (
        "« {} » ne peut pas être un nom : c'est déjà un mot, ou ce n'est pas un nom simple"
    ),
    "key of a var": "clé d'une variable",
    "the program is nested too deeply": "le programme s'emboîte trop profondément",
    "a step is expected: a mapping with one verb, or a list of steps": (
        "une étape est attendue : une table avec un verbe, ou une liste d'étapes"
    ),
    "unknown verb '{}'{}": "verbe inconnu « {} »{}",
    "a step needs a verb, one of {}": "il faut un verbe à une étape : {}",
    "a step has one verb: '{}' and '{}' are two": "une étape a un seul verbe : « {} » et « {} » en font deux",
    "it takes {}": "il prend {}",
    "it takes none": "il n'en prend pas",
    "'{}' has no '{}': {}{}": "« {} » n'a pas de « {} » : {}{}",
    "'as' gives a name: '{}' is none": "« as » donne un nom : « {} » n'en est pas un",
    "'{}' holds {}, what is chosen is {}": "« {} » tient {}, ce qui est choisi est {}",
    "'{}' needs 'do': the program to carry out": "il faut à « {} » « do » : le programme à faire",
    "{}, line {}": "{}, ligne {}",
    "{} is a mapping of names to values": "{} est une table de noms et de valeurs",
    ", giving {}": ", qui donne {}",
    "; quote one that starts with '{}'": " ; mettez entre guillemets celle qui commence par « {} »",
    "an expression is expected here{}{}": "une expression est attendue ici{}{}",
    "the expression is nested too deeply": "l'expression s'emboîte trop profondément",
    "it depends on the match": "cela dépend de la partie",
    "; the colours are {}": " ; les couleurs sont {}",
    "unknown colour '{}'{}": "couleur inconnue « {} »{}",
    "'seats' names {} colours for {} seats": "« seats » nomme {} couleurs pour {} places",
    "'seats' is a list of colours in turn order, or none": (
        "« seats » est une liste de couleurs dans l'ordre du tour, ou none"
    ),
    "the expression is nested deeper than {}": "l'expression s'emboîte sur plus de {} étages",
    "the expressions of the file have more than {} parts, defines put in": (
        "les expressions du fichier ont plus de {} parties, définitions comprises"
    ),
    "'{}' is not part of the rule language": "« {} » n'est pas du langage des règles",
    "{} is not a whole number": "{} n'est pas un nombre entier",
    "'{}' needs {}, as in {}": "il faut à « {} » {}, comme dans {}",
    "unknown word '{}'{}": "mot inconnu « {} »{}",
    "'{}' is known only {}": "« {} » n'est connu que {}",
    "'and' and 'or' can't join lists of Sets": "« and » et « or » ne joignent pas des listes d'ensembles",
    "'{}' uses an operator that is not part of the rule language": (
        "« {} » emploie un opérateur qui n'est pas du langage des règles"
    ),
    "'{}' joins {} values: use 'and' or 'or'": "« {} » joint des valeurs {} : employez « and » ou « or »",
    "'{}' joins {} and {}": "« {} » joint {} et {}",
    "'{}' compares {} with {}": "« {} » compare {} avec {}",
    "'{}' uses a comparison that is not part of the rule language": (
        "« {} » emploie une comparaison qui n'est pas du langage des règles"
    ),
    "'{}' looks for {} in {}": "« {} » cherche {} dans {}",
    "'{}' gives {} in one case and {} in the other": "« {} » donne {} dans un cas et {} dans l'autre",
    "an empty list has no type: write 'none'": "une liste vide n'a pas de type : écrivez « none »",
    "'{}' mixes values of different types": "« {} » mêle des valeurs de types différents",
    "'{}' takes an entry of {}, which is no list": "« {} » prend un élément de {}, qui n'est pas une liste",
    "'{}' makes a set of {} values": "« {} » fait un ensemble de valeurs {}",
    "write the set '{}' with '|' between its members": (
        "écrivez l'ensemble « {} » avec « | » entre ses éléments"
    ),
    "'{}' makes a list of {} values": "« {} » fait une liste de valeurs {}",
    "a loop runs over one name: 'for p in …'": "une boucle parcourt un seul nom : « for p in … »",
    "the loop variable '{}' is a word already: choose another name": (
        "la variable de boucle « {} » est déjà un mot : choisissez un autre nom"
    ),
    "'{}' is {}: nothing to run through": "« {} » est {} : rien à parcourir",
    "its loops would go round more than {} times": "ses boucles feraient plus de {} tours",
    "'{}' has no value a seat, so '{}' means nothing": (
        "« {} » n'a pas de valeur par place, donc « {} » ne veut rien dire"
    ),
    "'{}' takes {}, as in {}": "« {} » prend {}, comme dans {}",
    "'{}' takes {}, not {} value": "« {} » prend {}, pas {} valeur",
    "'{}' takes {}, not {} values": "« {} » prend {}, pas {} valeurs",
    "no values": "aucune valeur",
    "'{}' is defined by itself": "« {} » se définit par lui-même",
    "in '{}': {}": "dans « {} » : {}",
    "'{}' is not a stock{}": "« {} » n'est pas une réserve{}",
    "'{}': there is one '{}' for all": "« {} » : il y a un seul « {} » pour tous",
    "'{}' is not a board; the boards are {}": "« {} » n'est pas un plateau ; les plateaux sont {}",
    "a list of Sets is neither true nor false": "une liste d'ensembles n'est ni vraie ni fausse",
    "{} expected, {} found": "{} attendu, {} trouvé",
    "working out what is fixed in the file takes too long": (
        "calculer ce qui est fixe dans le fichier prend trop de temps"
    ),
    "in 'at', 'to' and 'onto'": "dans « at », « to » et « onto »",
    "in 'tie'": "dans « tie »",
    "in the 'gain' of 'series'": "dans le « gain » de « series »",
    "in the 'when' of 'end'": "dans le « when » de « end »",
    "in programs and in 'end', not in the formula of 'score' itself": (
        "dans les programmes et dans « end », pas dans la formule de « score » elle-même"
    ),
    "the file holds too many loops and names, counted wherever defines are used": (
        "le fichier tient trop de boucles et de noms, comptés partout où servent les définitions"
    ),
    "an expression may have at most {} characters": "une expression a {} signes au plus",
    "'{}' is not an expression: {}": "« {} » n'est pas une expression : {}",
    "it can't be read": "elle ne peut pas être lue",
    "'move' goes either 'to' a point or 'onto' a marble": (
        "« move » va soit à un point (« to »), soit sur une bille (« onto »)"
    ),
    "'pick' takes Points, Colours, Seats, Ints or Sets, {} found": (
        "« pick » prend Points, Colours, Seats, Ints ou Sets ; {} trouvé"
    ),
    "'{}' is a choice of its own: no label": "« {} » est un choix à part : pas une étiquette",
    "'choose' takes a list of programs, or programs with labels": (
        "« choose » prend une liste de programmes, ou des programmes avec étiquettes"
    ),
    "two programs of 'choose' ask nothing: give them labels to choose by": (
        "deux programmes de « choose » ne demandent rien : donnez-leur des étiquettes"
    ),
    "'may' needs something to choose; to ask yes or no, use 'choose' with labels": (
        "il faut à « may » quelque chose à choisir ; pour demander oui ou non, employez « choose » avec étiquettes"
    ),
    "'first' takes a list of programs": "« first » prend une liste de programmes",
    "'times' is a number, or [least, most]": "« times » est un nombre, ou [le moins, le plus]",
    "'if' needs 'then': what happens when it holds": "il faut à « if » « then » : ce qui se passe alors",
    "'secret' is true or false": "« secret » est true ou false",
    "'put' needs 'at': the points to fill": "il faut à « put » « at » : les points à remplir",
    "'recolour' needs 'into': the new colour": "il faut à « recolour » « into » : la nouvelle couleur",
    "'draw' needs either 'to' (a stock) or 'at' (points)": (
        "il faut à « draw » « to » (une réserve) ou « at » (des points)"
    ),
    "'box' is not declared": "« box » ne se déclare pas",
    "'on' can't give a list of Sets": "« on » ne peut pas donner une liste d'ensembles",
    "'count' takes a set, {} found": "« count » prend un ensemble ; {} trouvé",
    "'{}' takes numbers, {} found": "« {} » prend des nombres ; {} trouvé",
    "'{}' runs over a loop: {}(… for p in …)": "« {} » parcourt une boucle : {}(… for p in …)",
    "'copies' takes a shape of fixed points, as in copies(Aa1 | Ab1 | Ba1)": (
        "« copies » prend une forme de points fixes, comme dans copies(Aa1 | Ab1 | Ba1)"
    ),
}
"""Of the rule language."""

PLAY = {
    "no marble stands there": "aucune bille ne s'y trouve",
    "the given order draws a {} marble that is not there": (
        "l'ordre donné tire une bille qui n'est pas là ({})"
    ),
    "nothing is left to draw": "il ne reste rien à tirer",
    "a set or list holds more than {} values": "un ensemble ou une liste tient plus de {} valeurs",
    "the turn can't be completed": "le tour ne peut pas être mené à bien",
    "a block is done by more than {} seats": "un bloc est fait par plus de {} places",
    "a repeat goes on without end": "une répétition n'a pas de fin",
    "a repeat is to go round more than {} times": "une répétition ferait plus de {} tours",
    "no marble is in hand": "aucune bille n'est en main",
    "the line can't be pushed": "la ligne ne peut pas être poussée",
    "'{}' would hold more than {} values": "« {} » tiendrait plus de {} valeurs",
    "the setup can't be completed": "la mise en place ne peut pas être menée à bien",
    "the given deal can't be played": "la donne indiquée ne peut pas être jouée",
    "no deal meets what the setup requires": "aucune donne ne convient à la mise en place",
    "a pinned marble can't be taken up": "une bille clouée ne se soulève pas",
    "the rules ask for too much work at one choice": "les règles demandent trop de calculs pour un seul choix",
    "{} to {}": "{} à {}",
    "{} is for {} players, not {}": "{} se joue à {}, pas à {}",
    "{} has no stock '{}'": "{} n'a pas de réserve « {} »",
    "{} has {} boards, not {}": "{} a {} plateaux, pas {}",
    "there is no seat {} to move": "il n'y a pas de place {} dont ce soit le tour",
    "{} has no phase {}": "{} n'a pas de phase {}",
    "there are fewer stocks '{}' than {}": "il y a moins de {1} réserves « {0} »",
    "the stock '{}' is written in the letters {}": "la réserve « {} » s'écrit avec les lettres {}",
    "the deal of '{}' needs {} entries, not {}": "la donne de « {} » demande {} entrées, pas {}",
    "the deal of '{}' is written in the letters {}": "la donne de « {} » s'écrit avec les lettres {}",
    "the deal of '{}' draws more marbles of a colour than there are": (
        "la donne de « {} » tire plus de billes d'une couleur qu'il n'y en a"
    ),
    "the drawn board has size {}, the game {}": "le plateau dessiné est de taille {}, le jeu de {}",
    "{}: the rules go round without end ({})": "{} : les règles tournent sans fin ({})",
    "'{}': the match is over": "« {} » : la partie est finie",
    "'{}' is not possible now": "« {} » n'est pas possible maintenant",
    "the match is over": "la partie est finie",
    "no marble stands on {}": "aucune bille n'est en {}",
    "the marble on {} is pinned": "la bille en {} est clouée",
    "a board has {} to {} levels joined by '/', this text has {}": (
        "un plateau a de {} à {} niveaux joints par « / », ce texte en a {}"
    ),
    "level {}: {} ranks expected, {} found in '{}'": "niveau {} : {} rangées attendues, {} trouvées dans « {} »",
    "level {}, rank {}: {} cells expected, {} found in '{}'": (
        "niveau {}, rangée {} : {} cases attendues, {} trouvées dans « {} »"
    ),
    "{}: '{}' is not one of {} .": "{} : « {} » n'est pas l'un de {} .",
    "{}: the marble there rests on nothing at {}": "{} : cette bille ne repose sur rien en {}",
    "board size {}: sizes are {} to {}": "plateau de taille {} : les tailles vont de {} à {}",
    "there is no strength '{}', only {} (or 1 to {}) and {}": (
        "il n'y a pas de force « {} », seulement {} (ou 1 à {}) et {}"
    ),
    "the match is over, so nothing is to be chosen": "la partie est finie, il n'y a rien à choisir",
    "the match is over, so there is nothing to analyse": "la partie est finie, il n'y a rien à analyser",
    "{} is played against others, so nobody can be sure to win it": (
        "{} se joue contre d'autres, nul n'est sûr de gagner"
    ),
    "{} is played by several, so no score is in one hand": (
        "{} se joue à plusieurs, aucun score n'est dans une seule main"
    ),
    "the seed of this state is not known, so chance can't be foreseen": (
        "le tirage de cette position n'est pas connu, le hasard ne peut pas être prévu"
    ),
    "{} has no form in which it is searched": "{} n'a pas de forme où chercher",
    "The computer can't choose here: {}.": "L'ordinateur ne peut pas choisir ici : {}.",
    "The computer's process ended again, so it has not chosen.": (
        "Le processus où réfléchit l'ordinateur s'est de nouveau arrêté ; il n'a pas choisi."
    ),
    "The computer's process ended; it thinks anew.": (
        "Le processus où réfléchit l'ordinateur s'était arrêté ; il réfléchit à nouveau."
    ),
    "the process that did the work has ended": "le processus qui faisait le travail s'est arrêté",
    "no process can be begun ({})": "aucun processus ne peut commencer ({})",
    "Resource temporarily unavailable": "les ressources manquent pour le moment",
    "Cannot allocate memory": "la mémoire est pleine",
    "Too many open files": "trop de fichiers sont ouverts",
    "can't start new thread": "aucun fil d'exécution ne peut commencer",
    "a path holds no zeros": "un chemin ne contient pas de zéro",
    "there is no such home": "ce dossier personnel n'existe pas",
    "it is not a file": "ce n'est pas un fichier",
    "it is the file that is read": "c'est le fichier qui est lu",
    "nobody reads from it": "personne n'y lit",
    "it would lie outside its folder": "il serait hors de son dossier",
    "No such file or directory": "fichier ou dossier introuvable",
    "Permission denied": "accès refusé",
    "Is a directory": "c'est un dossier",
    "Not a directory": "ce n'est pas un dossier",
    "File name too long": "nom de fichier trop long",
    "No space left on device": "il n'y a plus de place sur le disque",
    "Read-only file system": "le disque est en lecture seule",
    "File exists": "ce fichier existe déjà",
}
"""Of moves, rules in play, computers and the system."""

TABLE = {**RECORDS, **FILES, **RULES, **PLAY, **HELP, **TERMINAL, **SHARED, **JUDGED, **MEANINGS}
