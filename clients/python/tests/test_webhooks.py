"""Webhooks: those of Standard Webhooks are accepted, and no others."""

import base64
import hashlib
import hmac
import json
import time
import unittest
from typing import Dict, Union

from exchequer import WebhookError, verify_webhook

SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
OTHER = "whsec_" + base64.b64encode(bytes(32)).decode()
EVENT = {"type": "points.adjusted", "data": {"reason": "für €5 🎉"}}
BODY = json.dumps(EVENT, ensure_ascii=False).encode()


def sign(body: bytes = BODY, *, age: int = 0, secret: str = SECRET) -> Dict[str, str]:
    at = str(int(time.time()) - age)
    key = base64.b64decode(secret[len("whsec_") :])
    digest = hmac.new(key, b"evt_1." + at.encode() + b"." + body, hashlib.sha256).digest()
    signature = f"v1,AAAA v1a,x v1,{base64.b64encode(digest).decode()}"
    return {"Webhook-Id": "evt_1", "webhook-timestamp": at, "WEBHOOK-SIGNATURE": signature}


class Webhooks(unittest.TestCase):
    def test_the_example_of_the_standard_is_accepted(self) -> None:
        # From the specification's reference libraries: a fixed secret, time and signature.
        headers = {
            "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "webhook-timestamp": "1614265330",
            "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        }
        secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        with self.assertRaises(WebhookError) as raised:
            # The signature is right; this example has no type.
            verify_webhook(headers, b'{"test": 2432232314}', secret, tolerance=10**12)
        self.assertEqual(raised.exception.code, "invalid_body")

    def test_an_event_has_its_id(self) -> None:
        for body in (BODY, BODY.decode(), bytearray(BODY), memoryview(BODY)):
            event = verify_webhook(sign(), body, SECRET)
            self.assertEqual((event["id"], event["type"]), ("evt_1", "points.adjusted"))

    def test_one_of_several_secrets_is_enough(self) -> None:
        self.assertEqual(verify_webhook(sign(), BODY, [OTHER, SECRET])["id"], "evt_1")
        self.assertEqual(verify_webhook(sign(), BODY, SECRET[len("whsec_") :])["id"], "evt_1")

    def test_what_differs_is_rejected_with_its_code(self) -> None:
        self.rejects("wrong_signature", sign(), BODY + b" ")
        self.rejects("wrong_signature", sign(secret=OTHER), BODY)
        self.rejects("wrong_signature", {**sign(), "Webhook-Id": "evt_2"}, BODY)
        self.rejects("wrong_signature", {**sign(), "WEBHOOK-SIGNATURE": "v1,ü v1"}, BODY)
        self.rejects("too_old", sign(age=310), BODY)
        self.rejects("in_the_future", sign(age=-310), BODY)
        for timestamp in ("1e9", "-1", "9" * 13, "٣", "12\n"):
            self.rejects("invalid_timestamp", {**sign(), "webhook-timestamp": timestamp}, BODY)
        for name in sign():
            self.rejects("missing_header", {**sign(), name: ""}, BODY)
        for body in (b"[]", b"{", b'{"type": 5}', b"\xff"):
            self.rejects("invalid_body", sign(body), body)

    def rejects(self, code: str, headers: Dict[str, str], body: Union[bytes, str]) -> None:
        with self.assertRaises(WebhookError) as raised:
            verify_webhook(headers, body, SECRET)
        self.assertEqual(raised.exception.code, code)

    def test_the_tolerance_is_yours(self) -> None:
        self.assertEqual(verify_webhook(sign(age=600), BODY, SECRET, tolerance=700)["id"], "evt_1")
        with self.assertRaises(WebhookError):
            verify_webhook(sign(age=20), BODY, SECRET, tolerance=10)

    def test_a_wrong_secret_is_an_error_of_the_settings(self) -> None:
        for secret in ("whsec_", "whsec_!!!", "whsec_" + base64.b64encode(bytes(23)).decode(), []):
            with self.assertRaises(ValueError):
                verify_webhook(sign(), BODY, secret)


if __name__ == "__main__":
    unittest.main()
