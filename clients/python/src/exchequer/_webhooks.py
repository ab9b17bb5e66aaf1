"""Verifies webhooks, which are signed by Standard Webhooks 1.0.0: https://www.standardwebhooks.com"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Dict, Iterable, List, Mapping, Union


class WebhookError(Exception):
    """The request is not a valid webhook: answer it with 400. `code` says why: missing_header,
    invalid_timestamp, too_old, in_the_future, wrong_signature or invalid_body."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def verify_webhook(
    headers: Mapping[str, str],
    body: Union[bytes, bytearray, memoryview, str],
    secret: Union[str, Iterable[str]],
    *,
    tolerance: int = 300,
) -> Dict[str, Any]:
    """The event of a webhook, with its id; raises a WebhookError unless it was signed with this secret within
    `tolerance` seconds. `body` is as it was received, `secret` one or, while it is rotated, several.

    The id is the same when an event is sent again: handle each once."""
    keys = [secret_bytes(one) for one in ([secret] if isinstance(secret, str) else secret)]
    if not keys:
        raise ValueError("No secret was given.")
    raw = body.encode() if isinstance(body, str) else bytes(memoryview(body))  # not parsed
    webhook_id, timestamp, signatures = headers_of(headers)
    check_time(timestamp, tolerance)
    signed = f"{webhook_id}.{timestamp}.".encode() + raw
    for key in keys:
        expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
        for signature in signatures.split(" "):
            if hmac.compare_digest(signature.encode(errors="replace"), expected):
                return event_of(webhook_id, raw)
    text = "No signature matches. Check the secret, and that the body is passed as it was received."
    raise WebhookError("wrong_signature", text)


def secret_bytes(secret: str) -> bytes:
    """An error here is in your settings, not in the request."""
    try:
        text = secret[len("whsec_") :] if secret.startswith("whsec_") else secret
        key = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError, AttributeError):
        key = b""
    if len(key) < 24:
        raise ValueError("The secret is not valid: expected whsec_ and at least 24 bytes in base64.")
    return key


def headers_of(headers: Mapping[str, str]) -> List[str]:
    """The id, the timestamp and the signatures."""
    received = {name.lower(): value for name, value in headers.items()}
    names = [f"webhook-{name}" for name in ("id", "timestamp", "signature")]
    for name in names:
        if not received.get(name):
            text = f"The header {name} is missing: the request is not a webhook."
            raise WebhookError("missing_header", text)
    return [received[name] for name in names]


def check_time(timestamp: str, tolerance: int) -> None:
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookError("invalid_timestamp", f"webhook-timestamp is not a time in seconds: {timestamp!r}.")
    age = int(time.time()) - int(timestamp)
    clock = f"Allowed are {tolerance} s: is this machine's clock right?"
    if age > tolerance:
        raise WebhookError("too_old", f"The webhook was sent {age} s ago. {clock}")
    if -age > tolerance:
        raise WebhookError("in_the_future", f"The webhook was sent {-age} s in the future. {clock}")


def event_of(webhook_id: str, raw: bytes) -> Dict[str, Any]:
    try:
        event = json.loads(raw)
        if isinstance(event, dict) and isinstance(event.get("type"), str):
            return {**event, "id": webhook_id}
    except ValueError:
        pass
    raise WebhookError("invalid_body", "The body is not a JSON object with a type.")
