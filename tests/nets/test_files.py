"""Networks in files: exported ones judge as torch does; what is damaged, foreign or unfit is refused."""

from __future__ import annotations

import io
import math
import os
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.nets.tools import SMALL, home, judged, learned, some_planes
from zerosum.core.errors import BadNetwork, ZerosumError
from zerosum.core.running.files import write_whole
from zerosum.games import make_game
from zerosum.nets.artifact import container
from zerosum.nets.artifact.card import FIRST_FORMAT, FORMAT, SETTINGS, Card, card_for, read_card
from zerosum.nets.artifact.container import EVALUATE, pack, sealed, unpack
from zerosum.nets.artifact.evaluator import Evaluator, start_session
from zerosum.nets.artifact.export import export_onnx
from zerosum.nets.building.registry import make_network, network_spec

ROOT = Path(__file__).resolve().parents[2]
TICTACTOE = make_game("tictactoe")
CARD = card_for(TICTACTOE, network_spec("mlp"), {"search": {"simulations": 64}, "budget": None})


@pytest.fixture(scope="module")
def exported() -> bytes:
    return export_onnx(learned("mlp", TICTACTOE), CARD)


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        *((name, home(name)) for name in SMALL),
        *((name, game) for name in ("pooled", "graph") for game in ("connect4", "qubic", "blokus")),
        ("line-graph", "qubic"),
        *((name, "brick:random") for name in ("brick-resnet", "lines")),
        ("shallow", "tictactoe"),
    ],
)
def test_an_exported_network_judges_as_torch_does(name: str, spec: str) -> None:
    game = make_game(spec)
    network = learned(SMALL[name], game)
    evaluator = Evaluator(export_onnx(network, card_for(game, network_spec(SMALL[name]))), game)
    for batch in (1, 5):
        planes = some_planes(game, batch, seed=batch)
        logits, values = evaluator.evaluate(planes)
        torch_logits, torch_values = judged(network, planes)
        assert logits.shape == (batch, game.num_actions)
        assert logits.dtype == values.dtype == np.float32
        scale = max(1.0, np.abs(torch_logits).max())  # sums of large numbers lose the digits of small ones
        assert np.allclose(logits / scale, torch_logits / scale, atol=1e-5, rtol=1e-5)
        assert np.allclose(values, torch_values, atol=1e-5)


def test_exporting_changes_nothing_and_repeats_itself() -> None:
    network = make_network(SMALL["shallow"], TICTACTOE).train()
    before = {name: tensor.clone() for name, tensor in network.state_dict().items()}
    draws = torch.get_rng_state()
    first, second = (export_onnx(network, CARD) for _ in range(2))
    assert first == second
    assert network.training
    assert torch.equal(torch.get_rng_state(), draws)
    assert all(torch.equal(before[name], tensor) for name, tensor in network.state_dict().items())


def test_a_file_says_what_it_is(exported: bytes, tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    write_whole(path, exported)
    assert Evaluator(path, TICTACTOE).card == CARD
    assert onnx.load_model(path).metadata_props[-1].key == "digest"  # the seal is ONNX like the rest
    assert read_card(CARD.entries(), "it") == CARD


def test_an_evaluator_needs_no_torch_but_a_new_network_does(exported: bytes, tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    write_whole(path, exported)
    program = f"""
import sys
from pathlib import Path
for name in ("torch", "onnx", "safetensors"):
    sys.modules[name] = None
import numpy as np
from zerosum.core.errors import ZerosumError
from zerosum.nets.artifact.evaluator import Evaluator
logits, values = Evaluator(Path({str(path)!r})).evaluate(np.zeros((2, 2, 9), dtype=np.float32))
print(logits.shape, values.shape)
try:
    import zerosum.nets.building.registry
except ZerosumError as error:
    print(error)
"""
    here = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=here)
    shapes, complaint = result.stdout.splitlines()
    assert shapes == "(2, 9) (2,)"
    assert complaint.endswith("pip install 'zerosum[learn]'")


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("connect4", "is a network for tictactoe; it cannot play connect4"),
        (
            "tictactoe:4x4",
            "is made for tictactoe: a board of 3x3, 2 planes and 9 actions; tictactoe:4x4 has 4x4",
        ),
    ],
)
def test_another_games_network_is_refused(exported: bytes, spec: str, complaint: str) -> None:
    with pytest.raises(BadNetwork, match=complaint):
        Evaluator(exported, make_game(spec))


def test_another_brick_is_the_same_network() -> None:
    card = card_for(make_game("brick:random"), "pooled")
    card.require(make_game("brick:D4"), "it", any_board=False)
    card.require(make_game("brick:C3,D3+E5"), "it", any_board=False)


@pytest.mark.parametrize("kept", [0, 10, 0.5, -1])
def test_a_truncated_file_is_refused(exported: bytes, kept: float) -> None:
    part = exported[: int(kept * len(exported)) if 0 < kept < 1 else int(kept)]
    with pytest.raises(BadNetwork, match="its end is missing"):
        Evaluator(part)


@pytest.mark.parametrize("share", [0.01, 0.3, 0.7, 0.95])
def test_one_wrong_byte_is_noticed(exported: bytes, share: float) -> None:
    wrong = bytearray(exported)
    wrong[int(share * len(wrong))] ^= 1
    with pytest.raises(BadNetwork, match="damaged"):
        Evaluator(bytes(wrong))


def test_files_of_others_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.onnx"
    path.write_text("not a network, but long enough to be one " * 10)
    with pytest.raises(BadNetwork, match="no network of zerosum's"):
        Evaluator(path)
    with pytest.raises(BadNetwork, match="cannot be run"):
        Evaluator(sealed(b"sealed, but no ONNX"))
    with pytest.raises(ZerosumError, match="cannot read"):
        Evaluator(tmp_path / "absent.onnx")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"format": "zerosum-network-0"}, f"this version reads '{FORMAT}'"),
        ({"format": None}, "carries no card"),
        ({"planes": None}, "lacks planes"),
        ({"shape": "3xthree"}, "no numbers"),
        ({"settings": "{"}, "settings that are none"),
        ({"settings": "[]"}, "settings that are none"),
        ({"trusted": "perhaps"}, "trust or settings that are none"),
    ],
)
def test_a_card_that_cannot_be_read_is_refused(change: dict[str, str | None], complaint: str) -> None:
    entries = {key: text for key, text in {**CARD.entries(), **change}.items() if text is not None}
    with pytest.raises(BadNetwork, match=complaint):
        read_card(entries, "it")


def test_a_card_of_the_first_format_is_still_read() -> None:
    entries = {key: text for key, text in CARD.entries().items() if key != SETTINGS}
    read = read_card({**entries, "format": FIRST_FORMAT}, "it")
    assert read == replace(CARD, settings={}, format=FIRST_FORMAT)


@given(
    card=st.builds(
        Card,
        game=st.text(),
        network=st.text(),
        shape=st.lists(st.integers(1, 99), min_size=1).map(tuple),
        planes=st.integers(1, 99),
        actions=st.integers(1, 99),
        settings=st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.lists(st.text())),
    )
)
def test_a_card_comes_back_from_its_entries(card: Card) -> None:
    assert read_card(card.entries(), "it") == card


@given(
    functions=st.dictionaries(
        st.text("abcdefgh_", min_size=1), st.binary(max_size=200), min_size=1, max_size=4
    )
)
def test_functions_come_back_as_they_were_packed_and_no_byte_can_change(functions: dict[str, bytes]) -> None:
    data = pack(functions)
    assert unpack(data, "it") == functions
    assert pack(functions) == data
    for place in range(0, len(data), 97):
        with pytest.raises(BadNetwork, match="it is"):
            unpack(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :], "it")


def test_one_file_holds_several_functions_of_which_one_judges(exported: bytes) -> None:
    model = unpack(exported, "it")[EVALUATE]
    other = unpack(export_onnx(learned("mlp", TICTACTOE, seed=5), CARD), "it")[EVALUATE]
    planes = some_planes(TICTACTOE, 3)
    logits, _ = Evaluator(pack({"dynamics": other, EVALUATE: model}), TICTACTOE).evaluate(planes)
    assert np.array_equal(logits, Evaluator(exported).evaluate(planes)[0])
    session = start_session(unpack(pack({"dynamics": other, "prediction": model}), "it")["dynamics"], "it", 1)
    assert not np.array_equal(session.run(["logits"], {"planes": planes.reshape(3, 2, 9)})[0], logits)
    with pytest.raises(BadNetwork, match="judges no positions: it holds dynamics, prediction"):
        Evaluator(pack({"dynamics": other, "prediction": model}))


def test_a_compressed_or_damaged_archive_and_a_huge_file_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("evaluate.onnx", bytes(1000))
    with pytest.raises(BadNetwork, match="it is compressed"):
        unpack(sealed(file.getvalue()), "it")
    with pytest.raises(BadNetwork, match="it is damaged"):
        unpack(sealed(file.getvalue()[:50]), "it")
    monkeypatch.setattr(container, "LARGEST", 1000)
    with pytest.raises(BadNetwork, match="it has 1,101 bytes; a network may have 1,000"):
        unpack(bytes(1101), "it")


@pytest.mark.parametrize(
    ("layer", "value"),
    [("policy.bias", math.nan), ("policy.bias", math.inf), ("value.bias", math.nan)],
)
def test_a_network_that_answers_no_numbers_is_refused_by_its_files_name(
    layer: str, value: float, tmp_path: Path
) -> None:
    network = learned("mlp", TICTACTOE)
    network.state_dict()[layer][0] = value
    path = tmp_path / "net.onnx"
    path.write_bytes(export_onnx(network, CARD))
    with pytest.raises(BadNetwork, match=r"net\.onnx is of no use: .* not finite"):
        Evaluator(path, TICTACTOE)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"actions": 8}, r"answers \[2, 9\] and \[2\] to 2 positions; its card says \[2, 8\]"),
        ({"planes": 3}, "cannot be run: .* planes"),
        ({"shape": (4, 4)}, "cannot be run: .* planes"),
    ],
)
def test_a_card_that_its_network_does_not_keep_is_refused(
    exported: bytes, change: dict[str, Any], complaint: str
) -> None:
    model = onnx.load_model_from_string(unpack(exported, "it")[EVALUATE])
    onnx.helper.set_model_props(model, replace(CARD, **change).entries())
    with pytest.raises(BadNetwork, match=complaint) as caught:
        Evaluator(pack({EVALUATE: model.SerializeToString()}))
    assert "\n" not in str(caught.value)


def test_a_model_with_other_inputs_is_refused(exported: bytes) -> None:
    model = onnx.load_model_from_string(unpack(exported, "it")[EVALUATE])
    model.graph.output.pop()
    with pytest.raises(BadNetwork, match=r"takes \['planes'\] and gives \['logits'\]"):
        Evaluator(pack({EVALUATE: model.SerializeToString()}))


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "net.onnx"
    write_whole(path, b"old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ZerosumError, match=r"cannot write .*net.onnx: the disk is full"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
