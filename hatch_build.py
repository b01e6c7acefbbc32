"""Build hooks: packages tell where they come from, and wheels carry the data folders and, when asked, the
compiled engine.

A checkout or an editable install reads the data where it is and compiles beside the play.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

FOLDERS = ("shaders", "models", "games")

# Set to "yes" a wheel has the compiled engine inside; else it is pure Python, and made in seconds.
SWITCH = "SHIBUMI3D_NATIVE"


def compile_catalogues(root: Path) -> None:
    """Write the compiled catalogue of each language beside its source, where that is newer."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    for source in sorted((root / "shibumi3d" / "locale").glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if not target.is_file() or target.stat().st_mtime < source.stat().st_mtime:
            with source.open("rb") as file, target.open("wb") as made:
                write_mo(made, read_po(file, locale=source.parts[-3]))


class Links(MetadataHookInterface):
    """Gives packages their links and README.md, whose pictures and pages are found from anywhere.

    That takes the address of the project; without one there are no links, and those of the readme stay as they are.
    """

    def update(self, metadata: dict[str, Any]) -> None:
        """Set ``readme`` and ``urls``."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        address = str(self.config.get("address", "")).rstrip("/")
        if address:
            tag = f"v{metadata['version']}"
            metadata["urls"] = {
                "Homepage": address,
                "Source": address,
                "Issues": f"{address}/issues",
                "Changelog": f"{address}/blob/{tag}/CHANGELOG.md",
                "Documentation": f"{address}/tree/{tag}/docs",
            }
            text = re.sub(r"(!\[[^]]*\]\()(?!https?:)", rf"\g<1>{address}/raw/{tag}/", text)
            text = re.sub(r"(?<!!)(\[[^]]*\]\()(?!https?:|#)(?=[\w.])", rf"\g<1>{address}/blob/{tag}/", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


class Wheel(BuildHookInterface[Any]):
    """Puts the data folders and the compiled engine into standard wheels, and nothing into editable ones."""

    def dependencies(self) -> list[str]:
        """What compiling needs; nothing where it is not wanted."""
        if not self._wanted():
            return []
        return list(self.metadata.core.optional_dependencies["native"])

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the catalogues; add the folders and the compiled engine when a standard wheel is built."""
        compile_catalogues(Path(self.root))
        if version != "standard":
            return
        for folder in FOLDERS:
            build_data["force_include"][folder] = f"shibumi3d/_data/{folder}"
        if not self._wanted():
            return
        self._made = tempfile.TemporaryDirectory(prefix="shibumi3d-wheel-")
        command = [sys.executable, "-m", "shibumi3d.build_native", "--into", self._made.name]
        done = subprocess.run(command, cwd=self.root, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr)
        for path in sorted(Path(self._made.name).iterdir()):
            build_data["force_include"][str(path)] = f"shibumi3d/_native/{path.name}"
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Take the temporary folder away."""
        if hasattr(self, "_made"):
            self._made.cleanup()

    def _wanted(self) -> bool:
        return os.environ.get(SWITCH) == "yes"
