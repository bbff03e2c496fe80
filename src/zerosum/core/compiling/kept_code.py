"""Machine code on disk: a file for each function and signature, used only as it was written.

Numba's own cache keeps an index and numbered files, and fails for good on a damaged one. Here a file's name
tells all that its code depends on, and its first bytes the digest of the rest: whatever does not fit is a
miss, and is compiled anew. What cannot be written is not kept.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import numba
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps, loads

from zerosum.core.compiling.cache import say_once

DIGEST = 32  # bytes
_drafts = count()


class KeptCode:
    """The compiled forms of one function, as numba asks for them; without a folder none are kept."""

    def __init__(self, function: Callable[..., Any], folder: Path | None) -> None:
        self.function = function
        self.folder = folder

    @property
    def cache_path(self) -> str:
        return str(self.folder)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The compiled function, or None where there is none that is whole."""
        if self.folder is None:
            return None
        target.refresh()
        path = self._path(self.folder, signature, target.codegen())
        try:
            data = path.read_bytes()
        except OSError:
            return None
        if hashlib.sha256(data[DIGEST:]).digest() != data[:DIGEST]:
            with suppress(OSError):
                path.unlink()
            return None
        return CompileResult._rebuild(target, *loads(data[DIGEST:]))

    def save_overload(self, signature: Any, result: Any) -> None:
        if self.folder is None or result.library.has_dynamic_globals:
            return
        code = dumps(result._reduce())
        path = self._path(self.folder, signature, result.codegen)
        draft = path.with_name(f"{path.stem[-40:]}.{os.getpid()}-{next(_drafts)}.tmp")
        try:
            _write(draft, hashlib.sha256(code).digest() + code)
            os.replace(draft, path)
        except OSError as error:
            with suppress(OSError):
                draft.unlink()
            say_once(f"compiled code is not kept: cannot write {self.folder}: {error.strerror or error}")

    def enable(self) -> None:
        """Numba's word for what is always so here."""

    def disable(self) -> None:
        self.folder = None

    def flush(self) -> None:
        """Nothing waits to be written."""

    def _path(self, folder: Path, signature: Any, codegen: Any) -> Path:
        function = self.function
        cells = tuple(cell.cell_contents for cell in function.__closure__ or ())
        depends = (
            signature,
            codegen.magic_tuple(),
            function.__code__.co_code,
            dumps(cells) if cells else b"",
            numba.config.BOUNDSCHECK,
            numba.__version__,
            sys.version_info[:2],
        )
        name = f"{function.__module__}.{function.__qualname__}-{function.__code__.co_firstlineno}"
        digest = hashlib.sha256(repr(depends).encode()).hexdigest()[:16]
        return folder / f"{re.sub(r'[^A-Za-z0-9_.-]', '_', name)[-150:]}.{digest}.code"


def _write(path: Path, data: bytes) -> None:
    """Make a file, without waiting for the disk: what a power cut damages is found out."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
    finally:
        os.close(descriptor)
