"""Write lock/ again: which version of every package is installed, with the hashes of its files.

``.venv/bin/python scripts/lock.py`` after pyproject.toml has changed keeps the versions that still fit;
``--upgrade`` takes the newest, ``--upgrade-package NAME`` the newest of one. One lock serves every platform,
every Python from the oldest on, and every extra. Run the tests before committing it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import tomllib
from hashlib import sha256
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
UV = "uv>=0.13"  # knows --torch-backend, and checks the hashes of constraints
# Pinned without hashes: the same version has other files in torch's own index, with CUDA and without, than in
# the index that offers everything else, and a machine out of reach of both may have a file of its own.
WITHOUT_HASHES = "torch"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
PLATFORMS = ("x86_64-manylinux_2_28", "aarch64-manylinux_2_28", "aarch64-apple-darwin")
MACOS = "14.0"  # the oldest that onnxruntime has files for


def asked(pyproject: str) -> list[str]:
    """What a pyproject.toml asks for, all extras and the building of the package included."""
    content = tomllib.loads(pyproject)
    optional = content["project"]["optional-dependencies"]
    own = content["project"]["name"] + "["
    everything = [
        *content["build-system"]["requires"],
        *content["project"]["dependencies"],
        *(package for extra in optional.values() for package in extra if not package.startswith(own)),
    ]
    return sorted(set(everything))


def first_line(pyproject: str) -> str:
    """Begins a lock; differs when the lock was made for something else than is asked for now."""
    what = "\n".join([*asked(pyproject), tomllib.loads(pyproject)["project"]["requires-python"]])
    return f"# Written by scripts/lock.py for {sha256(what.encode()).hexdigest()[:16]}; do not edit\n"


def compiled(requirements: list[str], target: Path, arguments: list[str]) -> str:
    """The pins and hashes of all that is needed; those in the target are kept where they fit."""
    with tempfile.TemporaryDirectory() as folder:
        source, result = Path(folder, "asked.in"), Path(folder, "result.txt")
        source.write_text("\n".join(requirements))
        if target.exists():
            result.write_text(target.read_text())
        way = ["--universal", "--python-version", PYTHONS[0], "--generate-hashes"]
        way += ["--no-annotate", "--no-header", "--no-emit-package", WITHOUT_HASHES]
        # One version for all where there is one: what the tests passed with is then what everybody gets.
        way += ["--fork-strategy", "fewest"]
        run_uv(["pip", "compile", str(source), "--output-file", str(result), *way, *arguments])
        lines = result.read_text().splitlines()
    return "".join(f"{line}\n" for line in lines if line and not line.startswith("#"))


def check_wheels(lock: Path, requirements: list[str]) -> None:
    """Raise unless every platform and Python has files that need no compiler."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "asked.in")
        source.write_text("\n".join(requirements))
        compile_it = ["pip", "compile", str(source), "--constraint", str(lock), "--only-binary", ":all:"]
        for platform, python in product(PLATFORMS, PYTHONS):
            print(f"are there files for Python {python} on {platform}?", flush=True)
            way = ["--python-version", python, "--python-platform", platform]
            run_uv([*compile_it, *way, "--quiet", "--output-file", os.devnull])


def run_uv(arguments: list[str]) -> None:
    beside = Path(sys.executable).with_name("uv")
    program = [beside if beside.exists() else "uv", *arguments]
    settings = {**os.environ, "MACOSX_DEPLOYMENT_TARGET": MACOS}
    subprocess.run(program, check=True, stdout=subprocess.DEVNULL, env=settings)


def main(arguments: list[str]) -> None:
    pyproject = (ROOT / "pyproject.toml").read_text()
    packages, uv = ROOT / "lock" / "packages.txt", ROOT / "lock" / "uv.txt"
    packages.parent.mkdir(exist_ok=True)
    wanted = asked(pyproject)
    pinned = [line for line in wanted if line.startswith(f"{WITHOUT_HASHES}==")]
    lines = compiled(wanted, packages, arguments) + "".join(f"{line}\n" for line in pinned)
    packages.write_text(first_line(pyproject) + lines)
    uv.write_text(first_line(pyproject) + compiled([UV], uv, arguments))
    check_wheels(packages, wanted)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except subprocess.CalledProcessError as error:
        sys.exit(f"lock.py: uv failed with code {error.returncode}")
