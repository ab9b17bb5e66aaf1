"""Sends requests, and retries where that is safe."""

from __future__ import annotations

import http.client
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Dict, Iterator, Mapping, NamedTuple, Optional, Tuple, Union

from ._errors import ExchequerError, error_of

MemberId = Union[int, str]
"""A member's id: an int, a str of its digits, or an identity such as "shop:9f1c"."""

FIRST_WAIT = 0.1
LONGEST_WAIT = 20.0
SILENT = 30.0
"""A stream has at least a comment every 10 seconds."""

HARMLESS = {"overloaded", "unavailable", "chain_unavailable", "wrong_cell", "request_in_progress"}
"""The codes of 409 and 503 that can be retried and certainly changed nothing."""


class Response(NamedTuple):
    """A response as received; status 0 without one."""

    status: int
    headers: Message
    text: str


class Request(NamedTuple):
    method: str
    path: str
    body: Optional[Any] = None
    query: Mapping[str, Any] = {}
    idempotency_key: Optional[str] = None
    if_match: Optional[str] = None
    repeatable: bool = False
    """Whether it is idempotent without a key; GET, PUT and DELETE always are."""
    gone: Optional[str] = None
    """The code that means, in a retry, that the request had already been applied."""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, so that the key is sent to no other host."""

    def redirect_request(self, *_: Any) -> None:
        return None


OPENER = urllib.request.build_opener(NoRedirect)


class Transport:
    def __init__(
        self,
        base: str,
        key: str,
        *,
        retries: int,
        timeout: float,
        on_response: Optional[Callable[[Response], None]],
    ) -> None:
        # A line break copied along would look like an unreachable server.
        if not re.fullmatch(r"[\x21-\x7e]+", key):
            raise ValueError("key is empty, or has a space, a line break or another invalid character.")
        self.base = base
        self._key = key
        self._retries = retries
        self._timeout = timeout
        self._on_response = on_response

    def call(self, request: Request) -> Any:
        """The response, or None if it has no body. Raises an ExchequerError."""
        return self.answer(request)[0]

    def answer(self, request: Request) -> Tuple[Any, Message]:
        """The response and its headers."""
        unsure = False
        for attempt in range(self._retries + 1):
            response = self._attempt(request)
            value, problem = outcome_of(response)
            if problem is None:
                return value, response.headers
            error = error_of(response.status, problem, retry_after_of(response.headers))
            if unsure and request.gone is not None and error.code == request.gone:
                return None, response.headers
            if attempt == self._retries or not may_repeat(request, error):
                raise error
            unsure = unsure or not is_harmless(error)
            # Exponential with jitter, so that clients do not return all at once; or what the server says.
            spread = FIRST_WAIT * 2**attempt * random.uniform(0.5, 1.5)
            time.sleep(min(max(spread, error.retry_after), LONGEST_WAIT))
        raise AssertionError("retries is below 0")

    def stream(self, path: str, query: Mapping[str, Any]) -> Iterator[Tuple[str, str]]:
        """The fields of server-sent events, name and value. Raises an ExchequerError when it breaks."""
        request = self._prepare(Request("GET", path, query=query))
        try:
            with OPENER.open(request, timeout=SILENT) as answer:
                for line in answer:
                    name, colon, value = line.decode().partition(": ")
                    # The last line of a broken connection may be cut.
                    if colon and value.endswith("\n"):
                        yield name, value[:-1]
        except urllib.error.HTTPError as refusal:
            with refusal:
                text = refusal.read().decode(errors="replace")
                problem = problem_of(refusal.code, text)
                raise error_of(refusal.code, problem, retry_after_of(refusal.headers)) from None
        except (OSError, http.client.HTTPException, UnicodeDecodeError) as cause:
            detail = f"The stream of {self.base} broke: {cause}"
            raise error_of(0, {"code": "no_answer", "detail": detail}) from cause

    def _prepare(self, request: Request) -> urllib.request.Request:
        given = {name: text_of(value) for name, value in request.query.items() if value is not None}
        url = f"{self.base}{request.path}" + (f"?{urllib.parse.urlencode(given)}" if given else "")
        prepared = urllib.request.Request(url, method=request.method)
        prepared.add_header("Authorization", f"Bearer {self._key}")
        if request.body is not None:
            prepared.data = json.dumps(request.body).encode()
            prepared.add_header("Content-Type", "application/json")
        if request.idempotency_key is not None:
            prepared.add_header("Idempotency-Key", request.idempotency_key)
        if request.if_match is not None:
            prepared.add_header("If-Match", request.if_match)
        return prepared

    def _attempt(self, request: Request) -> Response:
        prepared = self._prepare(request)
        try:
            try:
                answer = OPENER.open(prepared, timeout=self._timeout)
            except urllib.error.HTTPError as refusal:
                answer = refusal
            with answer:
                text = answer.read().decode(errors="replace")
                response = Response(answer.status, answer.headers, text)
        except (OSError, http.client.HTTPException) as cause:
            problem = {"code": "no_answer", "detail": f"No response from {self.base}: {cause}"}
            response = Response(0, Message(), json.dumps(problem))
        if self._on_response is not None:
            self._on_response(response)
        return response


def outcome_of(response: Response) -> Tuple[Any, Optional[Dict[str, Any]]]:
    """The value of a success, or else the problem."""
    status, _, text = response
    if not 200 <= status < 300:
        return None, problem_of(status, text)
    try:
        return (json.loads(text) if text else None), None
    except ValueError:
        detail = f"The response was {status}, but not JSON. Check the URL of the server."
        return None, {"code": f"http_{status}", "detail": detail}


def problem_of(status: int, text: str) -> Dict[str, Any]:
    """A proxy may return something other than a problem document."""
    try:
        problem = json.loads(text)
        if isinstance(problem, dict) and isinstance(problem.get("code"), str):
            return problem
    except ValueError:
        pass
    return {"code": f"http_{status}", "detail": f"The response was {status}, without a reason."}


def is_harmless(error: ExchequerError) -> bool:
    """Whether it certainly changed nothing. A proxy may return 429 without one of our codes."""
    return error.status == 429 or error.code in HARMLESS


def may_repeat(request: Request, error: ExchequerError) -> bool:
    if is_harmless(error):
        return True
    if error.status not in (0, 408) and error.status < 500:
        return False
    safe = request.method in ("GET", "PUT", "DELETE") or request.repeatable
    return safe or request.idempotency_key is not None


def retry_after_of(headers: Message) -> float:
    """In seconds. A proxy may send a date instead."""
    text = headers.get("Retry-After") or ""
    if re.fullmatch(r"[0-9]{1,9}", text):
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return 0.0


def text_of(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def make_key() -> str:
    return str(uuid.uuid4())


def digits(member: MemberId) -> str:
    """The id in digits, or an identity. Not a float: above 2**53 that would be another member."""
    text = str(member)
    form = r"[1-9][0-9]{0,18}|[a-z][a-z0-9-]{0,31}:.+"
    if isinstance(member, (bool, float)) or not re.fullmatch(form, text, re.ASCII | re.DOTALL):
        raise ValueError(f"A member id is an int, a str of digits or an identity, not {member!r}.")
    return text


def in_url(member: MemberId) -> str:
    """The same for a URL. URLs are logged, so an e-mail address is an error before a request is sent."""
    text = digits(member)
    if text.startswith("email:") and "@" in text:
        raise ValueError(
            "A member id in a URL can't be an e-mail address: URLs are logged. Use the identity email:<hash>."
        )
    return text


def given(**fields: Any) -> Dict[str, Any]:
    """The fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}


def quoted(part: str) -> str:
    """A part of a path."""
    return urllib.parse.quote(part, safe="")
