"""Former name of :mod:`.engine_client`."""

from __future__ import annotations

from shibumi3d.deprecation import warn_renamed
from shibumi3d.search.engine_client import EngineClient


def __getattr__(name: str) -> type[EngineClient]:
    if name == "Thinker":
        warn_renamed("shibumi3d.search.thinker.Thinker", "shibumi3d.search.engine_client.EngineClient")
        return EngineClient
    raise AttributeError(name)
