"""`python -m spina`: the command line."""

import sys

from spina.cli import main

sys.exit(main())
