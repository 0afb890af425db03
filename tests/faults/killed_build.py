"""A build that kills itself: python killed_build.py WHEN COUNT DELAY_MS WHOM build ARGUMENTS...

WHEN is a regular expression over what Python reports to audit hooks ("open /store/...", "os.rename ..."); at its
COUNT-th match, DELAY_MS later, the process ends by SIGKILL; WHOM is ``group`` or ``driver``.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import threading

from trajmill.flows.cli import main


def arm(when: str, count: int, delay_s: float, whom: str) -> None:
    """Have the process killed at the given instant."""
    pattern = re.compile(when)
    seen = 0

    def kill() -> None:
        if whom == "group":
            os.killpg(0, signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal seen
        if event.startswith(("open", "os.", "shutil.", "subprocess.")) and pattern.search(f"{event} {arguments}"):
            seen += 1
            if seen == count and delay_s:
                threading.Timer(delay_s, kill).start()
            elif seen == count:
                kill()

    sys.addaudithook(watch)


if __name__ == "__main__":
    arm(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) / 1000, sys.argv[4])
    main(sys.argv[5:])
