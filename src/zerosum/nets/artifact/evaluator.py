"""Networks at play: many positions at once through ONNX Runtime. Nothing here needs torch."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as runtime_errors

from zerosum.core.errors import BadNetwork
from zerosum.core.game import Game
from zerosum.core.running.files import digest, read_whole
from zerosum.nets.artifact.card import Card, read_card
from zerosum.nets.artifact.container import EVALUATE, ROOT, TWINS, unpack
from zerosum.nets.artifact.graph import refuse_loops
from zerosum.nets.artifact.processor import multiplies_bytes

Floats = NDArray[np.float32]
ERRORS_ONLY = 3  # what ONNX Runtime may print
PLANES = "planes"  # the name of what goes in
ANSWERS = ["logits", "values"]  # and of what comes out
LATENT, ACTIONS = "latent", "actions"  # what goes into the functions of a network that imagines
AGAIN, OVER = "again", "over"  # whether the same player moves once more, and whether the game has ended
DECODED = ["board", "legal"]  # and what comes out when one looks at what it imagines
FLAT_BOARD = 4  # sizes of an input that has batch, plane, row and column: a board of any size
FAILURES = (
    runtime_errors.Fail,
    runtime_errors.InvalidArgument,
    runtime_errors.InvalidGraph,
    runtime_errors.InvalidProtobuf,
    runtime_errors.NotImplemented,
    runtime_errors.RuntimeException,
    UnicodeDecodeError,  # where its complaint quotes the file
)
LARGEST = 1 << 24  # numbers that a position may be; Blokus is 4,000


class Evaluator:
    """A network that was exported to ONNX, ready to judge positions.

    One session a core with one thread each beats one session with all the threads, so ``threads`` is 1
    unless there is only one game to play.
    """

    card: Card

    def __init__(
        self, source: Path | bytes, game: Game | None = None, threads: int = 1, eight_bit: bool | None = None
    ) -> None:
        """From a file or its bytes; where the game is given, a network that does not fit it is refused.

        It plays boards of other sizes than it was trained on where its file says no size. A file's eight-bit
        twin plays in its place: always, never, or, if that is not said, where this processor is good at it.
        """
        where = str(source) if isinstance(source, Path) else "the network"
        self.where = where
        data = read_whole(source) if isinstance(source, Path) else source
        self.digest = digest(data)
        functions = unpack(data, where)
        judge = next((name for name in (EVALUATE, ROOT) if name in functions), None)
        if judge is None:
            raise BadNetwork(f"{where} judges no positions: it holds {', '.join(functions)}")
        wanted = multiplies_bytes() if eight_bit is None else eight_bit
        self.eight_bit = TWINS[judge] in functions and wanted
        self.session = start_session(functions[TWINS[judge] if self.eight_bit else judge], where, threads)
        entries, given, answers = _self_description(self.session, where)
        self.card = read_card(entries, where)
        if min(self.card.shape) < 1 or not 0 < math.prod(self.card.shape) * self.card.planes <= LARGEST:
            raise BadNetwork(f"{where} is damaged: its card tells of a board that no game has")
        if given != [PLANES] or answers[-len(ANSWERS) :] != ANSWERS:
            raise BadNetwork(f"{where} cannot be asked: it takes {given} and gives {answers}")
        any_board = len(self.session.get_inputs()[0].shape) == FLAT_BOARD
        if game is not None:
            self.card.require(game, where, any_board)
        board = game.shape if game is not None else self.card.shape
        self.board = board if any_board else (int(np.prod(board)),)  # as its planes are laid out
        self._probe(game, where)

    @property
    def trusted(self) -> bool:
        """Whether its values are worth searching by."""
        return self.card.trusted

    def evaluate(self, planes: Floats) -> tuple[Floats, Floats]:
        """Logits [batch, action] and values [batch], both for the mover, from planes [batch, plane, cell]."""
        shown = planes.reshape(*planes.shape[:2], *self.board)
        logits, values = self.session.run(ANSWERS, {PLANES: shown})
        self.require_finite(logits, values)
        return logits, values

    def require_finite(self, *answers: Floats) -> None:
        """Refuse to go on with answers that are no numbers."""
        if not all(np.isfinite(answer).all() for answer in answers):
            raise BadNetwork(f"{self.where} is of no use: it answers with numbers that are not finite")

    def _probe(self, game: Game | None, where: str) -> None:
        """Ask about an empty and a full board: answers must have the sizes of the game and be numbers."""
        shape = (2, self.card.planes, int(np.prod(self.board)))
        planes = np.zeros(shape, dtype=np.float32)
        planes[1] = 1
        actions = self.card.actions if game is None else game.num_actions
        try:
            logits, values = Evaluator.evaluate(self, planes)
        except FAILURES as error:
            raise BadNetwork(f"{where} cannot be run: {one_line(error)}") from error
        if logits.shape != (2, actions) or values.shape != (2,):
            if game is not None and self.card.shape != game.shape:
                raise BadNetwork(self.card.misfit(game, where))
            raise BadNetwork(
                f"{where} answers {list(logits.shape)} and {list(values.shape)} to 2 positions; its card "
                f"says [2, {actions}] and [2]"
            )


def _self_description(
    session: onnxruntime.InferenceSession, where: str
) -> tuple[dict[str, str], list[str], list[str]]:
    """What a model says of itself: its metadata, and the names of what it takes and gives."""
    try:
        given, answers = session.get_inputs(), session.get_outputs()
        names = [part.name for part in given], [part.name for part in answers]
        return session.get_modelmeta().custom_metadata_map, *names
    except UnicodeDecodeError:
        raise BadNetwork(f"{where} is damaged: what it says of itself is no text") from None


def start_session(model: bytes, where: str, threads: int) -> onnxruntime.InferenceSession:
    """One function of a network, ready to run on so many threads; refused where it need not end."""
    refuse_loops(model, where)
    try:
        # No second try, of which ONNX Runtime would print a word.
        options, provider = _options(threads), ["CPUExecutionProvider"]
        return onnxruntime.InferenceSession(model, options, provider, enable_fallback=0)
    except FAILURES as error:
        raise BadNetwork(f"{where} cannot be run: {one_line(error)}") from error


def one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _options(threads: int) -> onnxruntime.SessionOptions:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.log_severity_level = ERRORS_ONLY
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # waiting threads rest
    options.add_session_config_entry("session.set_denormal_as_zero", "1")  # they are a hundred times slower
    return options
