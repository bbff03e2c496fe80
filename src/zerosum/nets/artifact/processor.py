"""What this processor is good at."""

from __future__ import annotations

import platform
from functools import cache
from pathlib import Path

CPU_INFO = Path("/proc/cpuinfo")  # of Linux
DOT_PRODUCTS = frozenset({"avx512_vnni", "avx_vnni", "asimddp"})  # Intel's and AMD's names, and ARM's
HALVES = frozenset({"avx512_bf16", "amx_bf16"})
APPLE = ("Darwin", "arm64")  # every such processor has them


@cache
def multiplies_bytes() -> bool:
    """Whether it multiplies and adds eight-bit numbers at once, several times as fast as larger ones.

    Without that, eight-bit networks gain little, and sums of 16 bits may overflow in them.
    """
    return (platform.system(), platform.machine()) == APPLE or bool(DOT_PRODUCTS & _abilities())


@cache
def multiplies_halves() -> bool:
    """Whether it multiplies and adds numbers of 16 bits (bfloat16) twice as fast as those of 32."""
    return bool(HALVES & _abilities())


def _abilities() -> set[str]:
    return flags(CPU_INFO.read_text()) if CPU_INFO.exists() else set()


def flags(cpu_info: str) -> set[str]:
    """The abilities that Linux lists of the first processor."""
    for line in cpu_info.splitlines():
        name, _, value = line.partition(":")
        if name.strip().lower() in ("flags", "features"):
            return set(value.split())
    return set()
