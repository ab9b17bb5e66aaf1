"""The lists of a realm that have methods of their own: members, point types, keys and webhooks."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Sequence, cast

from . import types as t
from ._lists import Listing
from ._transport import MemberId, Request, Transport, digits, given, in_url, make_key, quoted


class Resource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport


class Members(Resource):
    def list(
        self,
        *,
        search: Optional[str] = None,
        id: Optional[MemberId] = None,  # noqa: A002
        wallet: Optional[str] = None,
        holding: Optional[str] = None,
    ) -> Listing[t.MemberData]:
        """All members, or those that match every filter."""
        query = given(search=search, wallet=wallet, holding=holding)
        if id is not None:
            query["id"] = in_url(id)
        return Listing(self._transport, "/members", query)

    def put(self, members: Sequence[Mapping[str, Any]]) -> Dict[str, int]:
        """Creates or changes many members, all or none: put([{"id": 42, "username": "ann"}])."""
        body = {"members": [{**one, "id": digits(one["id"])} for one in members]}
        request = Request("POST", "/members", body, repeatable=True)
        return cast(Dict[str, int], self._transport.call(request))


class Points(Resource):
    """The point types."""

    def list(self) -> Listing[t.PointType]:
        """In the order they were created, archived ones too."""
        return Listing(self._transport, "/points")

    def get(self, realm_point_id: str) -> t.PointType:
        return cast(t.PointType, self._transport.call(Request("GET", f"/points/{quoted(realm_point_id)}")))

    def create(self, *, idempotency_key: Optional[str] = None, **point: Any) -> t.PointType:
        """Adds a point type: create(id="gems", name="Gems", maxPerDay=100)."""
        request = Request("POST", "/points", point, idempotency_key=idempotency_key or make_key())
        return cast(t.PointType, self._transport.call(request))

    def change(
        self, realm_point_id: str, *, idempotency_key: Optional[str] = None, **change: Any
    ) -> t.PointType:
        """Changes its name or its rules; omitted fields stay unchanged."""
        path = f"/points/{quoted(realm_point_id)}"
        request = Request("PATCH", path, change, idempotency_key=idempotency_key or make_key())
        return cast(t.PointType, self._transport.call(request))


class Keys(Resource):
    """The keys; they need the scope realm:admin. A key is shown once, so calls that return one are retried
    only with an idempotency_key of your own; the replay then has None in its place."""

    def list(self, *, status: Optional[str] = None) -> Listing[t.Key]:
        return Listing(self._transport, "/keys", given(status=status))

    def get(self, key_id: str) -> t.Key:
        return cast(t.Key, self._transport.call(Request("GET", f"/keys/{quoted(key_id)}")))

    def create(self, *, idempotency_key: Optional[str] = None, **key: Any) -> t.IssuedKey:
        """Issues a key: create(name="bot", scopes=["points:write"])."""
        request = Request("POST", "/keys", key, idempotency_key=idempotency_key)
        return cast(t.IssuedKey, self._transport.call(request))

    def rotate(
        self, key_id: str, *, overlap_seconds: Optional[int] = None, idempotency_key: Optional[str] = None
    ) -> t.IssuedKey:
        """Issues another key in its place; the old one works until the overlap ends."""
        body = given(overlapSeconds=overlap_seconds)
        request = Request("POST", f"/keys/{quoted(key_id)}/rotate", body, idempotency_key=idempotency_key)
        return cast(t.IssuedKey, self._transport.call(request))

    def revoke(self, key_id: str) -> None:
        self._transport.call(Request("DELETE", f"/keys/{quoted(key_id)}", gone="key_not_found"))


class Webhooks(Resource):
    """Where the realm's events are sent; they need the scope realm:admin."""

    def list(self) -> Listing[t.Webhook]:
        return Listing(self._transport, "/webhooks")

    def get(self, webhook_id: str) -> t.Webhook:
        return cast(t.Webhook, self._transport.call(Request("GET", f"/webhooks/{quoted(webhook_id)}")))

    def create(
        self, url: str, *, idempotency_key: Optional[str] = None, **webhook: Any
    ) -> t.WebhookWithSecret:
        """Creates a webhook and returns its secret, once: create(url, types=["points.adjusted"])."""
        request = Request("POST", "/webhooks", {"url": url, **webhook}, idempotency_key=idempotency_key)
        return cast(t.WebhookWithSecret, self._transport.call(request))

    def change(
        self, webhook_id: str, *, idempotency_key: Optional[str] = None, **change: Any
    ) -> t.Webhook:
        """Changes its settings, or its state: "active" continues a disabled one where it stopped."""
        path = f"/webhooks/{quoted(webhook_id)}"
        request = Request("PATCH", path, change, idempotency_key=idempotency_key or make_key())
        return cast(t.Webhook, self._transport.call(request))

    def replay(self, webhook_id: str, *, from_: str, to: str) -> t.Webhook:
        """Sends the events of entries again: from `from_` up to `to`, which is not sent."""
        path, body = f"/webhooks/{quoted(webhook_id)}/replay", {"from": from_, "to": to}
        return cast(t.Webhook, self._transport.call(Request("POST", path, body, idempotency_key=make_key())))

    def remove(self, webhook_id: str) -> None:
        self._transport.call(Request("DELETE", f"/webhooks/{quoted(webhook_id)}", gone="webhook_not_found"))
