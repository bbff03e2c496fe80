"""Run a command in the environment of this checkout, which is made on first use.

While nothing has changed since the last set-up, a call costs milliseconds and needs no network.
Messages go to standard error: standard output is the command's.
"""

from __future__ import annotations

import os
import sys
from itertools import pairwise

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
# Command, or its first two words: the optional dependencies that it needs.
EXTRAS = {
    "bench": "bench",
    "docs": "docs",
    "bench signature": "",
    "bench train": "bench-train",
    "history": "learn",
    "ladder": "learn",
    "model": "learn",
    "plot": "learn",
    "python": "learn",
    "report": "learn",
    "reproduce": "learn",
    "runs": "learn",
    "tensorboard": "learn",
    "test": "test",
    "train": "learn",
    "transfer": "learn",
    "watch": "learn",
    "web": "web",
}
OPTIONS = {("--pool", "ray"): "ray"}  # the same for an option and its value
SPECS = {"openspiel:": "openspiel"}  # the same for how a game or a player begins
DRAWING = ("draw", "explain", "replay")  # commands that need more for some endings of --to
ENDINGS = {".png": "pictures", ".gif": "pictures"}
SCRIPTS = {
    "docs": "scripts/docs_site.py",
    "test": "scripts/test.py",
}  # commands of the repository that the installed package lacks
# Programs of the environment, for which nobody should have to know where it is: what Python is given first.
PROGRAMS = {"python": [], "tensorboard": ["-m", "tensorboard.main"]}


def prepared(root: str, arguments: list[str]) -> list[str]:
    """The command line that does what the arguments ask, with everything installed that it needs."""
    from scripts.stamp import python_path, read_stamp

    words = [argument for argument in arguments if not argument.startswith("-")]
    command = words[0] if words else ""
    extras = [EXTRAS.get(" ".join(words[:2]), EXTRAS.get(command, ""))]
    extras += [needed for option, needed in OPTIONS.items() if option in pairwise(arguments)]
    extras += [needed for start, needed in SPECS.items() if any(word.startswith(start) for word in words)]
    for option, value in pairwise(arguments):
        if command in DRAWING and option == "--to":
            extras.append(ENDINGS.get(os.path.splitext(value)[1].lower(), ""))
    for extra in [""] if "--help" in arguments else extras:
        stamp = read_stamp(root)
        if stamp is not None and stamp.serves(root, extra):
            continue
        from scripts.environment import SetupError, set_up

        try:
            set_up(root, extra)
        except SetupError as error:
            sys.exit(f"zerosum: {error}")
        except KeyboardInterrupt:
            print("zerosum: set-up interrupted; call again to go on", file=sys.stderr)
            sys.exit(130)
    # -P: a file named like a module, in the folder one happens to be in, must not stand in for it.
    python = [python_path(root), "-P"]
    if command in PROGRAMS and arguments[0] == command:
        return [python_path(root), *PROGRAMS[command], *arguments[1:]]
    if command in SCRIPTS:
        where = arguments.index(command)
        return [*python, os.path.join(root, SCRIPTS[command]), *arguments[:where], *arguments[where + 1 :]]
    os.environ["ZEROSUM_LAUNCHER"] = "1"  # the help then tells what only a checkout has
    return [*python, "-m", "zerosum", *arguments]


def keep_bytecode(root: str) -> None:
    """Where Python shall leave no bytecode beside sources, it goes into the environment instead.

    Containers often ask for that. With none at all, every command would compile anew all that it imports:
    seconds, where torch is among it.
    """
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ["PYTHONPYCACHEPREFIX"] = os.path.join(root, ".venv", "bytecode")


if __name__ == "__main__":
    sys.path.insert(0, ROOT)
    line = prepared(ROOT, sys.argv[1:])
    keep_bytecode(ROOT)
    os.execv(line[0], line)
