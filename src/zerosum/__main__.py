"""The command ``zerosum``, as a process of its own, which signals end soon."""

from __future__ import annotations

import sys

from zerosum.cli.common import signals


def main() -> None:
    """Run the command line; once a signal has come, the exit code is that signal's, whatever it led to."""
    code, interrupted = 0, False
    try:
        signals.listen()  # first of all: to load the commands takes a while
        from zerosum.cli.main import call

        code = call()
        signals.close()
    except KeyboardInterrupt:  # as it began, or as it ended
        interrupted = True
    finally:  # an interruption in the middle of somebody's library may come out of it as any error
        if (interrupted or signals.came()) and code != signals.exit_code():
            signals.say_stopped()
            sys.exit(signals.exit_code())
    sys.exit(code)


if __name__ == "__main__":
    main()
