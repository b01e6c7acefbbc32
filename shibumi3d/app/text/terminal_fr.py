"""French of the command line, by its English pattern: its help, what is wrong with one, what it answers."""

from __future__ import annotations

HELP = {
    "Marble games on a pyramid. Without a command the window opens.": (
        "Des jeux de billes sur une pyramide. Sans commande, la fenêtre s'ouvre."
    ),
    "'shibumi3d COMMAND --help' explains a command.": "« shibumi3d COMMANDE --help » explique une commande.",
    "usage: ": "usage : ",
    "positional arguments": "arguments\u00a0",
    "options": "options\u00a0",
    "commands": "commandes\u00a0",
    "COMMAND": "COMMANDE",
    "DEPTH": "PROFONDEUR",
    "FILE": "FICHIER",
    "GAME": "JEU",
    "GAME|FILE": "JEU|FICHIER",
    "KIND": "GENRE",
    "MARBLES": "BILLES",
    "NAME": "NOM",
    "NAME=VALUE": "NOM=VALEUR",
    "NAMES": "NOMS",
    "OUT": "SORTIE",
    "PART": "PARTIE",
    "TIME": "TEMPS",
    "WxH": "LxH",
    "YYYY-MM-DD": "AAAA-MM-JJ",
    "short forms": "formes courtes\u00a0",
    "show this help message and exit": "montre cette aide",
    "show program's version number and exit": "donne la version du programme",
    "as 'play GAME'": "comme « play JEU »",
    "with --game: play in the terminal": "avec --game : joue dans le terminal",
    "with --game: what chance decides": "avec --game : ce que décide le hasard",
    "as 'replay FILE'": "comme « replay FICHIER »",
    "as 'list'": "comme « list »",
    "with --game or --open: as 'shot', needs no display": "avec --game ou --open : comme « shot », sans écran",
    "language of all that is said: {}": "langue de tout ce qui est dit : {}",
    "there is no language '{}', only {}": "il n'y a pas de langue « {} », seulement {}",
    "time for each player: 10+5 is ten minutes and five seconds more a turn, 30s is half a minute a turn": (
        "temps de chacun : 10+5 fait dix minutes, et cinq secondes de plus par tour ; 30s, une demi-minute par tour"
    ),
    "who begins with marbles more or fewer, where each has some of their own: 1+W,2-RR is a white one more for the "
    "first player and two red ones fewer for the second": (
        "qui débute avec des billes en plus ou en moins, là où chacun en a à soi : 1+W,2-RR donne une blanche de plus "
        "au premier joueur et deux rouges de moins au second"
    ),
    "the second player may take over the first turn, in games without chance": (
        "le second joueur peut prendre le premier tour, dans les jeux sans hasard"
    ),
    "say how a recorded match stands, and the three best turns": (
        "dit où en est une partie gardée, et les trois meilleurs tours"
    ),
    "Say how a recorded match stands, and the three best turns.": (
        "Dit où en est une partie gardée, et les trois meilleurs tours."
    ),
    "a record": "une partie gardée",
    "after N turns; below 0 counted from the end (default: the end)": (
        "après N tours ; sous 0, compté depuis la fin (d'usage : la fin)"
    ),
    "tries (default {})": "essais (d'usage {})",
    "print JSON": "écrit du JSON",
    "measure speed: CPU time on one core": "mesure la vitesse : temps de calcul sur un cœur",
    "of {} (default: all)": "parmi {} (d'usage : tout)",
    "playouts and moves of this game only": "parties au hasard et coups de ce seul jeu",
    "time for each figure (default 1)": "temps pour chaque mesure (d'usage 1)",
    "check game files: every mistake with its file, line and column, and what was expected": (
        "vérifie des fichiers de jeux : chaque erreur avec fichier, ligne et colonne, et ce qui était attendu"
    ),
    "game files (default: the catalogue and your own games)": (
        "fichiers de jeux (d'usage : le catalogue et vos propres jeux)"
    ),
    "side of the board, where the game allows several": "côté du plateau, là où le jeu en permet plusieurs",
    "what else the game lets choose, as in rounds=4; may be given several times": (
        "ce que le jeu laisse choisir d'autre, comme rounds=4 ; peut être donné plusieurs fois"
    ),
    "a variant of the game": "une variante du jeu",
    "what chance decides (default {})": "ce que décide le hasard (d'usage {})",
    "what chance decides (default another each time)": "ce que décide le hasard (d'usage autre à chaque fois)",
    "number of players (default: the least)": "nombre de joueurs (d'usage : le moins possible)",
    "put Shibumi 3D among the desktop's programs, with its icon and its files (Linux)": (
        "range Shibumi 3D parmi les programmes du bureau, avec son icône et ses fichiers (Linux)"
    ),
    "Put Shibumi 3D among the desktop's programs, with its icon and its files (Linux).": (
        "Range Shibumi 3D parmi les programmes du bureau, avec son icône et ses fichiers (Linux)."
    ),
    "take it away again": "l'en retire",
    "desktop entries are for Linux; elsewhere the bundle brings its own": (
        "les entrées de bureau sont pour Linux ; ailleurs, le paquet apporte les siennes"
    ),
    "Installed among the desktop's programs.": "Rangé parmi les programmes du bureau.",
    "Removed from the desktop's programs.": "Retiré des programmes du bureau.",
    "make a film, a picture or plans of a recorded match; needs no display": (
        "fait un film, une image ou des plans d'une partie gardée ; sans écran"
    ),
    "a record; of plans also several, or games for one player, whose first ten puzzles are drawn": (
        "une partie gardée ; pour des plans aussi plusieurs, ou des jeux en solitaire, dont les dix premiers problèmes"
        " sont dessinés"
    ),
    "write a page of plans and moves as SVG": "écrit une page de plans et de coups en SVG",
    "write the same page as PDF": "écrit la même page en PDF",
    "films and pictures are made of one record at a time": (
        "films et images se font d'une seule partie gardée à la fois"
    ),
    "{} is no game for one player: give a record of it": (
        "{} ne se joue pas en solitaire : donnez-en une partie gardée"
    ),
    "the start": "le début",
    "after turn {}": "après le tour {}",
    "%d %B %Y": "%d/%m/%Y",
    "flights can't be measured here: {}": "les vols ne se mesurent pas ici : {}",
    "plans are drawn of games with marbles only": "seuls les jeux de billes ont des plans",
    "there is room for {} plans on a page, not for {}": "il y a place pour {} plans sur une page, pas pour {}",
    "write an animated GIF": "écrit un GIF animé",
    "write a video": "écrit une vidéo",
    "write a picture": "écrit une image",
    "begin after N turns (of a picture: not at the end)": "commence après N tours (une image : pas à la fin)",
    "end after N turns (default: the end)": "finit après N tours (d'usage : la fin)",
    "times as fast, 0.25 to 4": "fois plus vite, de 0.25 à 4",
    "width and height (default 1280x720, GIF 640x360, postcard 1480x1050)": (
        "largeur et hauteur (d'usage 1280x720, GIF 640x360, carte postale 1480x1050)"
    ),
    "write a picture of the end with game, names and day, as PNG": (
        "écrit une image de la fin avec le jeu, les noms et la date, en PNG"
    ),
    "what stands on the postcard (default: when the record was kept)": (
        "la date de la carte postale (d'usage : celle du fichier de la partie)"
    ),
    "print how far it is, a line each time": "dit où il en est, une ligne à chaque fois",
    "list the games": "donne la liste des jeux",
    "everything known of every game, as JSON": "tout ce qui est su de chaque jeu, en JSON",
    "the table of docs/games.md; with FILE it is put there, between the lines <!-- games --> and <!-- end -->": (
        "le tableau de docs/games.md ; avec FICHIER il y est mis, entre les lignes <!-- games --> et <!-- end -->"
    ),
    "count the sequences of moves and of whole turns from the start of a game": (
        "compte les suites de coups et de tours entiers depuis le début d'un jeu"
    ),
    "a game by its name, or the path of a game file": "un jeu par son nom, ou le chemin d'un fichier de jeu",
    "length of the sequences": "longueur des suites",
    "count only one of the two": "ne compte que l'un des deux",
    "play a game": "joue à un jeu",
    "a game by its name, or the path of a game file (default: the list)": (
        "un jeu par son nom, ou le chemin d'un fichier de jeu (d'usage : la liste)"
    ),
    "names of the players in turn order, as in Ann,Ben; or how many there are; the computer plays for "
    "names of strengths, as in me,stone": (
        "noms des joueurs dans l'ordre du tour, comme Ann,Ben ; ou leur nombre ; l'ordinateur joue pour les "
        "noms de forces, comme me,stone"
    ),
    "play in the terminal": "joue dans le terminal",
    "with --text: go on with the last match that was not finished": (
        "avec --text : reprend la dernière partie qui n'est pas finie"
    ),
    "show a recorded match again": "montre à nouveau une partie gardée",
    "print it in the terminal": "l'écrit dans le terminal",
    "print the rules of a game": "écrit les règles d'un jeu",
    "language (default en)": "langue (d'usage celle de tout le reste)",
    "play games, at random or by computer players, and sum them up": (
        "joue des parties, au hasard ou par l'ordinateur, et en fait le compte"
    ),
    "how many (default 100)": "combien (d'usage 100)",
    "computer players: strengths by name or number, or random, as in stone,river; they change seats": (
        "joueurs de l'ordinateur : des forces par nom ou numéro, ou random, comme stone,river ; ils changent de place"
    ),
    "with --seats: turns drawn first (default 2)": "avec --seats : tours tirés d'abord (d'usage 2)",
    "with --seats: tries a choice, in place of a strength's own": (
        "avec --seats : essais par choix, au lieu de ceux de la force"
    ),
    "draw a picture of a game; needs no display": "dessine une image d'un jeu ; sans écran",
    "a game (from its start), or a record (at its end)": "un jeu (à son début), ou une partie (à sa fin)",
    "after N turns: of the record, or played at random; below 0 counted from the end of the record": (
        "après N tours : de la partie, ou joués au hasard ; sous 0, compté depuis la fin de la partie"
    ),
    "the file to write": "le fichier à écrire",
    "smoother, by N pictures in one (1 to {})": "plus lisse, de N images en une (1 à {})",
    "width and height (default 1280x720)": "largeur et hauteur (d'usage 1280x720)",
    "side of the board, of a game": "côté du plateau, pour un jeu",
    "as seen by eyes of this kind, several side by side: {}": (
        "comme le voient de tels yeux, plusieurs côte à côte : {}"
    ),
    "a smaller file, with colours a little coarser": "un fichier plus petit, aux couleurs un peu plus grossières",
    "in the colours of the evening": "aux couleurs du soir",
    "in colours that all eyes tell apart, with signs on the marbles": (
        "en couleurs que tous les yeux distinguent, avec des signes sur les billes"
    ),
    "of the board: {}": "du plateau : {}",
    "seen from straight above": "vue de dessus",
    "mark the points that may be chosen": "marque les points permis",
    "show the marbles beside the boards too": "montre aussi les billes à côté des plateaux",
    "how finely it is drawn": "la finesse du dessin",
    "find a way to win a puzzle, the greatest score, or who wins a game for two; the exit code is 0 when "
    "the first player can win, 1 when not and 2 when that stays open": (
        "trouve comment gagner un casse-tête, le plus grand score, ou qui gagne à deux ; le code de sortie est 0 "
        "quand le premier joueur peut gagner, 1 sinon, et 2 quand cela reste ouvert"
    ),
    "choices to try at most (default {})": "choix à essayer au plus (d'usage {})",
    "let every strength play against the next lower, and tell of it": (
        "fait jouer chaque force contre celle du dessous, et le raconte"
    ),
    "games (default: the ten of the page)": "jeux (d'usage : les dix de la page)",
    "matches of each pair (default {})": "parties de chaque paire (d'usage {})",
    "write a page; what it has of other games stays": "écrit une page ; ce qu'elle a d'autres jeux reste",
    "print JSON, a line a pair": "écrit du JSON, une ligne par paire",
    # What is wrong with a command line
    "shibumi3d: error: {}": "shibumi3d : {}",
    "shibumi3d {}: error: {}": "shibumi3d {} : {}",
    "argument {}: {}": "argument {} : {}",
    "the following arguments are required: {}": "il manque : {}",
    "unrecognized arguments: {}": "arguments inconnus : {}",
    "expected one argument": "un argument est attendu",
    "expected at least one argument": "au moins un argument est attendu",
    "invalid choice: {} (choose from {})": "{} n'est pas un choix (les choix : {})",
    "expected a number of at most {}, not '{}'": "un nombre d'au plus {} est attendu, pas « {} »",
    "expected seconds, more than 0 and at most {}, not '{}'": (
        "des secondes sont attendues, plus de 0 et au plus {}, pas « {} »"
    ),
    "invalid seconds value: {}": "un nombre de secondes est attendu, pas {}",
    "invalid positive value: {}": "un nombre à partir de 1 est attendu, pas {}",
    "invalid whole value: {}": "un nombre à partir de 0 est attendu, pas {}",
    "invalid seed value: {}": "un nombre entier est attendu, pas {}",
    "invalid int value: {}": "un nombre entier est attendu, pas {}",
    "invalid float value: {}": "un nombre est attendu, pas {}",
    "not allowed with argument {}": "ne va pas avec l'argument {}",
    "ignored explicit argument {}": "ne prend pas de valeur : {}",
    "one of the arguments {} is required": "il faut l'un des arguments {}",
    "--{} and --{} exclude each other": "--{} et --{} s'excluent",
    "--seed goes with --game": "--seed va avec --game",
    "--export goes with --game or --open": "--export va avec --game ou --open",
    "expected a name and a value, as in rounds=4, not '{}'": (
        "un nom et une valeur sont attendus, comme rounds=4, pas « {} »"
    ),
    "expected a number of at most 18 digits, not '{}'": "un nombre de 18 chiffres au plus est attendu, pas « {} »",
    "expected a number from {} to {}, not '{}'": "un nombre de {} à {} est attendu, pas « {} »",
    "expected a length of at most {}, not '{}'": "une longueur de {} au plus est attendue, pas « {} »",
    "expected width x height such as 1280x720, at most {}, not '{}'": (
        "largeur x hauteur comme 1280x720 sont attendues, {} au plus, pas « {} »"
    ),
}
"""Of the help of the command line, and of what is wrong with one."""

TERMINAL = {
    "shibumi3d: {}": "shibumi3d : {}",
    "the game file is wrong": "le fichier du jeu a des erreurs",
    "the match is over there: with --at N it is looked at after N turns": (
        "la partie y est finie : avec --at N elle est vue après N tours"
    ),
    "Turn {}: {} to move, {}.": "Tour {} : à {} de jouer, {}.",
    "Turn {}: {} to move, {}, wins in {}.": "Tour {} : à {} de jouer, {}, gagne en {}.",
    "Turn {}: {} to move, {}, loses in {}.": "Tour {} : à {} de jouer, {}, perd en {}.",
    "{}, hardly looked at": "{}, à peine regardé",
    "{}, wins in {}": "{}, gagne en {}",
    "{}, loses in {}": "{}, perd en {}",
    "{}, a draw": "{}, nulle",
    "there is no part '{}' to measure, only {}": "il n'y a pas de partie « {} » à mesurer, seulement {}",
    "{} has no form in which it is played out fast": "{} n'a pas de forme où jouer vite",
    "'shibumi3d {}' can't be measured here: {}": "« shibumi3d {} » ne se mesure pas ici : {}",
    "pictures can't be measured here: {}": "les images ne se mesurent pas ici : {}",
    "{} game checked: {}": "{} jeu vérifié : {}",
    "{} games checked: {}": "{} jeux vérifiés : {}",
    "no mistakes": "aucune erreur",
    "{} mistake": "{} erreur",
    "{} mistakes": "{} erreurs",
    "{} is for {} player, not for {}": "{} se joue à {}, pas à {}",
    "{} is for {} players, not for {}": "{} se joue à {}, pas à {}",
    "a film is of even width and height, not {}x{}": "un film a une largeur et une hauteur paires, pas {}x{}",
    "drawing needs a library that is missing ({})": "il manque une bibliothèque pour dessiner ({})",
    "{} On Debian: apt-get install libgl1 libegl1": "{} Sous Debian : apt-get install libgl1 libegl1",
    "it would begin after {} turns and end after {}": "il commencerait après {} tours et finirait après {}",
    "Left out, because the file is wrong: {}": "Laissés de côté, car le fichier a des erreurs : {}",
    "{} is no page of strengths, and is left as it is": "{} n'est pas une page de forces, et reste tel quel",
    "{} is no page of strengths: what it tells of '{}' can't be read": (
        "{} n'est pas une page de forces : ce qui y est dit de « {} » est illisible"
    ),
    "{} is not text in UTF-8": "{} n'est pas du texte UTF-8",
    "{} has no lines {} and {}": "{} n'a pas les lignes {} et {}",
    "--resume goes with --text; the window offers to continue by itself": (
        "--resume va avec --text ; la fenêtre propose d'elle-même de reprendre"
    ),
    "which game? 'shibumi3d list' names them, as in 'shibumi3d play spline --text'": (
        "quel jeu ? « shibumi3d list » les nomme, comme dans « shibumi3d play spline --text »"
    ),
    "The match can't be kept: {}.": "La partie ne peut pas être gardée : {}.",
    "there is no unfinished match": "aucune partie n'est en cours",
    "This game is being played in another window. Here a copy of it goes on.": (
        "Cette partie se joue dans une autre fenêtre. Ici continue une copie."
    ),
    "no game is for so many players": "aucun jeu ne se joue à autant",
    "Player {}": "Joueur {}",
    "nothing is seen of the name of player {}": "rien ne se voit du nom du joueur {}",
    "a name is missing in '{}'": "il manque un nom dans « {} »",
    "{}, size {}: {}": "{}, taille {} : {}",
    "turn {}, {}: {}": "tour {}, {} : {}",
    "Not finished.": "En cours.",
    "{} comes without a rules text": "{} n'a pas de texte de règles",
    "--seats names {} players, --players asks for {}": "--seats nomme {} joueurs, --players en demande {}",
    "{} s of CPU, {} games/s": "{} s de calcul, {} parties/s",
    "the record has {} turns, there is none number {}": "la partie a {} tours, il n'y a pas de tour {}",
    "{} choices tried in {} s.": "{} choix essayés en {} s.",
    "Won. {}": "Gagné. {}",
    "Lost: no way leads to a win. {}": "Perdu : rien ne mène à la victoire. {}",
    "Unknown: chance lies ahead. {}": "Inconnu : le hasard s'en mêle. {}",
    "Unknown: the search was given up. {}": "Inconnu : la recherche a été abandonnée. {}",
    "Lost: no way leads to a score. {}": "Perdu : rien ne mène à un score. {}",
    "Unknown: no score was found. {}": "Inconnu : aucun score n'a été trouvé. {}",
    "Score {}, the greatest there is. {}": "Score {}, le plus grand qui soit. {}",
    "Score {}; {} is the greatest there is. {}": "Score {} ; {} est le plus grand qui soit. {}",
    "Score {}, perhaps not the greatest. {}": "Score {}, peut-être pas le plus grand. {}",
    "{} is played against others: solved are games played alone, together, or by two who see all": (
        "{} se joue contre d'autres : sont résolus les jeux joués seul, ensemble, ou à deux qui voient tout"
    ),
    "The first player wins, by {}. {} s.": "Le premier joueur gagne, par {}. {} s.",
    "The first player wins. {} s.": "Le premier joueur gagne. {} s.",
    "The second player wins. {} s.": "Le second joueur gagne. {} s.",
    "Nobody can win by force. {} s.": "Nul ne peut forcer la victoire. {} s.",
    "players: {}": "joueurs : {}",
    # A match in the terminal
    "Type a choice or its number. Besides that:": "Écrivez un choix ou son numéro. Et aussi :",
    "  undo, redo       take the last turn back, play it again": (
        "  annuler, rétablir     annule le dernier tour, le rétablit"
    ),
    "  back, forward    the same for one step": "  reculer, avancer      de même pour une étape",
    "  moves            the turns so far": "  tours                 les tours joués",
    "  rules            the rules of the game": "  règles                les règles du jeu",
    "  tell CHOICE      what a choice would bring about, or why it is none": (
        "  dire CHOIX            ce qu'un choix amènerait, ou pourquoi il n'en est pas un"
    ),
    "  save FILE        write the match to a file": "  enregistrer FICHIER   écrit la partie dans un fichier",
    "  help             this text": "  aide                  ce texte",
    "  hint             a good choice": "  indice                un bon choix",
    "  quit             leave (the match is kept: shibumi3d play --text --resume)": (
        "  quitter               sortir (la partie est gardée : shibumi3d play --text --resume)"
    ),
    "command undo": "annuler",
    "command redo": "rétablir",
    "command back": "reculer",
    "command forward": "avancer",
    "command moves": "tours",
    "command hint": "indice",
    "command tell": "dire",
    "command save": "enregistrer",
    "command help": "aide",
    "command quit": "quitter",
    "command rules": "règles",
    "command end": "finir",
    "'help' says what can be typed.": "« aide » dit ce qui peut s'écrire.",
    "'{}' may mean:": "« {} » peut vouloir dire :",
    "chose in secret": "a choisi en secret",
    "The match is saved again.": "La partie est de nouveau gardée.",
    "{} has no time left. Type 'end' to end the game, or Enter to go on: ": (
        "{} n'a plus de temps. Tapez « finir » pour terminer la partie, ou Entrée pour continuer : "
    ),
    "time left: {}": "temps restant : {}",
    "'{}' takes over the other's seat and first turn.": "« {} » prend la place et le premier tour de l'autre.",
    "'undo' takes the last turn back, 'quit' leaves.": "« annuler » annule le dernier tour, « quitter » sort.",
    "{} alone looks now. Press Enter.": "{} regarde, et personne d'autre. Pressez Entrée.",
    "turn {}: {} to move – {}": "tour {} : à {} de jouer – {}",
    "turn {}: {} ({}) to move – {}": "tour {} : à {} ({}) de jouer – {}",
    "turn {}, step {}: {} to move – {}": "tour {}, étape {} : à {} de jouer – {}",
    "turn {}, step {}: {} ({}) to move – {}": "tour {}, étape {} : à {} ({}) de jouer – {}",
    "{} can't be written: {}.": "{} ne peut pas être écrit : {}.",
    "Saved as {}.": "Gardé sous {}.",
    "No turn has been made.": "Aucun tour n'a été joué.",
    "That can't be taken back: something was drawn or shown.": (
        "Cela ne s'annule pas : quelque chose a été tiré ou montré."
    ),
    "There is nothing to take back.": "Il n'y a rien à annuler.",
    "There is nothing to play again.": "Il n'y a rien à rétablir.",
    "'{}' is not possible now.": "« {} » n'est pas possible maintenant.",
    "Won.": "Gagné.",
    "Lost.": "Perdu.",
    "Done.": "Terminé.",
    "A draw.": "Nulle.",
    "{}, score {}": "{}, score {}",
    "there is no display to open a window on; in the terminal: {}": (
        "il n'y a pas d'écran où ouvrir une fenêtre ; dans le terminal : {}"
    ),
    "the window needs a library that is missing ({}); on Debian: {}": (
        "il manque une bibliothèque à la fenêtre ({}) ; sous Debian : {}"
    ),
    "{} That is: {}": "{} Ainsi : {}",
    "No window can be opened here: there is no display. Play in the terminal with --text.": (
        "Aucune fenêtre ne peut s'ouvrir ici : il n'y a pas d'écran. Jouez dans le terminal avec --text."
    ),
    "No window can be opened here: the display offers no OpenGL 3.3. Play in the terminal with --text.": (
        "Aucune fenêtre ne peut s'ouvrir ici : l'écran n'offre pas OpenGL 3.3. Jouez dans le terminal avec --text."
    ),
    "The compiled engine {} and is not used: computer players see less far. {}.": (
        "Le moteur compilé {} et ne sert pas : l'ordinateur voit moins loin. {}."
    ),
    "'make native' compiles it anew": "« make native » le compile à nouveau",
    "Installing Shibumi 3D anew mends that": "Réinstaller Shibumi 3D y remédie",
    "failed {}": "a échoué ({})",
    "is older than {}": "est plus vieux que {}",
    "is older than {} and {} more": "est plus vieux que {} et {} autres",
    "lacks {}": "n'a pas {}",
    "can't be loaded ({})": "ne se charge pas ({})",
    "the match is not over": "la partie n'est pas finie",
    "a row does not hold lists": "une ligne ne contient pas de listes",
}
"""Of the terminal."""
