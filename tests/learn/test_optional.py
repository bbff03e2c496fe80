"""Optional libraries: imported in one file each, which says what to install."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.learn.made_runs import SOURCES, environment

HOMES = {
    "matplotlib": "zerosum.learn.events.plot",
    "pydantic": "zerosum.learn.settings.base",
    "safetensors": "zerosum.learn.run.checkpoint",
    "tensorboard": "zerosum.learn.events.tensorboard_events",
}


@pytest.mark.parametrize("library", HOMES)
def test_a_library_that_is_missing_is_named_with_the_way_to_install_it(library: str) -> None:
    program = (
        "import importlib, sys\n"
        "from zerosum.core.errors import ZerosumError\n"
        "sys.modules[sys.argv[1]] = None\n"
        "try:\n"
        "    importlib.import_module(sys.argv[2])\n"
        "except ZerosumError as error:\n"
        "    print(error)\n"
    )
    command = [sys.executable, "-c", program, library, HOMES[library]]
    told = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True).stdout
    assert told.endswith(f"{library}; install it with: pip install 'zerosum[learn]'\n")


@pytest.mark.parametrize("library", HOMES)
def test_a_library_is_imported_in_one_file_of_the_room(library: str) -> None:
    importers = set()
    for path in (SOURCES / "zerosum" / "learn").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            else:
                modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if any(module.split(".")[0] == library for module in modules):
                importers.add(".".join(path.relative_to(SOURCES).with_suffix("").parts))
    assert importers == {HOMES[library]}


def test_training_never_loads_the_compiler_of_torch(tmp_path: Path) -> None:
    """Which takes longer than all else that a training begins with, and is of no use here."""
    program = (
        "import sys; from tests.learn.tiny import TINY; from zerosum.app.training import train\n"
        "sys.modules['torch._dynamo'] = None  # an import of it fails\n"
        "for method in ('alphazero', 'muzero', 'dqn'):\n"
        "    train(TINY[method].game, method, settings=TINY[method].settings, run=method)\n"
    )
    root = Path(__file__).parents[2]
    variables = {**environment(), "PYTHONPATH": f"{root / 'src'}:{root}"}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=variables, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
