"""Write docs/json.md from docs/json-schema.json: a table of fields for each object that a command prints.

python docs/make_json_page.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
SCHEMA = DOCS / "json-schema.json"
PAGE = DOCS / "json.md"
HEAD = """# What commands print with --json

Every command takes `--json` and then prints one object on standard output and nothing else; progress, remarks
and errors go to standard error. A mistake prints no object and ends with an exit code that is not 0.
[json-schema.json](json-schema.json) says the same as a JSON Schema, by command; the tests hold what commands
print against it. `match` and `tournament` also take `--format csv`: a row a player, opponent and seat, with
game, seed, counts, and shares with their low and high bounds as numbers; `runs export --to run.csv` writes
the metrics of a run.

A field marked with ? is not always there. Objects that several share stand at the end.
"""


def kind_of(schema: dict[str, Any]) -> str:
    """The type of a field in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.replace('_', '-')})"
    if "anyOf" in schema:
        return " or ".join(kind_of(one) for one in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(f'`"{one}"`' for one in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {kind_of(schema['items'])}" if "items" in schema else "list"
    return {"integer": "whole number", "boolean": "true or false", "string": "text"}.get(
        schema.get("type", "anything"), schema.get("type", "anything")
    )


def meaning_of(schema: dict[str, Any]) -> str:
    """What a field says; of a list, also what its items are."""
    choices: list[dict[str, Any]] = schema.get("anyOf", [])
    inner = next((one for one in choices if one.get("type") != "null"), {})
    said = [schema.get("description", ""), inner.get("description", "")]
    said.append(schema.get("items", {}).get("description", ""))
    return "; ".join(filter(None, said))


def rows_of(schema: dict[str, Any], before: str = "") -> list[str]:
    """A row a field; fields of objects inside follow with the path to them."""
    rows = []
    for name, field in schema.get("properties", {}).items():
        maybe = "" if name in schema.get("required", []) else "?"
        rows.append(f"| `{before}{name}`{maybe} | {kind_of(field)} | {meaning_of(field)} |")
        rows += rows_of(field, f"{before}{name}.")
        rows += rows_of(field.get("items", {}), f"{before}{name}[].")
    return rows


def page_of(schema: dict[str, Any]) -> str:
    parts = [HEAD]
    for title, found in (("", schema["properties"]), ("Shared objects", schema["$defs"])):
        parts += [f"## {title}\n"] * bool(title)
        for name, one in found.items():
            heading = name.replace("_", "-") if title else f"`{name}`"
            parts.append(f"##{'#' if title else ''} {heading}\n")
            if "$ref" in one:
                parts.append(f"The object {kind_of(one)}.\n")
                continue
            parts.append(f"{one['description'][:1].upper()}{one['description'][1:]}.\n")
            if one.get("properties"):
                parts.append("\n".join(["| field | type | meaning |", "|---|---|---|", *rows_of(one)]) + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page_of(json.loads(SCHEMA.read_text())))
