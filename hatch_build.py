"""Build hook: wheels carry the data folders; a checkout or an editable install reads them where they are."""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDERS = ("shaders", "models", "games")


class DataFolders(BuildHookInterface[Any]):
    """Puts the data folders into standard wheels, but leaves no stale copy behind an editable install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the folders to ``build_data`` when a standard wheel is built."""
        if version == "standard":
            for folder in FOLDERS:
                build_data["force_include"][folder] = f"shibumi3d/_data/{folder}"
