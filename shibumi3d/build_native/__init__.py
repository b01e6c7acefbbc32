"""Compile the engine: ``python -m shibumi3d.build_native``, or ``make native``.

mypyc compiles the modules in :data:`MODULES` together, in a work folder that contains copies of them and of everything
they import. The libraries are then moved to where :mod:`shibumi3d.native` finds them. Without them, the program runs
from the Python sources.

:mod:`.sources` lists what is compiled, :mod:`.compilation` compiles it, and :mod:`.background` does so in the
background while the program is running.
"""

from shibumi3d.build_native.background import should_offer_build as should_offer_build
from shibumi3d.build_native.background import start_build as start_build
from shibumi3d.build_native.background import start_in_checkout as start_in_checkout
from shibumi3d.build_native.compilation import BuildError as BuildError
from shibumi3d.build_native.compilation import build_engine as build_engine
from shibumi3d.build_native.compilation import build_lock as build_lock
from shibumi3d.build_native.compilation import copy_compiled as copy_compiled
from shibumi3d.build_native.compilation import is_compiled as is_compiled
from shibumi3d.build_native.compilation import missing_tools as missing_tools
from shibumi3d.build_native.compilation import remove_compiled as remove_compiled
from shibumi3d.build_native.sources import MODULES as MODULES
from shibumi3d.build_native.sources import source_closure as source_closure
from shibumi3d.build_native.sources import source_path as source_path
from shibumi3d.build_native.sources import twin_modules as twin_modules
from shibumi3d.native import TWINS as TWINS
