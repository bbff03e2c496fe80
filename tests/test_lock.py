"""What is installed, in which versions, and from where."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts import lock
from scripts.environment import requirements
from scripts.index import pip_settings, uv_arguments, uv_environment
from scripts.stamp import current_stamp

ROOT = Path(__file__).resolve().parents[1]


def test_the_lock_is_the_one_that_pyproject_asks_for() -> None:
    """What is asked for is pinned in a version that fits, and each pin has its hashes, torch apart."""
    pyproject = (ROOT / "pyproject.toml").read_text()
    pinned = pins((ROOT / "lock" / "packages.txt").read_text())
    for line in lock.asked(pyproject):
        requirement = Requirement(line)
        version, _ = pinned[canonicalize_name(requirement.name)]
        assert version in requirement.specifier, f"{line}, but {version} is locked; run scripts/lock.py"
    assert {name for name, (_, hashes) in pinned.items() if not hashes} == {lock.WITHOUT_HASHES}
    for file in ("packages.txt", "uv.txt"):
        text = (ROOT / "lock" / file).read_text()
        assert text.startswith(lock.first_line(pyproject)), "pyproject.toml has changed; run scripts/lock.py"


def pins(text: str) -> dict[str, tuple[str, int]]:
    """By package of a lock: its version, and how many files it has."""
    found = {}
    for block in text.replace("\\\n", "").splitlines():
        if not block.startswith("#"):
            name, version = block.split()[0].split("==")
            found[name] = version, block.count("--hash=sha256:")
    return found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"numba>=0.68,<0.69"', '"numba>=0.68,<0.70"'),
        ('"rich>=13"', '"rich>=13", "more"'),
        ('"hypothesis>=6.100"', '"hypothesis>=7"'),
        ('requires-python = ">=3.11"', 'requires-python = ">=3.12"'),
    ],
)
def test_a_lock_made_for_something_else_is_noticed(old: str, new: str) -> None:
    pyproject = (ROOT / "pyproject.toml").read_text()
    assert old in pyproject
    assert lock.first_line(pyproject.replace(old, new)) != lock.first_line(pyproject)
    assert lock.first_line(pyproject + "# a remark") == lock.first_line(pyproject)


def test_every_library_is_named_once() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    names = [Requirement(line).name for group in groups for line in group]
    ours = [name for name in names if name != "zerosum"]
    assert sorted(ours) == sorted(set(ours))


def test_settings_of_pip_become_arguments_of_uv() -> None:
    listing = [
        "WARNING: a word of pip's = and more",
        ":env:.cert='/certificates'",
        ":env:.find-links='/a /b'",
        "global.find-links='/not/this/one'",
        "global.extra-index-url='file:///c\\nfile:///d'",
        "install.index-url='file:///e'",
        "global.no-index='true'",
        "freeze.timeout='7'",
    ]
    settings = pip_settings(listing)
    assert uv_arguments(settings) == [
        *("--default-index", "file:///e", "--index", "file:///c", "--index", "file:///d"),
        *("--find-links", "/a", "--find-links", "/b", "--index-strategy", "unsafe-best-match", "--no-index"),
    ]
    assert uv_environment(settings) == {"SSL_CERT_FILE": "/certificates"}


def test_where_pip_is_not_configured_uv_is_left_alone() -> None:
    assert (uv_arguments(pip_settings([])), uv_environment({})) == ([], {})


def test_whoever_tests_has_what_learning_and_the_peer_need() -> None:
    stamp = current_stamp(str(ROOT), {"test"})
    assert {"open_spiel", "torch"} <= {Requirement(line).name for line in requirements(stamp)["packages"]}
