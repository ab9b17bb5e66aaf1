"""A realm of an Exchequer server."""

from __future__ import annotations

import json
import os
import random
import time
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, cast

from . import types as t
from ._errors import ExchequerError
from ._lists import Listing
from ._member import Award, Details, Hold, Member, board_query
from ._resources import Keys, Members, Points, Webhooks
from ._transport import MemberId, Request, Response, Transport, digits, given, make_key, quoted

FIRST_RETRY = 1.0
LONGEST_PAUSE = 30.0
LONGEST_RETRY_AFTER = 600.0


class Realm:
    """A realm: Realm("http://localhost:8080", "demo", "exq_..."). It can be used by several threads.

    `retries` is how often a request is retried, `timeout` is of one attempt, in seconds. `on_response` is
    called with each response as received: its headers have the request id, and whether it is a replay."""

    def __init__(
        self,
        url: str,
        realm: str,
        key: str,
        *,
        retries: int = 5,
        timeout: float = 10,
        on_response: Optional[Callable[[Response], None]] = None,
    ) -> None:
        self.id = realm
        base = f"{url.rstrip('/')}/api/v4/realms/{quoted(realm)}"
        self._transport = Transport(base, key, retries=retries, timeout=timeout, on_response=on_response)
        self.members = Members(self._transport)
        self.points = Points(self._transport)
        self.keys = Keys(self._transport)
        self.webhooks = Webhooks(self._transport)

    @classmethod
    def from_env(cls, **settings: Any) -> Realm:
        """From EXCHEQUER_URL, EXCHEQUER_REALM and EXCHEQUER_KEY; given settings override them."""
        for name in ("url", "realm", "key"):
            variable = f"EXCHEQUER_{name.upper()}"
            settings[name] = settings.get(name) or os.environ.get(variable)
            if not settings[name]:
                raise ValueError(f"{variable} is not set, and no {name} was given.")
        return cls(**settings)

    def member(self, member: MemberId) -> Member:
        """A member, by id. Nothing is requested until a method is called."""
        return Member(self._transport, member)

    def hold(self, hold_id: str) -> Hold:
        """A hold, by id. Nothing is requested until a method is called."""
        return Hold(self._transport, hold_id)

    def award(self, award_id: str) -> Award:
        """An award, by id. Nothing is requested until a method is called."""
        return Award(self._transport, award_id)

    def get(self) -> t.RealmData:
        """The realm's settings and point types."""
        return cast(t.RealmData, self._transport.call(Request("GET", "")))

    def change(self, *, idempotency_key: Optional[str] = None, **settings: Any) -> t.RealmData:
        """Changes settings; omitted ones stay unchanged: change(timeZone="Europe/Berlin")."""
        request = Request("PATCH", "", settings, idempotency_key=idempotency_key or make_key())
        return cast(t.RealmData, self._transport.call(request))

    def includes(self, wallets: Sequence[str]) -> t.Includes:
        """Whether wallets belong to members. A POST, as few clients can send a body with GET."""
        request = Request("POST", "/members/includes", {"wallets": wallets}, repeatable=True)
        return cast(t.Includes, self._transport.call(request))

    def changes(
        self,
        changes: Sequence[Mapping[str, Any]],
        *,
        atomic: bool = False,
        idempotency_key: Optional[str] = None,
        dry_run: bool = False,
        **common: Any,
    ) -> List[t.ChangeOutcome]:
        """Up to a thousand changes, {"memberId": 42, "tokens": 5} or with a recipientId, each with its own
        outcome; with `atomic` all are applied or none. `common` has the fields of changes that do not set
        their own, such as reason."""
        ids = ("memberId", "recipientId", "actorId")
        listed = [
            {name: digits(value) if name in ids else value for name, value in one.items()} for one in changes
        ]
        body: Dict[str, Any] = {"changes": listed, **common}
        if atomic:
            body["atomic"] = True
        query = {"dryRun": True} if dry_run else {}
        request = Request("POST", "/changes", body, query, idempotency_key=idempotency_key or make_key())
        return cast(List[t.ChangeOutcome], self._transport.call(request)["data"])

    def entry(self, transaction_id: str) -> t.Entry:
        """One entry of the journal."""
        return cast(t.Entry, self._transport.call(Request("GET", f"/entries/{quoted(transaction_id)}")))

    def reverse(self, transaction_id: str, **details: Any) -> t.Reversed:
        """Reverses an entry; possible once. Options: see Details."""
        request = Details(**details).request("POST", f"/entries/{quoted(transaction_id)}/reverse", {})
        return cast(t.Reversed, self._transport.call(request))

    def holds(self) -> Listing[t.HoldData]:
        """The open holds of all members, newest first."""
        return Listing(self._transport, "/holds")

    def awards(self) -> Listing[t.AwardData]:
        """The pending awards of all members, newest first."""
        return Listing(self._transport, "/awards")

    def leaderboard(
        self,
        *,
        realm_point_id: Optional[str] = None,
        period: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        exclude: Optional[Sequence[MemberId]] = None,
    ) -> Listing[t.Standing]:
        """Who has the most points, or gained the most: leaderboard(period="week").first(10)."""
        query = board_query(realm_point_id=realm_point_id, period=period, from_=from_, to=to, exclude=exclude)
        return Listing(self._transport, "/leaderboard", query)

    def statistics(self, *, from_: Optional[str] = None, to: Optional[str] = None) -> Dict[str, Any]:
        """Points issued, spent and held, and activity by day."""
        query = {**given(to=to), **({} if from_ is None else {"from": from_})}
        return cast(Dict[str, Any], self._transport.call(Request("GET", "/statistics", query=query)))

    def journal(
        self, *, cursor: Optional[str] = None, from_: Optional[str] = None, to: Optional[str] = None
    ) -> Listing[t.JournalEntry]:
        """Every entry in order, without gaps, after `cursor`, the last seq that you have."""
        query = {**given(to=to, cursor=cursor), **({} if from_ is None else {"from": from_})}
        return Listing(self._transport, "/journal", query)

    def head(self) -> Dict[str, str]:
        """The seq and the hash of the journal's last entry."""
        page = self._transport.call(Request("GET", "/journal", query={"limit": 1}))
        return cast(Dict[str, str], page["head"])

    def follow(self, cursor: Optional[str] = None) -> Iterator[t.JournalEntry]:
        """Every entry after `cursor`, the last seq that you have, as soon as it is posted; only new ones
        without it. Connects again by itself, without a gap; raises what an attempt would return again."""
        retry, failures = FIRST_RETRY, 0
        while True:
            retry_after = 0.0
            try:
                if cursor is None:
                    cursor = self.head()["seq"]
                for name, value in self._transport.stream("/journal/stream", {"cursor": cursor}):
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
            growth = 2 ** min(failures - 1, 10) * random.uniform(0.5, 1.5) if failures else 1.0
            time.sleep(max(min(retry * growth, LONGEST_PAUSE), retry_after))

    def call(
        self,
        method: str,
        path: str,
        body: Optional[Any] = None,
        *,
        query: Optional[Mapping[str, Any]] = None,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Any route below the realm: call("GET", "/checkpoint"). A POST or PATCH without an idempotency_key
        is retried only when it certainly changed nothing."""
        request = Request(method, path, body, query or {}, idempotency_key=idempotency_key)
        return self._transport.call(request)
