"""Compile the engine: ``python -m shibumi3d.build_native``, or ``make native``.

mypyc compiles the modules in :data:`MODULES` together, in a work folder that contains copies of them and of everything
they import. The libraries are then moved to where :mod:`shibumi3d.native` finds them. Without them, the program runs
from the Python sources.

:mod:`.sources` lists what is compiled, :mod:`.building` compiles it, and :mod:`.builder` does so in the background
while the program is running.
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
