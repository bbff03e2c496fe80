"""A learnt equilibrium of a small hidden game: draws each try by the chances it learnt.

Spelling: cfr (the policy that ships with the package), cfr@RUN (one of yours, by the run's name or path)
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zerosum.core.errors import BadSpec, ZerosumError
from zerosum.core.game import Game
from zerosum.core.random import make_rng, random_unit
from zerosum.core.running.files import digest, read_whole
from zerosum.core.state import View
from zerosum.players.common.player import Candidate, Choice
from zerosum.players.common.registry import Arguments
from zerosum.players.common.runs import BadRun, find_in_run
from zerosum.players.common.tables import read_arrays, require_arrays
from zerosum.search.imperfect.measurable import worlds_of
from zerosum.search.imperfect.values import Policies, checked

POLICY_FILE = "policy.npz"
SHIPPED = Path(__file__).parents[2] / "policies"
SEATS = ("first", "second")


class CfrPlayer:
    """Forgets the order of its tries: what it does depends on what it sees now."""

    def __init__(self, game: Game, policies: Policies, spec: str, digest: str = "") -> None:
        worlds = worlds_of(game)
        self.spec = spec
        self.digest = digest
        self.policies = checked(worlds, policies)
        self.numbers = [worlds.view_numbers(seat) for seat in range(2)]
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        self.rng = make_rng("cfr", seed)

    def chances(self, view: View) -> NDArray[np.float64]:
        """[action]: how likely each try is."""
        number = self.numbers[view.mover].get(view.position.tobytes())
        if number is None:
            raise ZerosumError(f"no game of {view.game.spec} looks like this to the player to move")
        chances: NDArray[np.float64] = self.policies[view.mover][number]
        return chances

    def choose(self, view: View) -> Choice:
        chances = self.chances(view)
        drawn = int(np.searchsorted(np.cumsum(chances), random_unit(self.rng) * chances.sum(), side="right"))
        ranked = sorted(np.flatnonzero(chances).tolist(), key=lambda action: -chances[action])
        return Choice(drawn, tuple(Candidate(action, prior=float(chances[action])) for action in ranked))


def pack_policies(policies: Policies) -> bytes:
    """Policies as a file; nothing in it can run."""
    file = BytesIO()
    np.savez_compressed(file, first=policies[0], second=policies[1])
    return file.getvalue()


def unpack_policies(file: Path) -> Policies:
    arrays = read_arrays(read_whole(file), file)
    require_arrays(arrays, str(file), first=("f8", 2), second=("f8", 2))
    return arrays["first"], arrays["second"]


def make(arguments: Arguments, game: Game) -> CfrPlayer:
    arguments.require_only(run=True)
    if not game.hidden:
        raise BadSpec(f"cfr plays games in which something is hidden, and {game.spec} hides nothing")
    if not arguments.run:
        shipped = _shipped(game)
        return CfrPlayer(game, unpack_policies(shipped), "cfr", digest(read_whole(shipped)))
    file = find_in_run(arguments.run, POLICY_FILE)
    try:
        return CfrPlayer(game, unpack_policies(file), f"cfr@{arguments.run}", digest(read_whole(file)))
    except ZerosumError as error:
        raise BadRun(f"{file} cannot play {game.spec}: {error}") from None


def _shipped(game: Game) -> Path:
    file = SHIPPED / f"{game.spec.replace(':', '-')}.npz"
    if not file.is_file():
        raise BadSpec(
            f"no policy for {game.spec} ships with the package; learn one (zerosum train {game.spec}"
            " --method cfr) and name its run, as in cfr@RUN"
        )
    return file
