"""Errors: a class for each kind of status, with the code and the facts of the server's response."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Type


class ExchequerError(Exception):
    """Any error: `code` identifies it, and the text says what to do. A rejected request changed nothing."""

    def __init__(self, status: int, problem: Mapping[str, Any], retry_after: float = 0) -> None:
        super().__init__(problem.get("detail") or problem["code"])
        self.status = status
        """0 without a response."""
        self.code: str = problem["code"]
        self.retry_after = retry_after
        """In seconds."""
        self.request_id: Optional[str] = problem.get("requestId")
        self.errors: List[Dict[str, Any]] = problem.get("errors", [])
        """Every invalid place of the request: pointer, in, name, code and detail."""
        self.remembered_until: Optional[str] = problem.get("rememberedUntil")
        """Of a 422 to a change: until when its Idempotency-Key returns it. A new key tries again."""
        # The facts of the error, each None where it does not apply.
        self.balance: Optional[int] = problem.get("balance")
        self.required: Optional[int] = problem.get("required")
        self.limit: Optional[int] = problem.get("limit")
        self.reset_at: Optional[str] = problem.get("resetAt")
        self.index: Optional[int] = problem.get("index")
        self.error: Optional[Dict[str, Any]] = problem.get("error")
        self.transaction_id: Optional[str] = problem.get("transactionId")
        self.server_version: Optional[str] = problem.get("serverVersion")


class InvalidRequestError(ExchequerError):
    """400: the request is invalid; `errors` says where."""


class UnauthorizedError(ExchequerError):
    """401: no key, or an invalid one."""


class ForbiddenError(ExchequerError):
    """403: another realm's key, or one without the scope."""


class NotFoundError(ExchequerError):
    """404: the member, point type, entry, hold or key does not exist."""


class MovedError(ExchequerError):
    """412: the member's points have changed since it was read."""


class RefusedError(ExchequerError):
    """422: rejected by the ledger's rules: too few points, too many, a frozen member."""


class RateLimitedError(ExchequerError):
    """429: rate limit of the key or realm exceeded, even after waiting."""


class UnavailableError(ExchequerError):
    """No response or 5xx, even after retries. Retry later with the same idempotency_key."""


CLASSES: Dict[int, Type[ExchequerError]] = {
    400: InvalidRequestError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    412: MovedError,
    422: RefusedError,
    429: RateLimitedError,
}


def error_of(status: int, problem: Mapping[str, Any], retry_after: float = 0) -> ExchequerError:
    usual = UnavailableError if status == 0 or status >= 500 else ExchequerError
    return CLASSES.get(status, usual)(status, problem, retry_after)
