"""What every game is built on: compiling, random numbers, records, narration, and the interface of a game."""

import os

# Where colorama happens to be installed, Numba colours its messages with it, and leaves escape sequences on terminals
# that were asked for none.
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")
