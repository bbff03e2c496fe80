"""All that can be set in AlphaZero's training. The string below a setting is the reason for its default."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Literal

from zerosum.core.running.threads import cores
from zerosum.learn.settings.base import (
    Count,
    CountOrZero,
    Positive,
    PositiveOrZero,
    Settings,
    Share,
    override,
)
from zerosum.learn.settings.presets import preset_settings
from zerosum.learn.settings.schedule import Budget, Evaluation

PRESETS = Path(__file__).parent / "presets"


class Temperature(Settings, frozen=True):
    """How freely moves are drawn in self-play: PUCT's visits to the power of 1 / temperature, Gumbel's noise
    times the temperature; 0 is the best move."""

    kind: Literal["constant", "step", "linear"] = "step"
    """A few varied plies, then the best moves: results then say what the position was worth."""
    first: PositiveOrZero = 1.0
    """As often as visited: the search's own measure of how good a move is."""
    last: PositiveOrZero = 0.0
    """Mistakes late in a game would be taught as properties of the positions before."""
    until: CountOrZero = 10
    """The ply up to which ``first`` holds; BRICK's figure, about a third of a short game."""
    settled: CountOrZero = 20
    """The ply from which ``last`` holds where the fall is linear; twice ``until``, so no sudden end."""

    def complaint(self) -> str:
        if self.kind == "linear" and self.settled < self.until:
            return f"settled ({self.settled}) comes before until ({self.until})"
        return ""

    def at(self, ply: int) -> float:
        """The temperature of a ply, counted from 0."""
        if self.kind == "constant" or ply < self.until:
            return self.first
        if self.kind == "step" or ply >= self.settled:
            return self.last
        share = (ply - self.until) / (self.settled - self.until)
        return self.first + share * (self.last - self.first)


class Search(Settings, frozen=True):
    """The search that chooses moves in self-play and sets the policy's target."""

    formerly: ClassVar[dict[str, str]] = {
        "rising": "simulation_schedule",
        "full_share": "full_search_probability",
    }

    kind: Literal["puct", "gumbel"] = "gumbel"
    """Improves the policy with as few as 16 simulations, where PUCT's visits say little."""
    simulations: Count = 64
    """Others' rising schedules end at 64 to 128; more means fewer games in the same time."""
    simulation_schedule: tuple[tuple[Count, Count], ...] = ((10, 16), (30, 32))
    """Pairs (up to this iteration, at most so many simulations): a new network's values are noise, not worth
    deep search, yet runs that stay at 16 end weaker (MiniZero). By iteration, so that a resumed run is the
    same."""
    exploration: Positive = 1.25
    """The constant of PUCT; AlphaZero's. Gumbel search does not use it."""
    untried: Literal["parent", "even"] = "parent"
    """What PUCT guesses a move is worth that it has not tried: what the position is worth so far, which keeps
    it from trying everything once where it stands well, or an even game, as the papers have it."""
    proofs: bool = True
    """Whether a finished game proves what lies above: exact endings cost nothing. The papers have none."""
    noise_alpha: Positive | None = None
    """Dirichlet noise at the root of PUCT; null is 10 / legal moves, which fits every board size."""
    noise_share: Share = 0.25
    """AlphaGo Zero's: enough to try every move sometimes, not enough to drown the prior."""
    considered: Count = 16
    """Moves that Gumbel search compares at the root; mctx's default."""
    value_scale: Positive = 0.25
    """How far searched values tilt Gumbel search's policy target away from the prior. Gumbel's authors take 1
    in Go; with few simulations values are noisy, and Connect Four's policy collapsed to one line of play."""
    keep_tree: bool = True
    """The part below the move played is still true; only PUCT can go on from it."""
    full_search_probability: Share = 1.0
    """Share of moves searched in full, which alone teach the policy (playout cap); 1 is off."""
    fast_simulations: Count = 8
    """For the other moves: enough to play sensibly, an eighth of the cost."""
    temperature: Temperature = Temperature()

    def complaint(self) -> str:
        iterations = [iteration for iteration, _ in self.simulation_schedule]
        if iterations != sorted(set(iterations)):
            return f"simulation_schedule must name later iterations one after another, not {iterations}"
        if self.full_search_probability == 0:
            return "full_search_probability cannot be 0: no move would teach the policy"
        return ""

    def simulations_at(self, iteration: int) -> int:
        """Simulations of a full search in an iteration, counted from 1."""
        for last, simulations in self.simulation_schedule:
            if iteration <= last:
                return min(simulations, self.simulations)
        return self.simulations


class SelfPlay(Settings, frozen=True):
    one_of: ClassVar[tuple[str, ...]] = ("games", "positions")

    games_at_once: Count = 256
    """Fills the network's batches; beyond 32 a batch is hardly faster, but the cache is shared wider."""
    games: Count | None = None
    """Games an iteration, as the papers count."""
    positions: Count | None = 4096
    """Positions an iteration instead: short iterations learn faster, whatever the length of a game."""
    opening_plies: CountOrZero = 0
    """Up to so many random plies before a game begins; 0 leaves variety to noise and temperature."""
    opening_share: Share = 0.25
    """Share of the games that begin so; the others keep learning the main lines."""
    deviation_share: Share = 0.25
    """Share of the games in which one move is drawn at random, so that the answers to moves which the network
    has written off are learnt too. What came before such a move is not learnt from."""
    deviation_plies: Count = 20
    """That move is one of so many first ones."""
    staleness: CountOrZero = 0
    """Iterations by which the network that plays may be older than the latest: with 1, the games of the next
    iteration are played while this one is learnt, checked and saved; 0 plays and learns in turn. Either way
    the same seed is the same run. On one machine it fills gaps only; with workers elsewhere it hides all of
    the learning."""
    eight_bit: Literal["auto", "always", "never"] = "auto"
    """Whether the network plays in eight bits, which is up to four times as fast where the processor can
    multiply bytes; auto measures it at the beginning of a run and keeps to what it found."""


class Rate(Settings, frozen=True):
    """The learning rate by iteration, so that it does not depend on the clock."""

    kind: Literal["constant", "exponential", "linear"] = "constant"
    """Budgets are in minutes, so the number of iterations is not known beforehand."""
    start: Positive = 0.001
    """AdamW's customary rate; safe for nets without batch norm."""
    end: PositiveOrZero = 0.0001
    """A tenth: what still moves a network that is nearly done. Not used by a constant rate."""
    factor: Share = 0.95
    """An exponential rate is multiplied by it each iteration; halves in 14 iterations."""
    iterations: Count = 100
    """A linear rate reaches ``end`` after so many."""

    def at(self, iteration: int) -> float:
        """The rate of an iteration, counted from 1."""
        if self.kind == "constant":
            return self.start
        if self.kind == "exponential":
            return max(self.end, self.start * self.factor ** (iteration - 1))
        share = min(1.0, (iteration - 1) / self.iterations)
        return self.start + share * (self.end - self.start)


class Learning(Settings, frozen=True):
    one_of: ClassVar[tuple[str, ...]] = ("steps", "epochs", "replay_ratio")

    optimizer: Literal["sgd", "adam", "adamw"] = "adamw"
    """Forgives a wrong learning rate, which differs from game to game. With adam, weight decay is part of the
    loss, as papers write it."""
    rate: Rate = Rate()
    momentum: Share = 0.9
    """Of SGD; everybody's. AdamW has its own."""
    weight_decay: PositiveOrZero = 0.0001
    """As torch means it: the gradient of c |theta|^2 is a weight decay of 2 c."""
    batch: Count = 256
    """Small batches learn more from a position; below this, torch's overhead on a CPU shows."""
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    """Of what layers compute; auto is bfloat16 where the processor is twice as fast at it and boards are
    large enough to gain, and a run keeps to what it began with."""
    average: Share = 0.995
    """How slowly the weights that play follow those that learn; 0 is at once. A running average is as good
    as a falling rate and needs no end to fall towards."""
    steps: Count | None = None
    """Batches an iteration."""
    epochs: Positive | None = None
    """Passes over the whole window an iteration."""
    replay_ratio: Positive | None = 2.0
    """How often a new position is used on average; a third of the time at 64 simulations."""
    policy_weight: PositiveOrZero = 1.0
    """Of the cross-entropy; the unit of the loss."""
    value_weight: PositiveOrZero = 1.0
    """Of the squared error; AlphaZero's."""
    searched_value: Share = 0.0
    """How much of a position's value target is what its own search found; the rest is the target of the
    position behind it, and at the end the result. So a tenth looks about ten plies ahead (TD with a lambda of
    0.9). Where a search proved the result, the target is that, and so for all that led to it."""
    legal_moves_only: bool = True
    """Sped up early learning threefold in Blokus, where most actions are illegal (AlphaBlokus)."""
    sharpened_targets: bool = False
    """Whether the policy learns the move drawn at the temperature of its ply, rather than all visits:
    the visits hold more."""
    keep_batch_losses: bool = False
    """Whether the run keeps the losses of every batch, in batch-losses.csv: for figures; means are enough for
    curves."""
    symmetries: Literal["none", "flips", "all"] = "all"
    """All that the game declares. Flips are reflections along the axes and their products."""
    window_first: Count = 4
    """Iterations in the replay at first: the oldest games were played by a network that knew nothing. This
    and the next are those of Oracle's Connect Four."""
    window_grows_every: Count = 2
    """Iterations after which the window holds one more; old games leave as new ones get better."""
    window_last: Count = 80
    """Iterations in the replay at most: positions of one game share its result, so it takes many games to
    learn what a position is worth."""
    window_positions: Count = 500_000
    """Positions in the replay at most, so that memory is bounded whatever the rest says."""

    def complaint(self) -> str:
        if self.window_last < self.window_first:
            return f"window_last ({self.window_last}) is less than window_first ({self.window_first})"
        return ""

    def window_at(self, iteration: int) -> int:
        """How many of the latest iterations are learnt from in an iteration, counted from 1."""
        return min(self.window_last, self.window_first + (iteration - 1) // self.window_grows_every)


class Auxiliary(Settings, frozen=True):
    """What KataGo adds to AlphaZero's lessons. Only training knows of it; what plays is the same network."""

    final_board: PositiveOrZero = 0.0
    """Weight of foretelling whose pieces lie where when the game has ended: a result in detail, cell by cell,
    where the value's target is one number; KataGo's ownership. 0 is off."""
    reply: PositiveOrZero = 0.0
    """Weight of foretelling the other's answer, as the search after the move judged it; 0 is off."""
    surprise: Share = 0.0
    """Share of the lessons that are drawn by how far the search's policy was from the network's; the others
    are drawn evenly."""

    @property
    def heads(self) -> bool:
        """Whether anything is to be foretold that needs heads of its own."""
        return bool(self.final_board or self.reply)

    @property
    def columns(self) -> tuple[str, ...]:
        """What must be known of a position, beside what is always learnt."""
        wanted = {
            "final_positions": bool(self.final_board),
            "movers": self.heads,
            "left": bool(self.reply),
            "surprises": bool(self.surprise),
        }
        return tuple(name for name, needed in wanted.items() if needed)


class Gate(Settings, frozen=True):
    share: Share | None = None
    """Of the points that a new network must win to play on; null is no gate. A gate spends games on the
    question, and where the first mover always wins its answer is noise."""
    games: Count = 40
    """INVISIBLE's; in pairs from the same opening, each side once."""


class StrengthCheck(Evaluation, frozen=True):
    at_start: bool = True
    """A curve begins where learning does: with a network that has seen nothing."""
    simulations: CountOrZero | None = None
    """Of the learner's search; null is what self-play rises to, from the beginning on, so that a
    run's curve is of one player; 0 is the bare policy."""
    as_in_selfplay: bool = False
    """Whether contests, and the gate's, search with self-play's exploration, guesses and proofs; if not, as
    plays best. The papers know one search only."""
    solved_positions: CountOrZero = 100
    """Positions of which the share of best moves is measured, where the game can be solved."""


class AlphaZeroSettings(Settings, frozen=True):
    workers: Count = 2
    """Of those who play, one a core, and torch's threads. A new run takes the cores there are and keeps to
    that number wherever it goes on, for the games of each have their own seeds; earlier versions took 2."""
    pool: str = "threads"
    """Who plays: the name of a file in learn/pool/kinds."""
    network: str = "pooled"
    """By its spec, such as pooled:channels=64,blocks=5; small ones play more games in the same time."""
    search: Search = Search()
    selfplay: SelfPlay = SelfPlay()
    learning: Learning = Learning()
    auxiliary: Auxiliary = Auxiliary()
    gate: Gate = Gate()
    evaluation: StrengthCheck = StrengthCheck()
    budget: Budget = Budget()

    def complaint(self) -> str:
        if self.auxiliary.reply and self.search.full_search_probability < 1:
            return (
                "auxiliary.reply needs every answer searched in full: set search.full_search_probability=1, "
                "or auxiliary.reply=0"
            )
        return ""

    @classmethod
    def of_new_run(cls) -> AlphaZeroSettings:
        return cls(workers=cores())


def alphazero_settings(game: str, preset: str = "fast", changes: Sequence[str] = ()) -> AlphaZeroSettings:
    """The settings of a preset for a game, given by its spec, with changes such as search.simulations=100."""
    return override(preset_settings(AlphaZeroSettings, PRESETS, preset, game), changes)
