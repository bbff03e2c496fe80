"""Train the MaskablePPO of Stable-Baselines3 on a game, and let it play a tournament.

pip install 'zerosum[rl]', then: python examples/maskable_ppo.py tictactoe 20000
"""

from __future__ import annotations

import sys

import numpy as np
from sb3_contrib import MaskablePPO

import zerosum
from zerosum.adapters.gymnasium import OpponentEnv


class PpoPlayer:
    """What was learnt, as a player: it sees what the environment showed it."""

    spec = "maskable-ppo"

    def __init__(self, model: MaskablePPO, game: zerosum.Game) -> None:
        self.model = model
        self.game = game

    def new_game(self, seed: int) -> None:
        """Nothing is drawn: the most likely action is played."""

    def choose(self, view: zerosum.View) -> zerosum.Choice:
        planes = np.zeros((len(self.game.planes), *self.game.shape), dtype=np.float32)
        self.game.rules.encode(self.game.table, view.position, planes.reshape(-1))
        mask = np.zeros(self.game.num_actions, dtype=np.int8)
        mask[view.legal_actions()] = 1
        action, _ = self.model.predict(planes, action_masks=mask, deterministic=True)
        return zerosum.Choice(int(action))


def main(spec: str, steps: int, games: int = 40) -> None:
    environment = OpponentEnv(spec, opponent="random")
    model = MaskablePPO("MlpPolicy", environment, seed=1, n_steps=512, verbose=0)
    model.learn(total_timesteps=steps)
    player = PpoPlayer(model, environment.game)
    result = zerosum.run_tournament(spec, [player, "random", "greedy", "mcts:100"], games=games)
    for row in result.standings():
        print(f"{row.name:15} {row.rating:+5.0f}  {row.total}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "tictactoe", int(sys.argv[2]) if len(sys.argv) > 2 else 20_000)
