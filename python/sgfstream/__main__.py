"""The command ``sgfq``: ``python -m sgfstream count games/``."""

from __future__ import annotations

import signal
import sys

from ._native import run


def main() -> int:
    """Runs the command line of this process."""
    # The command obeys Ctrl-C by itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run(["sgfq", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
