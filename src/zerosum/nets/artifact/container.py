"""The file itself: the named functions of a network, each an ONNX model, under one seal.

A network with one function, ``evaluate``, is a plain ONNX file, which other programs read as well. One with
several is a zip archive of ONNX models named after them, not compressed. Both end in a digest of all before
it: what was cut short or changed by a single byte is refused. Nothing in a file can run but ONNX's operators.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping

from zerosum.core.errors import BadNetwork

EVALUATE = "evaluate"  # planes to logits and values: all that AlphaZero and DQN need
EIGHT_BIT = "evaluate-8bit"  # the same in integers, where training found it faster; see eight_bit.py
ROOT = "root"  # planes to a latent, logits and values: where MuZero's search begins
ROOT_EIGHT_BIT = "root-8bit"
STEP = "step"  # a latent and an action to the same, of what follows
STEP_EIGHT_BIT = "step-8bit"
DECODE = "decode"  # a latent to the board and the legal actions, for those who want to look
TWINS = {EVALUATE: EIGHT_BIT, ROOT: ROOT_EIGHT_BIT, STEP: STEP_EIGHT_BIT}
LARGEST = 1 << 28  # bytes of a file: a hundred times the largest network here, and still no danger to memory

# A sealed file ends in one more entry of its metadata: in the coding of ONNX (protocol buffers), messages
# laid end to end are one message, so the seal can be put behind a finished file and read without a parser.
# Programs that read zip archives skip what follows the end of one.
SEAL = b"\x72\x4a\x0a\x06digest\x12\x40"
DIGITS = 64  # of a SHA-256 digest

ZIP_MARK = b"PK\x03\x04"
ENDING = ".onnx"
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the date of every member, so that the same functions give the same bytes


def pack(functions: Mapping[str, bytes]) -> bytes:
    """A file with these functions, given as ONNX models; ``unpack(pack(functions), ...) == functions``."""
    if list(functions) == [EVALUATE]:
        return sealed(functions[EVALUATE])
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, model in functions.items():
            archive.writestr(zipfile.ZipInfo(name + ENDING, LONG_AGO), model)
    return sealed(file.getvalue())


def unpack(data: bytes, where: str) -> dict[str, bytes]:
    """The functions of a file, by name; refuses one that is too large or is not what ``pack`` gave."""
    if len(data) > LARGEST:
        raise BadNetwork(f"{where} has {len(data):,} bytes; a network may have {LARGEST:,}")
    inside = _unsealed(data, where)
    if not inside.startswith(ZIP_MARK):
        return {EVALUATE: inside}
    try:
        with zipfile.ZipFile(io.BytesIO(inside)) as archive:
            members = archive.infolist()
            if any(member.compress_type != zipfile.ZIP_STORED for member in members):
                raise BadNetwork(f"{where} is no network of zerosum's: it is compressed")
            return {member.filename.removesuffix(ENDING): archive.read(member) for member in members}
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise BadNetwork(f"{where} is damaged: {error}") from None


def sealed(content: bytes) -> bytes:
    """With a digest of itself behind it."""
    return content + SEAL + hashlib.sha256(content).hexdigest().encode()


def _unsealed(data: bytes, where: str) -> bytes:
    """What ``sealed`` was given, byte for byte; anything else is refused."""
    content, seal, digest = data[: -len(SEAL) - DIGITS], data[-len(SEAL) - DIGITS : -DIGITS], data[-DIGITS:]
    if seal != SEAL:
        raise BadNetwork(f"{where} is no network of zerosum's, or only a part of one: its end is missing")
    if hashlib.sha256(content).hexdigest().encode() != digest:
        raise BadNetwork(f"{where} is damaged: it is not what was written")
    return content
