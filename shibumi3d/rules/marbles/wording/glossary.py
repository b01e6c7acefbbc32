"""The program's own words, explained. Games add those of their own: stocks, roles and labels that only they know."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

Words = Mapping[str, Mapping[str, str]]
"""Explanations by name, then by language, as a game file gives them."""

GLOSSARY: dict[str, dict[str, str]] = {
    "point": {
        "en": "a place for a marble (a hole is one on the board), or a unit of the score",
        "fr": "point : une place pour une bille (un trou en est un, sur le plateau), ou une unité du score",
    },
    "hole": {"en": "a point of level A, the board", "fr": "trou : un point du niveau A, le plateau"},
    "platform": {
        "en": "four marbles in a square that can carry a fifth",
        "fr": "plateforme : quatre billes en carré, qui peuvent en porter une cinquième",
    },
    "playable": {
        "en": "an empty hole, or an empty place on a platform",
        "fr": "jouable : trou vide, ou place vide sur une plateforme",
    },
    "touch": {
        "en": "to lie side by side on a level, or one on the other",
        "fr": "se toucher : être côte à côte sur un niveau, ou l'une sur l'autre",
    },
    "carry": {
        "en": "to have marbles resting directly on it",
        "fr": "porter : avoir des billes posées directement dessus",
    },
    "free": {"en": "carrying no marble", "fr": "libre : qui ne porte aucune bille"},
    "movable": {"en": "carrying one marble at most", "fr": "mobile : qui porte une bille au plus"},
    "pinned": {"en": "carrying two marbles or more", "fr": "clouée : qui porte deux billes ou plus"},
    "drop": {
        "en": "a marble whose support was taken sinks into the gap, and those above it follow",
        "fr": "tomber : privée d'appui, une bille descend dans le vide, et celles du dessus suivent",
    },
    "hidden": {
        "en": "with another marble straight above, two levels up",
        "fr": "cachée : avec une autre bille à l'aplomb, deux niveaux plus haut",
    },
    "visible": {
        "en": "with no marble straight above, two levels up",
        "fr": "visible : sans bille à l'aplomb, deux niveaux plus haut",
    },
    "overpass": {
        "en": "two marbles side by side across a contact below, which they cut",
        "fr": "passage supérieur : deux billes côte à côte en travers d'un contact du dessous, qu'elles coupent",
    },
    "underpass": {
        "en": "a contact below two marbles that lie side by side across it, and cut it",
        "fr": "passage inférieur : un contact sous deux billes côte à côte en travers, qui le coupent",
    },
    "group": {
        "en": "marbles of one colour held together by visible contacts that no overpass cuts",
        "fr": "groupe : des billes d'une couleur tenues par des contacts visibles qu'aucun passage ne coupe",
    },
    "full group": {
        "en": "marbles of one colour held together by any contacts, hidden and cut ones too",
        "fr": "groupe complet : des billes d'une couleur tenues par tous leurs contacts, même cachés ou coupés",
    },
    "full line": {
        "en": "flat and straight, from edge to edge or from corner to corner of its level",
        "fr": "ligne complète : à plat et droite, de bord à bord ou de coin à coin de son niveau",
    },
    "level": {
        "en": "one layer of the pyramid: A is the board, B lies on it, and so on",
        "fr": "niveau : une couche de la pyramide, A pour le plateau, B au-dessus, et ainsi de suite",
    },
    "file": {
        "en": "a line from south to north: a, b, c from the west",
        "fr": "colonne : une ligne du sud au nord, a, b, c depuis l'ouest",
    },
    "rank": {
        "en": "a line from west to east: 1, 2, 3 from the south",
        "fr": "rangée : une ligne d'ouest en est, 1, 2, 3 depuis le sud",
    },
    "edge": {
        "en": "the points along one side of a level",
        "fr": "bord : les points le long d'un côté d'un niveau",
    },
    "corner": {
        "en": "a point where two edges of a level meet",
        "fr": "coin : un point où se rejoignent deux bords d'un niveau",
    },
    "west": {
        "en": "the side of file a, on the left; east lies opposite",
        "fr": "ouest : le côté de la colonne a, à gauche ; l'est est en face",
    },
    "east": {
        "en": "the side of the last file, on the right; west lies opposite",
        "fr": "est : le côté de la dernière colonne, à droite ; l'ouest est en face",
    },
    "south": {
        "en": "the side of rank 1, the near one; north lies opposite",
        "fr": "sud : le côté de la rangée 1, le plus proche ; le nord est en face",
    },
    "north": {
        "en": "the side of the last rank, the far one; south lies opposite",
        "fr": "nord : le côté de la dernière rangée, au fond ; le sud est en face",
    },
    "diagonal": {
        "en": "corner to corner; diagonal neighbours of a level do not touch",
        "fr": "diagonale : d'un coin vers l'autre ; sur un niveau, deux voisines en diagonale ne se touchent pas",
    },
    "slope": {
        "en": "a straight line that climbs at each step",
        "fr": "pente : une ligne droite qui monte à chaque pas",
    },
    "ridge": {
        "en": "one of the four slopes from a corner of the board to the top",
        "fr": "arête : une des quatre pentes d'un coin du plateau au sommet",
    },
    "face": {
        "en": "one of the four sides of the pyramid, ridges included",
        "fr": "face : un des quatre côtés de la pyramide, arêtes comprises",
    },
    "apex": {"en": "the topmost point", "fr": "sommet : le point le plus haut"},
    "enter": {
        "en": "to come in over an edge of a level, pushing on what lies there",
        "fr": "entrer : arriver par un bord d'un niveau en poussant ce qui s'y trouve",
    },
    "side drop": {
        "en": "a pushed marble falls into the one place that is missing below it",
        "fr": "chute de côté : une bille poussée tombe dans la seule place qui manque dessous",
    },
    "box": {
        "en": "marbles that lie beside the board for all",
        "fr": "boîte : les billes à côté du plateau, pour tous",
    },
    "bag": {"en": "marbles that are drawn blindly", "fr": "sac : les billes que l'on tire sans voir"},
    "hand": {"en": "marbles that a player holds", "fr": "main : les billes que tient un joueur"},
}
"""What the words of the program mean, by language. A text may begin with the word in its language and a colon."""

ALSO: dict[str, dict[str, str]] = {
    "en": {"contact": "touch", "rim": "edge", "entry": "enter"},
    "fr": {
        "contact": "touch",
        "toucher": "touch",
        "touche": "touch",
        "touchent": "touch",
        "touchant": "touch",
        "porte": "carry",
        "portent": "carry",
        "portait": "carry",
        "portaient": "carry",
        "tombe": "drop",
        "tombent": "drop",
        "tombant": "drop",
        "tombé": "drop",
        "chute": "drop",
        "visiblement": "visible",
        "entrée": "enter",
    },
}
"""Further forms of terms, by language."""
UNMARKED = {"en": ("box", "bag", "hand"), "fr": ("box", "bag", "hand", "east")}
"""Terms that texts use as everyday words too ("est" also means "is"): only cards explain them."""

LONGEST = 3
"""So many words a term has at most."""
FORMS = ("", "s", "es", "ed", "ped", "ing", "ies")
"""Endings under which a term is recognised in English."""
NAMED = {
    "en": "a point by its level (A), its file (a) and its rank (1)",
    "fr": "un point par son niveau (A), sa colonne (a) et sa rangée (1)",
}
"""What the name of a point says."""
_POINT = re.compile(r"[A-J][a-j]([1-9]|10)")
_ELIDED = re.compile("[^\\s'’]*['’]")
"""What stands before an apostrophe: l'arête, d'une, qu'elle."""
_AROUND = ".,;:!?()*“”«»\"'–\xa0 "


def name_of(name: str, lang: str = "en", own: Words | None = None) -> str:
    """Return a term, or a name that a game shows, as people of a language call it: "plateforme" for "platform"."""
    return _told(name, lang, _known(own or {}))[0]


def explain(word: str, lang: str = "en", own: Words | None = None) -> str:
    """Return what a word of a text means, or a name that the game shows, as "platform: four marbles …".

    Empty for words that explain themselves.
    """
    plain, known = word.strip(_AROUND), _known(own or {})
    name = plain.casefold()
    return _meaning(plain, lang, known) or _line(name if name in known else "", lang, known)


def explained(
    words: Sequence[str], lang: str = "en", own: Words | None = None, marbles: bool = True
) -> list[str]:
    """Return for each word of a text what the term that it belongs to means; "" for those that belong to none.

    At other tables than those of ``marbles`` a game has its own words only.
    """
    found = [""] * len(words)
    own = own or {}
    known = _known(own) if marbles else own
    spelled = _spelled(lang, known)
    at = 0
    while at < len(words):
        for count in range(min(LONGEST, len(words) - at), 0, -1):
            if not (words[at].strip(_AROUND) and words[at + count - 1].strip(_AROUND)):
                continue
            plain = " ".join(words[at : at + count]).strip(_AROUND)
            name = _term(plain, lang, known, spelled)
            told = "" if name in UNMARKED.get(lang, ()) and name not in own else _line(name, lang, known)
            if marbles and _POINT.fullmatch(plain):
                told = NAMED.get(lang, NAMED["en"])
            if told:
                found[at : at + count] = [told] * count
                at += count
                break
        else:
            at += 1
    return found


def _known(own: Words) -> Words:
    """The words of a game before those of all."""
    return {**own, **{name: texts for name, texts in GLOSSARY.items() if name not in own}}


def _meaning(plain: str, lang: str, own: Words) -> str:
    """What a word of a text means."""
    return (
        NAMED.get(lang, NAMED["en"])
        if _POINT.fullmatch(plain)
        else _line(_term(plain, lang, own, _spelled(lang, own)), lang, own)
    )


def _line(name: str, lang: str, own: Words) -> str:
    """A term and its meaning; empty for no term."""
    shown, told = _told(name, lang, own)
    return f"{shown}{' : ' if lang == 'fr' else ': '}{told}" if told else ""


def _told(name: str, lang: str, own: Words) -> tuple[str, str]:
    """What a term is called in a language, and what it means."""
    texts = own.get(name, {})
    told = texts.get(lang) or texts.get("en", "")
    shown, colon, meaning = told.partition(" : ")
    if lang == "fr" and lang in texts and colon and len(shown.split()) <= LONGEST:
        return shown, meaning
    return name.replace("_", " "), told


def _spelled(lang: str, own: Words) -> dict[str, str]:
    """The names of all terms by how they are looked for; where two are spelled alike, those that count."""
    if lang != "fr":
        return {name.casefold(): name for name in own}
    called = {name: _singular(_told(name, lang, own)[0]).removeprefix("se ") for name in own}
    return {word: name for name, word in reversed(called.items())}


def _term(plain: str, lang: str, own: Words, spelled: Mapping[str, str]) -> str:
    """The name under which a word is explained, whatever its ending; empty when there is none."""
    word = plain.casefold()
    if lang == "fr":
        elided = _ELIDED.match(word)
        word = _singular(word[elided.end() :] if elided is not None else word)
        also = ALSO["fr"].get(word, "")
        return also if also in own else spelled.get(word, "")
    for name in (word, word.replace(" ", "_"), *_stems(word)):
        name = ALSO["en"].get(name, name)
        if name in spelled:
            return spelled[name]
    return ""


def _singular(words: str) -> str:
    """French words without the endings of plurals and of the feminine of participles."""
    found = (word.rstrip("sx") or word for word in words.casefold().split())
    return " ".join(word[:-1] if word.endswith("ée") and word != "entrée" else word for word in found)


def _stems(word: str) -> list[str]:
    """The word without the endings of plurals and verbs."""
    stems = [word.removesuffix(end) for end in FORMS if end and word.endswith(end)]
    return [*stems, word.removesuffix("ies") + "y"] if word.endswith("ies") else stems
