"""What is published: a wheel that is whole, small and described as the index wants it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MOST_BYTES = 10_000_000


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, so that nothing is left in the checkout."""
    copy = tmp_path_factory.mktemp("copy")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy / name)
    shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(copy / "dist")]
    subprocess.run([*build, str(copy)], check=True, capture_output=True)
    (made,) = (copy / "dist").glob("*.whl")
    return made


def test_the_wheel_is_small_and_has_every_file_of_the_package(wheel: Path) -> None:
    assert wheel.stat().st_size < MOST_BYTES
    inside = set(zipfile.ZipFile(wheel).namelist())
    ours = {
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src" / "zerosum").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert ours - inside == set()
    assert sum(name.endswith(".onnx") for name in inside) > 10


def test_the_index_would_take_the_wheel(wheel: Path) -> None:
    check = [sys.executable, "-m", "twine", "check", "--strict", str(wheel)]
    told = subprocess.run(check, capture_output=True, text=True)
    assert told.returncode == 0, told.stdout + told.stderr


def test_the_wheel_alone_plays_with_the_networks_inside(wheel: Path, tmp_path: Path) -> None:
    """Unpacked in an empty folder, with nothing of the checkout to be seen."""
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "site")
    program = (
        "import zerosum; print(zerosum.__file__); "
        "print(zerosum.play_match('tictactoe', 'alphazero:20', 'random', games=2, workers=1).planned)"
    )
    here = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    command = [sys.executable, "-P", "-c", program]
    told = subprocess.run(command, cwd=tmp_path, env=here, capture_output=True, text=True, check=True)
    assert told.stdout.split() == [str(tmp_path / "site" / "zerosum" / "__init__.py"), "2"]


def test_what_is_cited_is_the_version_that_there_is() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    cited = (ROOT / "CITATION.cff").read_text()
    assert f"\nversion: {version}\n" in cited
    assert not any(line.startswith(("<<<<", "====", ">>>>")) for line in cited.splitlines())
    assert ".ci/run" in (ROOT / ".github" / "workflows" / "test.yml").read_text()
    assert "[web]" in (ROOT / "Dockerfile").read_text()
