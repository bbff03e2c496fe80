"""The window of positions that are learnt from: kept as compact positions, encoded when they are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.compiling.compile import Rules, Words, actions_type, kernel, rules_type, words_type
from zerosum.core.game import Game
from zerosum.learn.alphazero.selfplay import Positions

boards_type = types.uint64[:, ::1]
planes_type = types.float32[:, ::1]
symmetries_type = types.int64[:, ::1]


@kernel(
    types.void(
        rules_type,
        words_type,
        boards_type,
        types.uint16[:, ::1],
        planes_type,
        symmetries_type,
        symmetries_type,
        actions_type,
        planes_type,
        planes_type,
        planes_type,
    )
)
def read_positions(
    rules: Rules,
    table: Words,
    positions: Words,  # [row, word]
    actions: Words,  # [row, kept]
    policy_targets: Words,  # [row, kept]
    cell_symmetries: Words,  # [symmetry, cell]
    action_symmetries: Words,  # [symmetry, action]
    symmetries: Words,  # [row] which symmetry shows the row
    planes: Words,  # [row, plane * cell] filled in
    policy: Words,  # [row, action] filled in
    legal: Words,  # [row, action] filled in, 1 where legal
) -> None:
    """Encode positions, each turned by a symmetry, with their targets."""
    plain = np.empty(planes.shape[1], dtype=np.float32)
    found = np.empty(action_symmetries.shape[1], dtype=np.int64)
    num_cells = cell_symmetries.shape[1]
    policy[:] = 0.0
    legal[:] = 0.0
    for row in range(len(positions)):
        symmetry = symmetries[row]
        rules.encode(table, positions[row], plain)
        for start in range(0, len(plain), num_cells):
            for cell in range(num_cells):
                planes[row, start + cell_symmetries[symmetry, cell]] = plain[start + cell]
        for i in range(rules.legal(table, positions[row], found)):
            legal[row, action_symmetries[symmetry, found[i]]] = 1.0
        for k in range(actions.shape[1]):
            if policy_targets[row, k] > 0.0:
                policy[row, action_symmetries[symmetry, actions[row, k]]] = policy_targets[row, k]


class Replay:
    """Positions of the latest iterations, oldest first."""

    def __init__(self, game: Game, symmetries: str = "all") -> None:
        self.game = game
        self.chunks: list[Positions] = []
        self.turned = _choose_symmetries(game, symmetries)
        self.cell_symmetries = np.ascontiguousarray(game.symmetries.cells, dtype=np.int64)
        self.action_symmetries = np.ascontiguousarray(game.symmetries.actions, dtype=np.int64)

    def __len__(self) -> int:
        return sum(len(chunk.values) for chunk in self.chunks)

    def add(self, positions: Positions, iterations: int, most: int) -> None:
        """Keep an iteration's positions, and of all no more than so many iterations and positions."""
        self.chunks.append(positions)
        self.chunks = self.chunks[-iterations:]
        while len(self.chunks) > 1 and len(self) > most:
            del self.chunks[0]

    def gather(self) -> None:
        """Put the window into one piece, for drawing batches from it."""
        self.positions = np.concatenate([chunk.positions for chunk in self.chunks])
        self.actions = np.concatenate([chunk.actions for chunk in self.chunks])
        self.policy_targets = np.concatenate([chunk.policy_targets for chunk in self.chunks])
        self.values = np.concatenate([chunk.values for chunk in self.chunks])

    def draw(self, size: int, rng: np.random.Generator) -> dict[str, NDArray[np.float32]]:
        """A batch drawn at random, each position as a random symmetry shows it."""
        rows = rng.integers(len(self.values), size=size)
        symmetries = rng.choice(self.turned, size=size)
        game = self.game
        planes = np.empty((size, len(game.planes) * game.num_cells), dtype=np.float32)
        policy = np.empty((size, game.num_actions), dtype=np.float32)
        legal = np.empty((size, game.num_actions), dtype=np.float32)
        read_positions(
            game.rules,
            game.table,
            self.positions[rows],
            self.actions[rows],
            self.policy_targets[rows],
            self.cell_symmetries,
            self.action_symmetries,
            symmetries,
            planes,
            policy,
            legal,
        )
        shaped = planes.reshape(size, len(game.planes), game.num_cells)
        return {"planes": shaped, "policy": policy, "legal": legal, "values": self.values[rows]}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All there is to save."""
        self.gather()
        sizes = [(len(c.values), c.games, c.first_won, c.drawn, c.plies) for c in self.chunks]
        return {
            "replay/positions": self.positions,
            "replay/actions": self.actions,
            "replay/policy_targets": self.policy_targets,
            "replay/values": self.values,
            "replay/chunks": np.array(sizes, dtype=np.int64),
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Put back what ``arrays`` gave."""
        start = 0
        self.chunks = []
        targets = "policy_targets" if "replay/policy_targets" in arrays else "shares"  # of earlier versions
        for size, games, first_won, drawn, plies in arrays["replay/chunks"].tolist():
            part = slice(start, start + size)
            positions, actions, policy_targets, values = (
                arrays[f"replay/{name}"][part] for name in ("positions", "actions", targets, "values")
            )
            self.chunks.append(
                Positions(positions, actions, policy_targets, values, games, first_won, drawn, plies)
            )
            start += size


def _choose_symmetries(game: Game, which: str) -> NDArray[np.int64]:
    """Numbers of symmetries: 'all' the game's, its 'flips' along axes, or 'none' but the identity."""
    if which == "none":
        return np.zeros(1, dtype=np.int64)
    numbers = np.arange(len(game.symmetries))
    if which == "all":
        return numbers
    board = np.arange(game.num_cells).reshape(game.shape)
    axes = [tuple(a for a in range(board.ndim) if bits >> a & 1) for bits in range(2**board.ndim)]
    flips = {np.flip(board, flipped).tobytes() for flipped in axes}
    return numbers[[row.tobytes() in flips for row in np.asarray(game.symmetries.cells, dtype=board.dtype)]]
