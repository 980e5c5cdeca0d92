"""python -m fairshot."""

import sys

from fairshot.cli.main import main

sys.exit(main())
