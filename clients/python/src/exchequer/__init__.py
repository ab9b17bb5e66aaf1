"""A client of Exchequer, a points ledger for communities. Standard library only, Python 3.9 and newer.

    from exchequer import Realm

    realm = Realm("http://localhost:8080", "demo", "exq_...")
    realm.member(1190194345295482952).adjust(25, reason="a quest")

Requests without a response, or with a temporary error, are retried. Each change has an Idempotency-Key that
is the same in all attempts, so it is applied once.
"""

from ._errors import (
    ExchequerError,
    ForbiddenError,
    InvalidRequestError,
    MovedError,
    NotFoundError,
    RateLimitedError,
    RefusedError,
    UnauthorizedError,
    UnavailableError,
)
from ._lists import Listing, Page
from ._member import Award, Hold, Member
from ._realm import Realm
from ._transport import MemberId, Response
from ._webhooks import WebhookError, verify_webhook

__all__ = [
    "Award",
    "ExchequerError",
    "ForbiddenError",
    "Hold",
    "InvalidRequestError",
    "Listing",
    "Member",
    "MemberId",
    "MovedError",
    "NotFoundError",
    "Page",
    "RateLimitedError",
    "Realm",
    "RefusedError",
    "Response",
    "UnauthorizedError",
    "UnavailableError",
    "WebhookError",
    "verify_webhook",
]
__version__ = "0.1.0"
