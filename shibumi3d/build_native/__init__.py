"""Compiles the engine: ``python -m shibumi3d.build_native``, or ``make native``.

The modules named in :data:`MODULES` are compiled together by mypyc, in a folder that holds them and what they import,
and then put where :mod:`shibumi3d.native` finds them. Their sources stay what runs without them.
:mod:`.sources` says what is compiled, :mod:`.building` compiles it, :mod:`.builder` does so beside the program.
"""

from shibumi3d.build_native.builder import begin as begin
from shibumi3d.build_native.builder import offered as offered
from shibumi3d.build_native.builder import start as start
from shibumi3d.build_native.building import BuildFailed as BuildFailed
from shibumi3d.build_native.building import alone as alone
from shibumi3d.build_native.building import build as build
from shibumi3d.build_native.building import compiled as compiled
from shibumi3d.build_native.building import copy as copy
from shibumi3d.build_native.building import missing as missing
from shibumi3d.build_native.building import remove as remove
from shibumi3d.build_native.sources import MODULES as MODULES
from shibumi3d.build_native.sources import closure as closure
from shibumi3d.build_native.sources import source_of as source_of
from shibumi3d.build_native.sources import twins as twins
from shibumi3d.native import WIDE_LIBRARY as WIDE_LIBRARY
