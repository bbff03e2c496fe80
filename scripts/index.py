"""Where packages come from: uv looks where pip is configured to look, and for torch in a place of its own."""

from __future__ import annotations

import ast
from collections.abc import Mapping

# torch's guide: builds without CUDA, a tenth of the size, are in an index of its own, which uv knows. Nothing
# here computes on a GPU. Other packages are not looked for there.
TORCH_WITHOUT_CUDA = ["--torch-backend", "cpu"]


def pip_settings(listing: list[str]) -> dict[str, str]:
    """The options in what ``pip config list`` prints; the environment's go before a file's."""
    found: dict[str, dict[str, str]] = {}
    for line in listing:
        name, _, value = line.partition("=")
        section, _, option = name.rpartition(".")
        try:
            found.setdefault(section, {})[option] = str(ast.literal_eval(value))
        except (SyntaxError, ValueError):  # a warning of pip's, and no setting
            continue
    return {**found.get("global", {}), **found.get("install", {}), **found.get(":env:", {})}


def uv_arguments(settings: Mapping[str, str]) -> list[str]:
    """What makes uv look where pip would. uv's own configuration holds where pip has none."""
    arguments: list[str] = []
    if settings.get("index-url"):
        arguments += ["--default-index", settings["index-url"]]
    for option, name in (
        ("extra-index-url", "--index"),
        ("find-links", "--find-links"),
        ("trusted-host", "--allow-insecure-host"),
    ):
        for value in settings.get(option, "").split():
            arguments += [name, value]
    if settings.get("extra-index-url"):
        # As pip does: any index may have the version wanted. The hashes say that it is the right file.
        arguments += ["--index-strategy", "unsafe-best-match"]
    if settings.get("no-index", "").lower() in ("1", "true", "yes", "on"):
        arguments.append("--no-index")
    return arguments


def uv_environment(settings: Mapping[str, str]) -> dict[str, str]:
    """The same for what uv takes from environment variables."""
    names = {"cert": "SSL_CERT_FILE", "proxy": "ALL_PROXY"}
    return {name: settings[option] for option, name in names.items() if settings.get(option)}
