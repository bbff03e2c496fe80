"""The window of games that are learnt from: positions in order of play, unrolled when they are read."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from zerosum.core.game import Game
from zerosum.learn.alphazero.lessons.replay import NO_MORE, Replay
from zerosum.learn.alphazero.settings import Auxiliary
from zerosum.learn.muzero.unrolled import Picks, Unrolled, Window, stray, unroll

DRAWS = 1 << 32  # so many that every one of a few moves is as likely as the others


class GameReplay(Replay):
    """Games of the latest iterations, oldest first; a game's positions lie one behind another."""

    names: ClassVar[tuple[str, ...]] = Window._fields

    def __init__(
        self,
        game: Game,
        symmetries: str,
        steps: int,
        auxiliary: Auxiliary = NO_MORE,
        strays: float = 0.0,
    ) -> None:
        """For lessons of so many imagined moves, a share of which strays from the games.

        None does where the game is hidden: what a player saw of it is not enough to go on from.
        """
        super().__init__(game, symmetries, auxiliary)
        self.steps = steps
        self.strays = 0.0 if game.hidden else strays

    def draw(self, size: int, rng: np.random.Generator) -> dict[str, NDArray[Any]]:
        """A batch drawn at random, each pick as a random symmetry shows it: the fields of Unrolled."""
        game = self.game
        picks = Picks(
            rows=self.pick(size, rng),
            symmetries=rng.choice(self.symmetries, size=size),
            after=rng.integers(game.num_actions, size=(size, self.steps + 1)),
            hidden=int(game.hidden),
            strays=rng.integers(DRAWS, size=(round(self.strays * size), self.steps + 1)),
        )
        return self.read(picks)._asdict()

    def read(self, picks: Picks) -> Unrolled:
        """The lesson of picks, with planes [pick, step, plane, cell]."""
        game = self.game
        shape = (len(picks.rows), self.steps + 1)
        lesson = Unrolled(
            planes=np.empty((*shape, len(game.planes) * game.num_cells), dtype=np.float32),
            seen=np.empty(shape, dtype=np.float32),
            legal=np.empty((*shape, game.num_actions), dtype=np.float32),
            policy=np.empty((*shape, game.num_actions), dtype=np.float32),
            values=np.empty(shape, dtype=np.float32),
            judged=np.empty(shape, dtype=np.float32),
            over=np.empty(shape, dtype=np.float32),
            actions=np.empty(shape, dtype=np.int64),
            again=np.empty(shape, dtype=np.float32),
        )
        window = Window(*(self.columns[name] for name in self.names))
        unroll(game.rules, game.table, window, picks, self.tables, lesson)
        if len(picks.strays):
            stray(game.rules, game.table, window, picks, self.tables, lesson)
        return lesson._replace(planes=lesson.planes.reshape(*shape, len(game.planes), game.num_cells))
