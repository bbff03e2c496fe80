"""In which folder numba keeps the code of a function: by the text of the sources, wherever they lie."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numba
from numba.core.caching import UserProvidedCacheLocator

from zerosum.core.compiling.cache import PACKAGE, cache_directory


class SourceLocator(UserProvidedCacheLocator):
    """Numba's own, but for names inside the package: two checkouts with the same text share their code.

    Numba hashes the whole path instead, and compiles all anew for a copy, a clone or a moved folder.
    """

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        folder = Path(py_file).parent
        if folder == PACKAGE or PACKAGE in folder.parents:
            return "_".join(("zerosum", *folder.relative_to(PACKAGE).parts))
        return str(super().get_suitable_cache_subpath(py_file))


@contextmanager
def kept_by_source(source: Path) -> Iterator[None]:
    """Keep what is compiled inside by the text of its sources, and leave numba's settings as they were."""
    before = numba.config.CACHE_DIR, numba.config.CACHE_LOCATOR_CLASSES
    numba.config.CACHE_DIR = str(cache_directory(source))
    numba.config.CACHE_LOCATOR_CLASSES = f"{SourceLocator.__module__}.{SourceLocator.__name__}"
    try:
        yield
    finally:
        numba.config.CACHE_DIR, numba.config.CACHE_LOCATOR_CLASSES = before
