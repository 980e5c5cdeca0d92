"""python -m fairshot."""

import sys

from fairshot.cli import main

sys.exit(main())
