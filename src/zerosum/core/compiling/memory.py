"""How much memory there is, asked before it is used: what cannot fit is refused with a figure."""

from __future__ import annotations

import os
from pathlib import Path

from zerosum.core.errors import ZerosumError

GIGABYTE = 1e9


def require_memory(size: int, what: str) -> None:
    """Refuse what would need more bytes than there are."""
    free = free_memory()
    if size > free:
        raise ZerosumError(
            f"{what} would need {size / GIGABYTE:,.1f} GB of memory, and {free / GIGABYTE:,.1f} GB are free; "
            "ask for less"
        )


def free_memory() -> int:
    """Bytes that can be had now; all that the machine has where it does not say."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) << 10
    except OSError:  # not Linux
        pass
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
