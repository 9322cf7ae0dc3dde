"""Seals: a running race is saved with its secrets encrypted.

The seed and the choices of a running race give away hands and future dice. They are encrypted
with a key that stays in the user's data folder. The owner of that folder can open them, as the owner of a
printed game can look under its cards; a saved file alone shows nothing.

The cipher uses the standard library alone: a SHAKE-256 key stream, authenticated with keyed BLAKE2.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import secrets
import sys
from pathlib import Path

from spina.errors import SaveError
from spina.refusal_codes import say

KEY_BYTES = 32
NONCE_BYTES = 16
TAG_BYTES = 32


def data_folder() -> Path:
    """The folder of the user's data."""
    if chosen := os.environ.get("SPINA_DATA_DIR"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "spina"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/spina"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "spina"


def seal(secret: bytes) -> str:
    """The secret as text that only the holder of the key can read."""
    key = _key(create=True)
    nonce = secrets.token_bytes(NONCE_BYTES)
    hidden = _cipher(key, nonce, secret)
    return base64.b64encode(nonce + _tag(key, nonce + hidden) + hidden).decode()


def open_seal(text: str) -> bytes:
    """What was sealed. Raises SaveError if it was sealed elsewhere, or damaged."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        raise SaveError(say("save.sealed-not-base")) from None
    nonce, tag, hidden = (
        data[:NONCE_BYTES],
        data[NONCE_BYTES : NONCE_BYTES + TAG_BYTES],
        data[NONCE_BYTES + TAG_BYTES :],
    )
    key = _key(create=False)
    if not hmac.compare_digest(tag, _tag(key, nonce + hidden)):
        raise SaveError(say("save.sealed-elsewhere"))
    return _cipher(key, nonce, hidden)


def _key(create: bool) -> bytes:
    path = data_folder() / "seal.key"
    try:
        if create and not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                    file.write(secrets.token_bytes(KEY_BYTES))
            except FileExistsError:
                pass  # another process was first
        key = path.read_bytes()
    except OSError as error:
        raise SaveError(say("save.key").reworded(f"the key for saving running races cannot be used: {error}")) from None
    if len(key) != KEY_BYTES:
        raise SaveError(say("save.key").reworded(f"the key for saving running races, {path}, is damaged"))
    return key


def _cipher(key: bytes, nonce: bytes, data: bytes) -> bytes:
    stream = hashlib.shake_256(b"spina seal" + key + nonce).digest(len(data))
    return bytes(a ^ b for a, b in zip(data, stream, strict=True))


def _tag(key: bytes, data: bytes) -> bytes:
    return hashlib.blake2b(data, key=key, digest_size=TAG_BYTES, person=b"spina seal").digest()
