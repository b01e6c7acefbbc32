"""Compiles the engine: ``python -m shibumi3d.build_native``, or ``make native``.

The modules named in :data:`MODULES` are compiled together by mypyc, in a folder that holds them and what they import,
and then put where :mod:`shibumi3d.native` finds them. Their sources stay what runs without them.
:mod:`.sources` says what is compiled, :mod:`.building` compiles it, :mod:`.builder` does so beside the program.
"""

from shibumi3d.native import WIDE_LIBRARY as WIDE_LIBRARY

from .builder import begin as begin
from .building import BuildFailed as BuildFailed
from .building import alone as alone
from .building import build as build
from .building import compiled as compiled
from .building import copy as copy
from .building import missing as missing
from .building import remove as remove
from .sources import MODULES as MODULES
from .sources import closure as closure
from .sources import source_of as source_of
from .sources import twins as twins
