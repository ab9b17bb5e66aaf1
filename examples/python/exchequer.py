"""A client of Exchequer, a points ledger for communities: one file, only the standard library.

    from exchequer import Realm
    realm = Realm("http://localhost:8080", "demo", "exq_...")
    realm.adjust(1190194345295482952, 25, reason="a quest")

Requests without a response, or with a temporary error, are retried. Each change has a key that stays the
same over all attempts, so it happens once. For Python 3.9 and newer.
"""

import base64
import binascii
import hashlib
import hmac
import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

FIRST_WAIT = 0.1
LONGEST_WAIT = 20
LONGEST_PAUSE = 30
LONGEST_RETRY_AFTER = 600
SILENT = 30  # a stream has at least a comment every 10 s
HARMLESS = {"rate_limited", "overloaded", "unavailable", "request_in_progress"}


class ExchequerError(Exception):
    """Any error: `code` identifies it, and the text says what to do."""

    def __init__(self, status, problem, retry_after=0):
        super().__init__(problem["detail"])
        self.retry_after = retry_after  # in seconds
        self.status = status  # 0 without a response
        self.code = problem["code"]
        self.request_id = problem.get("requestId")
        # Of a 422 to a change: until when its idempotency_key returns this response. A new key tries again.
        self.remembered_until = problem.get("rememberedUntil")
        self.errors = problem.get("errors", [])
        # The facts of the error, each None where it does not apply.
        self.balance = problem.get("balance")
        self.required = problem.get("required")
        self.limit = problem.get("limit")
        self.reset_at = problem.get("resetAt")
        self.index = problem.get("index")
        self.transaction_id = problem.get("transactionId")
        self.server_version = problem.get("serverVersion")


class Realm:
    """A realm. Member ids are an int, or a str of digits."""

    def __init__(self, url, realm, key, retries=5, timeout=10):
        self.base = f"{url.rstrip('/')}/api/v4/realms/{urllib.parse.quote(realm, safe='')}"
        self.key = key
        self.retries = retries
        self.timeout = timeout

    def member(self, member):
        return self.call("GET", f"/members/{digits(member)}")

    def web3(self, member):
        return self.call("GET", f"/web3/members/{digits(member)}")

    def includes(self, wallets):
        """Checks whether wallets belong to members. A POST, as few clients can send a body with GET."""
        return self.call("POST", "/members/includes", {"wallets": wallets}, repeatable=True)

    def adjust(self, member, tokens, **said):
        """Adds points, or subtracts them when tokens is below 0. See `change` for the options."""
        return self.change("PATCH", f"/members/{digits(member)}/tokenBalance", {"tokens": tokens}, **said)

    def transfer(self, giver, recipient, tokens, **said):
        """Transfers points to another member: both balances change or neither."""
        body = {"recipientId": digits(recipient), "tokens": tokens}
        return self.change("PATCH", f"/members/{digits(giver)}/transfer", body, **said)

    def leaderboard(self, **query):
        """The first page of the leaderboard: leaderboard(period="week", limit=10)."""
        return self.call("GET", "/leaderboard", query=query)

    def history(self, member, **query):
        """The member's entries, newest first: history(42, from_="2026-01-01", to="2026-02-01"), to being
        the first day that does not count."""
        return self.list(f"/members/{digits(member)}/history", **query)

    def members(self, **query):
        """All members, or those that match: members(search="an")."""
        return self.list("/members", **query)

    def journal(self, **query):
        """Every entry in order; cursor is the last seq that you have: journal(cursor="0")."""
        return self.list("/journal", **query)

    def follow_journal(self, cursor=None):
        """Every entry after cursor, the last seq that you have, as soon as it is posted; only new ones without
        it. Connects again by itself, without a gap; raises what another attempt would return again."""
        retry, failures = 1.0, 0
        while True:
            retry_after = 0
            try:
                if cursor is None:
                    cursor = self.call("GET", "/journal", query={"limit": 1})["head"]["seq"]
                for name, value in self.stream("/journal/stream", {"cursor": cursor}):
                    failures = 0
                    if name == "retry":
                        retry = int(value) / 1000
                    elif name == "data":
                        entry = json.loads(value)
                        cursor = entry["seq"]
                        yield entry
            except ExchequerError as error:
                if error.status not in (0, 408, 429) and error.status < 500:
                    raise
                failures += 1
                retry_after = min(error.retry_after, LONGEST_RETRY_AFTER)
            # The server spreads retry over its clients; growing pauses are spread here.
            growth = 2 ** min(failures - 1, 10) * random.uniform(0.5, 1.5) if failures else 1
            time.sleep(max(min(retry * growth, LONGEST_PAUSE), retry_after))

    def stream(self, path, query):
        """The fields of server-sent events: name and value. Raises an ExchequerError when it breaks."""
        url = f"{self.base}{path}?{urllib.parse.urlencode(query)}"
        request = urllib.request.Request(url, headers={"Authorization": f"Bearer {self.key}"})
        try:
            with OPENER.open(request, timeout=SILENT) as answer:
                for line in answer:
                    name, colon, value = line.decode().partition(": ")
                    # The last line of a broken connection may be cut.
                    if colon and value.endswith("\n"):
                        yield name, value[:-1]
        except urllib.error.HTTPError as refusal:
            with refusal:
                problem = problem_of(refusal.status, refusal.read().decode(errors="replace"))
                raise ExchequerError(refusal.status, problem, seconds(refusal.headers.get("Retry-After")))
        except (OSError, http.client.HTTPException, UnicodeDecodeError) as cause:
            raise ExchequerError(0, {"code": "no_answer", "detail": f"The stream broke: {cause}"})

    def list(self, path, **query):
        """Every item of a list, page by page as they are read: list("/keys", status="revoked")."""
        while True:
            page = self.call("GET", path, query=query)
            yield from page["data"]
            if page["nextCursor"] is None:
                return
            query["cursor"] = page["nextCursor"]

    def change(self, method, path, body, idempotency_key=None, dry_run=False, actor_id=None, **said):
        """One change, with the options reason, reference, metadata, realmPointId. With your own
        idempotency_key a repeated call returns the first response, also after a crash."""
        if actor_id is not None:
            said["actorId"] = digits(actor_id)
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        query = {"dryRun": "true"} if dry_run else {}
        return self.call(method, path, {**body, **said}, query=query, key=key)

    def call(self, method, path, body=None, query=None, key=None, repeatable=False):
        """Any route: returns its response, or raises an ExchequerError. Retries while that is safe."""
        # from is a Python keyword: use from_.
        asked = {name.rstrip("_"): value for name, value in (query or {}).items()}
        url = f"{self.base}{path}?{urllib.parse.urlencode(asked)}".rstrip("?")
        request = urllib.request.Request(url, method=method, headers={"Authorization": f"Bearer {self.key}"})
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        if key is not None:
            request.add_header("Idempotency-Key", key)
        safe = repeatable or key is not None or method in ("GET", "PUT", "DELETE")
        for attempt in range(self.retries + 1):
            status, headers, text = self.send(request)
            if status in (200, 201, 204):
                return json.loads(text) if text else None
            problem = problem_of(status, text)
            again = problem["code"] in HARMLESS or safe and (status in (0, 408) or status >= 500)
            if attempt == self.retries or not again:
                raise ExchequerError(status, problem)
            # Exponential, with jitter, so that many clients do not retry at once; at least Retry-After.
            spread = FIRST_WAIT * 2**attempt * random.uniform(0.5, 1.5)
            time.sleep(min(max(spread, seconds(headers.get("Retry-After"))), LONGEST_WAIT))

    def send(self, request):
        """One attempt: status, headers and text of the response; status 0 without a response."""
        try:
            try:
                answer = OPENER.open(request, timeout=self.timeout)
            except urllib.error.HTTPError as refusal:
                answer = refusal
            with answer:
                return answer.status, answer.headers, answer.read().decode(errors="replace")
        except (OSError, http.client.HTTPException) as cause:
            return 0, {}, json.dumps({"code": "no_answer", "detail": f"No answer from {self.base}: {cause}"})


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, so that the key is sent to no other host."""

    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(NoRedirect)


def digits(member):
    """The id in digits. Not a float: above 2**53 that would be another person."""
    text = str(member)
    if isinstance(member, (bool, float)) or not (text.isascii() and text.isdigit()) or text[0] == "0":
        raise ValueError(f"A member id is an int or a str of digits, not {member!r}.")
    return text


class WebhookError(Exception):
    """The request is not a valid webhook: answer it with 400. `code` says why."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


def verify_webhook(headers, body, secret, tolerance=300):
    """The event of a webhook, with its id; raises a WebhookError unless it was signed with this secret within
    `tolerance` seconds. `headers` is a mapping, `body` as it was received, `secret` one or several."""
    keys = [secret_bytes(one) for one in ([secret] if isinstance(secret, str) else secret)]
    if not keys:
        raise ValueError("No secret was given.")
    raw = body.encode() if isinstance(body, str) else bytes(memoryview(body))  # not parsed
    given = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not given.get(name):
            raise WebhookError("missing_header", f"The header {name} is missing: it is not a webhook.")
    timestamp = given["webhook-timestamp"]
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        raise WebhookError("invalid_timestamp", f"webhook-timestamp is not a time in seconds: {timestamp!r}.")
    age = int(time.time()) - int(timestamp)
    if age > tolerance:
        raise WebhookError("too_old", f"The webhook was sent {age} s ago. Is this machine's clock right?")
    if -age > tolerance:
        raise WebhookError("in_the_future", f"The webhook was sent {-age} s in the future. Is the clock right?")
    signed = f"{given['webhook-id']}.{timestamp}.".encode() + raw
    for key in keys:
        expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
        for signature in given["webhook-signature"].split(" "):
            if hmac.compare_digest(signature.encode(), expected):
                return event_of(given["webhook-id"], raw)
    raise WebhookError("wrong_signature", "No signature matches. Check the secret, and pass the body as received.")


def secret_bytes(secret):
    try:
        text = secret[len("whsec_") :] if secret.startswith("whsec_") else secret
        key = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError, AttributeError):
        key = b""
    if len(key) < 24:
        raise ValueError("The secret is not valid: expected whsec_ and at least 24 bytes in base64.")
    return key


def event_of(webhook_id, raw):
    try:
        event = json.loads(raw)
        if isinstance(event["type"], str):
            return {**event, "id": webhook_id}
    except (ValueError, TypeError, KeyError):
        pass
    raise WebhookError("invalid_body", "The body is not a JSON object with a type.")


def problem_of(status, text):
    try:
        problem = json.loads(text)
        if "code" in problem and "detail" in problem:
            return problem
    except (ValueError, TypeError):
        pass
    return {"code": f"http_{status}", "detail": f"The answer was {status}, without a word why."}


def seconds(text):
    return float(text) if text and text.isdigit() else 0
