"""Subset the shipped fonts from their sources.

    python -m tools.fonts --inter DIR --spectral DIR --jetbrains-mono DIR --mincho FILE --kouzan FILE

``DIR`` is the unpacked wheel of ``fontpkg-inter``, ``fontpkg-spectral`` or ``fontpkg-jetbrains-mono``. ``FILE`` is
``BIZUDPMincho-Regular.ttf`` or ``AoyagiKouzanT.ttf``, from the Debian packages ``fonts-morisawa-bizud-mincho`` and
``fonts-aoyagi-kouzan-t``. Each font gets a family name of its own, so that the same font installed on the system is not
used in its place, and no weight or slant is synthesised. This tool needs fonttools; the program itself doesn't.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

from shibumi3d.assets import fonts

HERE = Path(fonts.__file__).resolve().parent / "files"

LATIN = (
    list(range(0x20, 0x7F))
    + list(range(0xA0, 0x250))
    + [0x2BC, 0x2C6, 0x2C7, 0x2D8, 0x2D9, 0x2DA, 0x2DB, 0x2DC, 0x2DD]
    + list(range(0x1E00, 0x1EFA))
    + list(range(0x2010, 0x2028))
    + [0x202F, 0x2030, 0x2032, 0x2033, 0x2039, 0x203A, 0x2044, 0x20AC, 0x2116, 0x2122]
    + list(range(0x2070, 0x208F))
    + list(range(0x2150, 0x215F))
    + [0x2190, 0x2191, 0x2192, 0x2193, 0x2212, 0x2215, 0x221E, 0x2248, 0x2260, 0x2264, 0x2265]
)
GREEK = list(range(0x370, 0x400)) + list(range(0x1F00, 0x2000))
CYRILLIC = list(range(0x400, 0x530)) + list(range(0x1C80, 0x1C90)) + list(range(0xA640, 0xA6A0))
MARKS = list(range(0x300, 0x370))
FALLBACK_CHARACTER = [0x25A1]
"""Character drawn in place of one that no font has."""
KANJI = (
    "渋い味み並結形成除取点謎組附続遊勝負引分棋石積山初中終手番白黒赤青黄緑一二三四五六七八九十人今日静間円"
)
SEAL = "渋"


def _digits(font: TTFont, suffix: str) -> None:
    """Map the digits to the variant glyphs whose names end in ``suffix``.

    The text layer doesn't apply the OpenType features that would select them.
    """
    names = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    glyphs = set(font.getGlyphOrder())
    for table in font["cmap"].tables:
        if table.isUnicode():
            for value, name in enumerate(names):
                if name + suffix in glyphs:
                    table.cmap[ord("0") + value] = name + suffix


def _rename(font: TTFont, family: str) -> None:
    """Make the font the regular style of a family called ``family``.

    Its names, weight and style flags are set accordingly. Of the other entries in its name table, only those on
    copyright, authors, trademark and licence are kept.
    """
    names = font["name"]
    keep = [record for record in names.names if record.nameID in (0, 7, 8, 9, 11, 12, 13, 14)]
    names.names = keep
    for name_id, text in (
        (1, family),
        (2, "Regular"),
        (3, family),
        (4, family),
        (6, family.replace(" ", "")),
    ):
        names.setName(text, name_id, 3, 1, 0x409)
        names.setName(text, name_id, 1, 0, 0)
    font["OS/2"].usWeightClass = 400
    font["OS/2"].fsSelection = (font["OS/2"].fsSelection & ~0x21) | 0x40
    font["head"].macStyle = 0
    if "post" in font:
        font["post"].italicAngle = 0.0


def _subset(font: TTFont, unicodes: Iterable[int], family: str, target: Path) -> None:
    options = subset.Options(
        layout_features=[], hinting=False, name_IDs=["*"], notdef_outline=True, glyph_names=False
    )
    options.drop_tables += ["gasp", "GPOS", "GSUB", "GDEF"]
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=list(unicodes))
    cutter.subset(font)
    _rename(font, family)
    font.save(target)


def make_mono(jetbrains_mono: Path, target: Path = HERE) -> None:
    """Write the monospaced font, which is used for code, and its licence to the folder ``target``.

    ``jetbrains_mono`` is a folder that contains the unpacked wheel of JetBrains Mono. ``target`` must exist.
    """
    source = TTFont(next(jetbrains_mono.glob("**/JetBrainsMono[[]wght].ttf")))
    font = instancer.instantiateVariableFont(source, {"wght": 400})
    _subset(font, LATIN + CYRILLIC + FALLBACK_CHARACTER, "Shibumi Mono", target / "Mono.ttf")
    shutil.copy(next(jetbrains_mono.glob("**/LICENSE")), target / "Mono-OFL.txt")


def make_fonts(
    inter: Path, spectral: Path, jetbrains_mono: Path, mincho: Path, kouzan: Path, target: Path = HERE
) -> None:
    """Write the eight fonts and their licences to the folder ``target``, which is created if necessary.

    ``inter``, ``spectral`` and ``jetbrains_mono`` are folders that contain the unpacked wheels of these fonts.
    ``mincho`` and ``kouzan`` are font files.
    """
    target.mkdir(parents=True, exist_ok=True)
    make_mono(jetbrains_mono, target)
    source = next(inter.glob("**/Inter[[]opsz,wght].ttf"))
    for weight, name in ((400, "Sans"), (600, "Sans Semibold")):
        axes: Mapping[str, float] = {"opsz": 14, "wght": weight}
        font = instancer.instantiateVariableFont(TTFont(source), dict(axes))
        _digits(font, ".tf")
        _subset(
            font,
            LATIN + GREEK + CYRILLIC + MARKS + FALLBACK_CHARACTER,
            f"Shibumi {name}",
            target / f"{name.replace(' ', '')}.ttf",
        )
    for style, name in (("Regular", "Serif"), ("Italic", "Serif Italic"), ("SemiBold", "Serif Semibold")):
        font = TTFont(next(spectral.glob(f"**/Spectral-{style}.ttf")))
        _digits(font, ".LP")
        _subset(font, LATIN + CYRILLIC + MARKS, f"Shibumi {name}", target / f"{name.replace(' ', '')}.ttf")
    _subset(TTFont(mincho), map(ord, KANJI), "Shibumi Mincho", target / "Mincho.ttf")
    _subset(TTFont(kouzan), map(ord, SEAL), "Shibumi Seal", target / "Seal.ttf")
    shutil.copy(next(inter.glob("**/LICENSE")), target / "Sans-OFL.txt")
    shutil.copy(next(spectral.glob("**/LICENSE")), target / "Serif-OFL.txt")
    ofl = (target / "Sans-OFL.txt").read_text().split("\n", 1)[1]
    owner = "Copyright 2022 The BIZ UDMincho Project Authors (https://github.com/googlefonts/morisawa-biz-ud-mincho)"
    (target / "Mincho-OFL.txt").write_text(f"{owner}\n{ofl}")
    (target / "Seal-licence.txt").write_text(
        "Aoyagi Kouzan T by Kouzan Aoyagi (https://musashi.or.tv/aoyagikouzanfontt.htm).\n"
        "The author has put the font into the public domain; only the one character used here is included.\n"
    )


def main() -> None:
    """Read the paths of the sources from the command line and make the fonts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("inter", "spectral", "jetbrains-mono", "mincho", "kouzan"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    args = parser.parse_args()
    make_fonts(args.inter, args.spectral, args.jetbrains_mono, args.mincho, args.kouzan)


if __name__ == "__main__":
    main()
