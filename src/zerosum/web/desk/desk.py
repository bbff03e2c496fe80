"""All that one server holds for its pages, with its bounds."""

from __future__ import annotations

from collections.abc import Iterable

from zerosum.core.errors import BadSpec
from zerosum.web.desk.admission import Games
from zerosum.web.desk.table import Table
from zerosum.web.desk.thinkers import Thinkers

MOST_PAGES = 400  # open at once
KEPT_TABLES = 2_000  # hidden games that are found again after a reload


class Desk:
    def __init__(self, files: Iterable[str] = (), thinkers: Thinkers | None = None) -> None:
        self.games = Games(files)
        self.thinkers = thinkers or Thinkers()
        self.pages = 0
        self.closing = False  # the server is being stopped: studies end where they are
        self._tables: dict[str, Table] = {}

    def enter(self) -> None:
        """A page is opened; raises where there are too many."""
        if self.pages >= MOST_PAGES:
            raise BadSpec(
                f"{MOST_PAGES} pages are open on this server, which is all it has room for; come back later"
            )
        self.pages += 1

    def leave(self) -> None:
        self.pages -= 1

    def keep(self, key: str, table: Table) -> None:
        """Hold on to a game whose address may not tell its moves."""
        self._tables.pop(key, None)
        self._tables[key] = table
        while len(self._tables) > KEPT_TABLES:
            self._tables.pop(next(iter(self._tables)))

    def kept(self, key: str) -> Table | None:
        return self._tables.get(key)
