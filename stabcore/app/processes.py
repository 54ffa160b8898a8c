"""Several processes of the app behind one address: started, started again when one dies, and ended together.

python -m stabcore.app.processes MODULE …: one of them, which ends when the one that started it is gone, however that ended.
"""

from __future__ import annotations

import asyncio
import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from stabcore.app.front import HEAD, Front
from stabcore.errors import InputError

FRONT = "STABILITY_FRONT"       # in the environment of a process: host and port that people use; empty where another one tells it
MOST = 64
SOON, TIMES = 10.0, 3           # a process that ends within these seconds, so many times, will not start at all
ENDING = 5.0                    # seconds in which a process has to end when it is asked to
if sys.platform == "win32":     # Ctrl+C is for the one that started them
    BESIDE = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
else:
    BESIDE = {"start_new_session": True}


def run(count: int, address: str, port: int, flags: Callable[[int, bool], list[str]]) -> int:
    """Serve until it is interrupted. flags: the module that one process runs, and its arguments, given its port and whether it may
    open the browser.

    Raises InputError where a process does not start, or the port was taken meanwhile.
    """
    try:
        asyncio.run(_Processes(count, flags).serve(address, port))
    except (KeyboardInterrupt, asyncio.CancelledError):
        pass
    return 0


class _Processes:
    def __init__(self, count, flags):
        self._flags, self._ports, self._running = flags, [0] * count, {}

    async def serve(self, address, port):
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        signal.signal(signal.SIGTERM, lambda *_: loop.call_soon_threadsafe(task.cancel))        # as Ctrl+C does by itself
        front = Front(lambda: self._ports, f"stability-process-{port}")
        self._ports = [_free_port() for _ in self._ports]
        try:
            server = await asyncio.start_server(front.serve, address, port, limit=HEAD)
        except OSError:
            raise InputError(f"Port {port} was taken by another program just now. Start again.") from None
        keeping = [asyncio.ensure_future(self._keep(number, f"{address}:{port}")) for number in range(len(self._ports))]
        try:
            await asyncio.gather(*keeping)
        finally:
            server.close()
            for task in keeping:
                task.cancel()
            await asyncio.gather(*keeping, return_exceptions=True)
            await self._end()

    async def _keep(self, number, front):
        """Start a process, and again whenever it ends. Raises InputError for one that ends at once again and again."""
        at_once, tells = 0, number == 0
        while True:
            began, process = time.monotonic(), await self._start(number, front if tells else "")
            code = await process.wait()
            at_once = at_once + 1 if time.monotonic() - began < SOON else 0
            if at_once == TIMES:
                raise InputError(f"A process of the server ended at once {TIMES} times, the last time with code {code}; above "
                                 "stands what it said.")
            print(f"A process of the server ended (code {code}) and is started again. Works and studies lie on the disk; pages "
                  "that were open on it load anew.", file=sys.stderr, flush=True)
            self._ports[number], tells = _free_port(), False

    async def _start(self, number, front):
        command = [sys.executable, "-m", "stabcore.app.processes", *self._flags(self._ports[number], bool(front))]
        package = str(Path(__file__).resolve().parents[2])
        environment = {**os.environ, FRONT: front,
                       "PYTHONPATH": os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))}
        self._running[number] = await asyncio.create_subprocess_exec(
            *command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment, **BESIDE)
        return self._running[number]

    async def _end(self):
        """Ask all to end, then see to it."""
        running = [process for process in self._running.values() if process.returncode is None]
        for ask in ("terminate", "kill"):
            for process in running:
                with suppress(ProcessLookupError):
                    getattr(process, ask)()
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.gather(*(process.wait() for process in running)), ENDING)
                return


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def _end_with_the_other():
    """The one that started this holds the other end of standard input, which the system closes however it ends."""
    sys.stdin.buffer.read()
    signal.raise_signal(signal.SIGTERM)
    time.sleep(ENDING)
    os._exit(0)


def main():
    """One process: the module that was named, with its arguments."""
    threading.Thread(target=_end_with_the_other, daemon=True).start()
    sys.argv = sys.argv[1:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
