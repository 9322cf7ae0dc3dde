"""Bots at tables: worker processes, their queue, hints and analysis."""
