"""A TCP proxy on loopback that can stop passing bytes, or close: a network that fails, and a load balancer.

It runs in a thread of its own, so that campaigns and tests of any event loop can share it.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

Address = tuple[str, int] | str
"""A host and a port, or the path of a Unix socket."""
CHUNK = 65536
TRYING = 5.0
"""Seconds for which a connection tries one upstream after the other, as `lb_try_duration` in `deploy/Caddyfile`."""


class Proxy:
    """Passes connections on to one of its upstreams.

    `upstreams` is asked for each connection, in the proxy's thread: a load balancer gives those that are ready.
    """

    def __init__(self, upstreams: Callable[[], Sequence[Address]]) -> None:
        self._upstreams = upstreams
        self._loop = asyncio.new_event_loop()
        self._passing = asyncio.Event()
        self._passing.set()
        self._refusing = False
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxy", daemon=True)
        self._thread.start()
        self._server = self._run(asyncio.start_server(self._connected, "127.0.0.1", 0))
        self.port: int = self._server.sockets[0].getsockname()[1]

    def hold(self) -> None:
        """Pass no more bytes, in both directions. Connections stay open, and new ones are accepted."""
        self._loop.call_soon_threadsafe(self._passing.clear)

    def cut(self) -> None:
        """Close all connections, and new ones at once."""
        self._run(self._cut())

    def heal(self) -> None:
        """Pass bytes again, also those that were held."""
        self._run(self._heal())

    def close(self) -> None:
        """End all connections and the thread."""
        self.cut()
        self._run(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _cut(self) -> None:
        self._refusing = True
        for writer in self._writers:
            writer.transport.abort()

    async def _heal(self) -> None:
        self._refusing = False
        self._passing.set()

    async def _close(self) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._writers.add(writer)
        try:
            if not self._refusing and (upstream := await self._connect()) is not None:
                self._writers.add(upstream[1])
                try:
                    await asyncio.gather(self._pump(reader, upstream[1]), self._pump(upstream[0], writer))
                finally:
                    self._writers.discard(upstream[1])
                    upstream[1].transport.abort()
        except asyncio.CancelledError:
            pass  # the proxy is closing
        finally:
            self._tasks.discard(task)
            self._writers.discard(writer)
            writer.close()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        until = time.monotonic() + TRYING
        while time.monotonic() < until:
            known = list(self._upstreams())
            for address in random.sample(known, len(known)):
                with contextlib.suppress(OSError):
                    if isinstance(address, str):
                        return await asyncio.open_unix_connection(address)
                    return await asyncio.open_connection(*address)
            await asyncio.sleep(0.1)
        return None

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass bytes on until the sender has ended; then end the other direction too."""
        with contextlib.suppress(OSError):
            while data := await reader.read(CHUNK):
                await self._passing.wait()
                writer.write(data)
                await writer.drain()
        with contextlib.suppress(OSError, RuntimeError):
            await self._passing.wait()  # a network that is cut does not pass the end on either
            if writer.can_write_eof():
                writer.write_eof()
