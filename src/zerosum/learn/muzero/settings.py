"""All that can be set in MuZero's training, where it differs from AlphaZero's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from zerosum.core.running.threads import cores
from zerosum.learn.alphazero.settings import AlphaZeroSettings, Learning, Rate, Search, SelfPlay
from zerosum.learn.settings.base import Count, Positive, PositiveOrZero, Settings, Share, override
from zerosum.learn.settings.presets import preset_settings

PRESETS = Path(__file__).parent / "presets"


class ModelSearch(Search, frozen=True):
    simulation_schedule: tuple[tuple[Count, Count], ...] = ((8, 8), (20, 16), (40, 32))
    """As AlphaZero's, from less: a model that knows no moves yet is not worth asking, and games that are
    played nearly at random are what teaches it."""

    def complaint(self) -> str:
        if self.full_search_probability != 1:
            return "full_search_probability must be 1: the model learns from every move of a game"
        return super().complaint()


class ModelLearning(Learning, frozen=True):
    rate: Rate = Rate(kind="exponential", start=0.003, factor=0.99, end=0.0003)
    """Three times AlphaZero's at first: the model has to be there before anything else can be learnt."""
    legal_moves_only: bool = False
    """Whether what is seen is taught among legal moves only; what is imagined never is, for nobody says there
    which are legal."""
    unroll: Count = 5
    """Moves that the model imagines from each position that is learnt from; everybody's."""
    strays: Share = 0.25
    """How many of these lines leave their game for moves at random: they teach what any move does, and the
    ends that nobody walks into. Hidden games have none."""
    gradient_share: Share = 0.5
    """Of what flows back through each imagined move; the paper's, so that early moves do not count most."""
    decoder_weight: PositiveOrZero = 10.0
    """How much the latents are bent to show the board and the legal moves; 0 leaves them as they are, and
    the decoder learns to read them all the same. From what is seen alone, never from the rules. One cell in
    dozens changes with a move, so little of the loss tells which: with 0.5 Connect Four's model hardly hears
    it among the noise of results."""
    largest_gradient: Positive = 1.0
    """Norm to which gradients are cut: those through many imagined moves explode now and then."""
    reanalysed: Share = 0.0
    """How many positions of old games are searched anew with the latest network and learnt again, as a share
    of the new ones; 0 is off. Where games are cheap, new ones teach more."""


Part = Literal["representation", "dynamics", "prediction", "decoder"]


class Carried(Settings, frozen=True):
    """What a run that starts from another takes over from it (train --from)."""

    parts: tuple[Part, ...] = ("representation", "dynamics", "prediction", "decoder")
    """All; the others begin anew."""
    frozen: tuple[Part, ...] = ()
    """Parts that never learn: what was carried must do."""
    scrambled: bool = False
    """Whether random weights of the same norms are taken over instead: a control, which carries the size of
    the weights and nothing that was learnt."""


class MuZeroSettings(AlphaZeroSettings, frozen=True):
    network: str = "latent"
    """By its spec, such as latent:channels=48,dynamics=3; it must be able to imagine."""
    search: ModelSearch = ModelSearch()
    selfplay: SelfPlay = SelfPlay()
    learning: ModelLearning = ModelLearning()
    carried: Carried = Carried()

    def complaint(self) -> str:
        if self.auxiliary.heads:
            return "auxiliary heads are AlphaZero's; MuZero's model foretells what comes after every move"
        return ""

    @classmethod
    def of_new_run(cls) -> MuZeroSettings:
        return cls(workers=cores())


def muzero_settings(game: str, preset: str = "fast", changes: Sequence[str] = ()) -> MuZeroSettings:
    """The settings of a preset for a game, given by its spec, with changes such as learning.unroll=3."""
    return override(preset_settings(MuZeroSettings, PRESETS, preset, game), changes)
