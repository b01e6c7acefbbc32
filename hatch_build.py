"""Build hooks for Hatchling.

:class:`Links` sets the readme and project links of a package. :class:`Wheel` adds the data folders and, on request, the
compiled engine to wheels. A checkout or an editable install reads the data in place, and compiles the engine while the
program runs.
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

# If this environment variable is "yes", wheels contain the compiled engine; otherwise they are pure Python and are
# built in seconds.
SWITCH = "SHIBUMI3D_NATIVE"


def compile_catalogues(root: Path) -> None:
    """Compile each message catalogue whose ``.mo`` file is missing or outdated."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    for source in sorted((root / "shibumi3d" / "locale").glob("*/LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if not target.is_file() or target.stat().st_mtime < source.stat().st_mtime:
            with source.open("rb") as file, target.open("wb") as made:
                write_mo(made, read_po(file, locale=source.parts[-3]))


class Links(MetadataHookInterface):
    """Metadata hook that sets the project links and the readme of a package.

    Relative links in the readme are made absolute, so that its pictures and pages can also be reached from a package
    index. The setting ``address`` is the URL of the project. Without it, no project links are set, and the links in the
    readme stay relative.
    """

    def update(self, metadata: dict[str, Any]) -> None:
        """Set ``readme``, and ``urls`` if the address is known."""
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
    """Build hook that adds the data folders and, on request, the compiled engine to standard wheels.

    Editable wheels contain neither.
    """

    def dependencies(self) -> list[str]:
        """Return the packages needed to compile the engine.

        The list is empty unless the environment variable ``SHIBUMI3D_NATIVE`` is "yes".
        """
        if not self._wanted():
            return []
        return list(self.metadata.core.optional_dependencies["native"])

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the message catalogues; add the data and, on request, the compiled engine to a standard wheel.

        Raises RuntimeError with the compiler's output if the engine can't be compiled.
        """
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
        """Delete the temporary folder that the engine was compiled in."""
        if hasattr(self, "_made"):
            self._made.cleanup()

    def _wanted(self) -> bool:
        return os.environ.get(SWITCH) == "yes"
