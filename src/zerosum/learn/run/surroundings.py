"""What a training depends on besides its settings and seed: the kind of processor, and versions of libraries.

The same settings and seed give the same run number for number where all of these are the same. Elsewhere sums
of floats may come out in another order, and a game may take another course.
"""

from __future__ import annotations

import platform
import subprocess
from functools import cache
from importlib import metadata
from pathlib import Path

LIBRARIES = ("numba", "numpy", "onnxruntime", "torch")


def surroundings() -> dict[str, str]:
    """All of them by name, as they are here."""
    found = {"zerosum": version("zerosum"), "commit": commit() or "unknown", "processor": processor()}
    return found | {"python": platform.python_version()} | {name: version(name) for name in LIBRARIES}


def differences(before: dict[str, str]) -> list[str]:
    """What is not as it was, in words; nothing of what was not written down."""
    now = surroundings()
    return [f"{name} {old}, now {now[name]}" for name, old in before.items() if now.get(name, old) != old]


@cache  # of this process: what is installed or committed later is not what runs here
def version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:  # run from a checkout that is not installed
        return "unknown"


def processor() -> str:
    """The name of the processor's model, or of its family where the system tells no more."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:  # not Linux
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


@cache
def commit() -> str | None:
    """The commit of the checkout this code lies in, marked where files differ from it."""
    checkout = Path(__file__).resolve().parents[4]
    if not (checkout / ".git").exists():
        return None
    command = ["git", "-C", str(checkout), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None
