"""What every game stands on: compiling, random numbers, records, narration, and the table of a game's functions."""

import os

# Where colorama happens to be installed, Numba colours its messages with it, and leaves escape sequences on terminals
# that were asked for none.
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")
