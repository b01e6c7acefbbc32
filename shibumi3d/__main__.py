"""``python -m shibumi3d`` is the command ``shibumi3d``."""

import multiprocessing
import sys

from shibumi3d.cli.main import main

# In a bundle, computer players and pictures have processes that begin here.
multiprocessing.freeze_support()
sys.exit(main())
