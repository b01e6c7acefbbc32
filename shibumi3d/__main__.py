"""``python -m shibumi3d`` is the command ``shibumi3d``."""

import sys

from shibumi3d.cli.main import main

sys.exit(main())
