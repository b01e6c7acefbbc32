"""Entry point of ``python -m shibumi3d``, which does the same as the command ``shibumi3d``."""

import multiprocessing
import sys

from shibumi3d.cli.main import main

# In a bundled program, the worker processes for computer players and pictures start here too.
multiprocessing.freeze_support()
sys.exit(main())
