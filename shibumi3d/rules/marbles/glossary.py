"""The program's own words, explained. Games add those of their own: stocks, roles and labels that only they know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Words = Mapping[str, Mapping[str, str]]
"""Explanations by name, then by language, as a game file gives them."""

GLOSSARY: dict[str, dict[str, str]] = {
    "point": {
        "en": "any place for a marble; a hole is one on the board",
        "fr": "toute place d'une bille ; un trou est un point du plateau",
    },
    "hole": {"en": "a point of level A, the board", "fr": "un point du niveau A, le plateau"},
    "platform": {
        "en": "four marbles in a square that can carry a fifth",
        "fr": "quatre billes en carré, qui peuvent en porter une cinquième",
    },
    "playable": {
        "en": "an empty hole, or an empty place on a platform",
        "fr": "un trou vide, ou une place vide sur une plateforme",
    },
    "touch": {
        "en": "to lie side by side on a level, or one on the other",
        "fr": "être côte à côte sur un niveau, ou l'une sur l'autre",
    },
    "carry": {"en": "to have marbles resting directly on it", "fr": "avoir des billes posées sur soi"},
    "free": {"en": "carrying no marble", "fr": "qui ne porte aucune bille"},
    "movable": {"en": "carrying one marble at most", "fr": "qui porte une bille au plus"},
    "pinned": {"en": "carrying two marbles or more", "fr": "qui porte deux billes ou plus"},
    "drop": {
        "en": "a marble whose support was taken sinks into the gap, and those above it follow",
        "fr": "une bille privée d'appui descend dans le vide, et celles du dessus suivent",
    },
    "hidden": {
        "en": "with another marble straight above, two levels up",
        "fr": "avec une autre bille à l'aplomb, deux niveaux plus haut",
    },
    "visible": {
        "en": "with no marble straight above, two levels up",
        "fr": "sans bille à l'aplomb, deux niveaux plus haut",
    },
    "overpass": {
        "en": "two marbles side by side across a contact below, which they cut",
        "fr": "deux billes côte à côte en travers d'un contact du dessous, qu'elles coupent",
    },
    "group": {
        "en": "marbles of one colour held together by visible contacts that no overpass cuts",
        "fr": "des billes d'une couleur tenues par des contacts visibles qu'aucun passage ne coupe",
    },
    "full group": {
        "en": "marbles of one colour held together by any contacts, hidden and cut ones too",
        "fr": "des billes d'une couleur tenues par tous leurs contacts, même cachés ou coupés",
    },
    "full line": {
        "en": "flat and straight, from edge to edge or from corner to corner of its level",
        "fr": "à plat et droite, de bord à bord ou de coin à coin de son niveau",
    },
    "level": {
        "en": "one layer of the pyramid: A is the board, B lies on it, and so on",
        "fr": "une couche de la pyramide : A est le plateau, B dessus, et ainsi de suite",
    },
    "file": {
        "en": "a line from south to north: a, b, c from the west",
        "fr": "une ligne du sud au nord : a, b, c",
    },
    "rank": {
        "en": "a line from west to east: 1, 2, 3 from the south",
        "fr": "une ligne d'ouest en est : 1, 2, 3",
    },
    "slope": {
        "en": "a straight line that climbs at each step",
        "fr": "une ligne droite qui monte à chaque pas",
    },
    "ridge": {
        "en": "one of the four slopes from a corner of the board to the top",
        "fr": "une des quatre arêtes, d'un coin du plateau au sommet",
    },
    "face": {
        "en": "one of the four sides of the pyramid, ridges included",
        "fr": "un des quatre côtés de la pyramide",
    },
    "apex": {"en": "the topmost point", "fr": "le point le plus haut"},
    "enter": {
        "en": "to come in over an edge of a level, pushing on what lies there",
        "fr": "arriver par un bord d'un niveau en poussant ce qui s'y trouve",
    },
    "side drop": {
        "en": "a pushed marble falls into the one place that is missing below it",
        "fr": "une bille poussée tombe dans la seule place qui manque dessous",
    },
    "box": {
        "en": "marbles that lie beside the board for all",
        "fr": "les billes à côté du plateau, pour tous",
    },
    "bag": {"en": "marbles that are drawn blindly", "fr": "les billes que l'on tire sans voir"},
    "hand": {"en": "marbles that a player holds", "fr": "les billes que tient un joueur"},
    "step": {"en": "half the way from a hole to the next", "fr": "la moitié du chemin d'un trou au suivant"},
}
"""What the words of the program mean, by language."""

LONGEST = 2
"""So many words a term has at most."""
FORMS = ("", "s", "es", "ed", "ped", "ing", "ies")
"""Endings under which a term is recognised."""


def explain(word: str, lang: str = "en", own: Words | None = None) -> str:
    """What a word means, as "platform: four marbles …"; empty for words that explain themselves."""
    name = _term(word, own or {})
    if not name:
        return ""
    texts = (own or {}).get(name) or GLOSSARY[name]
    told = texts.get(lang) or texts.get("en", "")
    return f"{name.replace('_', ' ')}: {told}" if told else ""


def explained(words: Sequence[str], lang: str = "en", own: Words | None = None) -> list[str]:
    """For each word of a text what the term that it belongs to means; empty for those that belong to none."""
    found = [""] * len(words)
    at = 0
    while at < len(words):
        for count in range(LONGEST, 0, -1):
            told = explain(" ".join(words[at : at + count]), lang, own) if at + count <= len(words) else ""
            if told:
                found[at : at + count] = [told] * count
                at += count
                break
        else:
            at += 1
    return found


def _term(word: str, own: Words) -> str:
    """The name under which a word is explained, whatever its ending; empty when there is none."""
    plain = word.strip(".,;:()*“”\"'–").casefold()
    for name in (plain, plain.replace(" ", "_"), *_stems(plain)):
        if name in own or name in GLOSSARY:
            return name
    return ""


def _stems(word: str) -> list[str]:
    """The word without the endings of plurals and verbs."""
    stems = [word.removesuffix(end) for end in FORMS if end and word.endswith(end)]
    return [*stems, word.removesuffix("ies") + "y"] if word.endswith("ies") else stems
