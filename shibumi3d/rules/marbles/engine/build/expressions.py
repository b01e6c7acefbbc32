"""The node builder, complete with the builders for all operations."""

from __future__ import annotations

from shibumi3d.rules.marbles.engine.build import comprehensions, geometry, values
from shibumi3d.rules.marbles.engine.build.nodes import MAKERS, NodeBuilder

for makers in (values.MAKERS, geometry.MAKERS, comprehensions.MAKERS):
    MAKERS.update(makers)

__all__ = ["NodeBuilder"]
