"""What a server measures while it works. The methods here do nothing; `metrics.Metrics` counts what they are told.

Rooms, store, bot pool and middleware report to this class, so that none of them knows in which form it is published.
"""

from __future__ import annotations


class Instrumentation:
    """Receives measurements and drops them. The methods are called for every choice, so they must be cheap."""

    def choice(self, game: str, *, by_bot: bool, seconds: float) -> None:
        """A choice was published, this long after it arrived."""

    def commit(self, writes: int, seconds: float) -> None:
        """A transaction with this many writes took so long. Called in the writer thread."""

    def thought(self, seconds: float, *, quick: bool) -> None:
        """A worker has answered a question after so long, or failed. `quick`: the bot does not search."""

    def thought_waited(self, seconds: float, *, quick: bool) -> None:
        """A question has waited so long for a worker."""

    def request(self, route: str, method: str, status: int, seconds: float) -> None:
        """A request was answered. `route` is the template of its path, since a path may contain a secret."""


NO_INSTRUMENTATION = Instrumentation()
"""For objects that no server has been told to measure."""
