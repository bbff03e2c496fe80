"""What engines of all protocols share: lines come, answers go, until somebody says that it is over."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import IO


class LineEngine(ABC):
    """Answers lines; ``over`` once it was told to end."""

    over = False

    @abstractmethod
    def answer(self, line: str) -> str:
        """What to say to a line; '' where nothing is said."""

    def serve(self, commands: IO[str], answers: IO[str]) -> None:
        """Answer lines until one ends it, or there are no more."""
        for line in commands:
            said = self.answer(line)
            if said:
                answers.write(said + "\n")
                answers.flush()
            if self.over:
                return
