"""Pictures: the board as SVG and in a terminal."""
