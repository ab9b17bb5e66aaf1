"""One member of a realm, its holds and its pending awards."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Dict, Mapping, Optional, Sequence, Tuple, cast

from . import types as t
from ._lists import Listing
from ._transport import MemberId, Request, Transport, digits, given, in_url, make_key, quoted


def board_query(
    *,
    realm_point_id: Optional[str],
    period: Optional[str],
    from_: Optional[str],
    to: Optional[str],
    exclude: Optional[Sequence[MemberId]],
) -> Dict[str, Any]:
    left_out = None if exclude is None else ",".join(map(in_url, exclude))
    query = given(realmPointId=realm_point_id, period=period, to=to, exclude=left_out)
    return {**query, **({} if from_ is None else {"from": from_})}


class Details:
    """How a change is sent: the options that all changes have.

    `reason`, `reference` (your own number, such as an order's), `metadata` (any JSON, at most 2 KiB) and
    `actor_id` (the member who caused it) are stored with the entry. With your own `idempotency_key` a
    repeated call returns the first response, also after a crash. `dry_run` returns the result and changes
    nothing. `if_match` is the etag of a read: the change succeeds only if the member's points have not
    changed since."""

    def __init__(
        self,
        *,
        realm_point_id: Optional[str] = None,
        reason: Optional[str] = None,
        reference: Optional[str] = None,
        metadata: Optional[Mapping[str, Any]] = None,
        actor_id: Optional[MemberId] = None,
        idempotency_key: Optional[str] = None,
        dry_run: bool = False,
        if_match: Optional[str] = None,
    ) -> None:
        actor = None if actor_id is None else digits(actor_id)
        self.fields = given(
            realmPointId=realm_point_id, reason=reason, reference=reference, metadata=metadata, actorId=actor
        )
        self.key = make_key() if idempotency_key is None else idempotency_key
        self.query: Dict[str, Any] = {"dryRun": True} if dry_run else {}
        self.if_match = if_match

    def request(self, method: str, path: str, body: Mapping[str, Any]) -> Request:
        whole = {**body, **self.fields}
        return Request(method, path, whole, self.query, idempotency_key=self.key, if_match=self.if_match)


class Hold:
    """A hold: reserved points. `data` is the server's response if this call created it, else None."""

    def __init__(self, transport: Transport, hold_id: str, data: Optional[t.NewHoldData] = None) -> None:
        self.id = hold_id
        self.data = data
        self._transport = transport
        self._path = f"/holds/{quoted(hold_id)}"

    def get(self) -> t.HoldData:
        """Its amount, its expiry, and whether it is open or how it ended."""
        return cast(t.HoldData, self._transport.call(Request("GET", self._path)))

    def capture(self, tokens: Optional[int] = None, **details: Any) -> t.Captured:
        """Captures the hold, or a part of it: the rest is released. Options: see Details."""
        request = Details(**details).request("POST", f"{self._path}/capture", given(tokens=tokens))
        return cast(t.Captured, self._transport.call(request))

    def release(self, **details: Any) -> t.Released:
        """Releases the hold. Options: see Details."""
        return cast(
            t.Released, self._transport.call(Details(**details).request("POST", f"{self._path}/release", {}))
        )


class Award:
    """Points that are promised. `data` is the server's response if this call created it, else None."""

    def __init__(self, transport: Transport, award_id: str, data: Optional[t.NewAwardData] = None) -> None:
        self.id = award_id
        self.data = data
        self._transport = transport
        self._path = f"/awards/{quoted(award_id)}"

    def get(self) -> t.AwardData:
        """Its points, when it is due, and whether it is pending or how it ended."""
        return cast(t.AwardData, self._transport.call(Request("GET", self._path)))

    def grant(self, **details: Any) -> t.Granted:
        """Adds its points to the balance. Options: see Details."""
        return cast(
            t.Granted, self._transport.call(Details(**details).request("POST", f"{self._path}/grant", {}))
        )

    def cancel(self, **details: Any) -> t.Cancelled:
        """The member does not receive its points. Options: see Details."""
        return cast(
            t.Cancelled, self._transport.call(Details(**details).request("POST", f"{self._path}/cancel", {}))
        )


class Member:
    """One member. Nothing is requested until a method is called."""

    def __init__(self, transport: Transport, member: MemberId) -> None:
        self.id = in_url(member)
        self._transport = transport
        self._path = f"/members/{quoted(self.id)}"

    def get(self) -> t.MemberData:
        return self.read()[0]

    def read(self) -> Tuple[t.MemberData, Optional[str]]:
        """The member, and its etag for `if_match`."""
        value, headers = self._transport.answer(Request("GET", self._path))
        return cast(t.MemberData, value), headers.get("ETag")

    def at(self, moment: datetime) -> t.MemberData:
        """The balances at a past moment."""
        if moment.tzinfo is None:
            raise ValueError("moment has no time zone: use datetime.now(timezone.utc), for example.")
        query = {"at": moment.isoformat()}
        return cast(t.MemberData, self._transport.call(Request("GET", self._path, query=query)))

    def web3(self) -> t.Web3Data:
        """The member's wallets."""
        return cast(t.Web3Data, self._transport.call(Request("GET", f"/web3{self._path}")))

    def adjust(
        self,
        tokens: int,
        *,
        realm_point_id: Optional[str] = None,
        reason: Optional[str] = None,
        reference: Optional[str] = None,
        metadata: Optional[Mapping[str, Any]] = None,
        actor_id: Optional[MemberId] = None,
        idempotency_key: Optional[str] = None,
        dry_run: bool = False,
        if_match: Optional[str] = None,
    ) -> t.Adjusted:
        """Adds points, or subtracts them when `tokens` is below 0. Options: see Details."""
        details = Details(
            realm_point_id=realm_point_id,
            reason=reason,
            reference=reference,
            metadata=metadata,
            actor_id=actor_id,
            idempotency_key=idempotency_key,
            dry_run=dry_run,
            if_match=if_match,
        )
        request = details.request("PATCH", f"{self._path}/tokenBalance", {"tokens": tokens})
        return cast(t.Adjusted, self._transport.call(request))

    def transfer(
        self,
        recipient: MemberId,
        tokens: int,
        *,
        realm_point_id: Optional[str] = None,
        reason: Optional[str] = None,
        reference: Optional[str] = None,
        metadata: Optional[Mapping[str, Any]] = None,
        actor_id: Optional[MemberId] = None,
        idempotency_key: Optional[str] = None,
        dry_run: bool = False,
        if_match: Optional[str] = None,
    ) -> t.Transferred:
        """Transfers points to another member: both balances change or neither. Options: see Details."""
        details = Details(
            realm_point_id=realm_point_id,
            reason=reason,
            reference=reference,
            metadata=metadata,
            actor_id=actor_id,
            idempotency_key=idempotency_key,
            dry_run=dry_run,
            if_match=if_match,
        )
        body = {"recipientId": digits(recipient), "tokens": tokens}
        request = details.request("PATCH", f"{self._path}/transfer", body)
        return cast(t.Transferred, self._transport.call(request))

    def hold(self, tokens: int, *, expires_in: Optional[int] = None, **details: Any) -> Hold:
        """Reserves points until the hold is captured or released, or expires: after 900 seconds unless
        `expires_in` says otherwise. Options: see Details."""
        body = {"tokens": tokens, **given(expiresIn=expires_in)}
        request = Details(**details).request("POST", f"{self._path}/holds", body)
        data = cast(t.NewHoldData, self._transport.call(request))
        # A dry run has no id.
        return Hold(self._transport, data.get("holdId", ""), data)

    def holds(self) -> Listing[t.HoldData]:
        """The open holds, newest first."""
        return Listing(self._transport, f"{self._path}/holds")

    def award(self, tokens: int, *, grant_at: Optional[datetime] = None, **details: Any) -> Award:
        """Promises points: they can be spent once the award is granted, at `grant_at` or by grant().
        Options: see Details."""
        if grant_at is not None and grant_at.tzinfo is None:
            raise ValueError("grant_at has no time zone: use datetime.now(timezone.utc), for example.")
        body = {"tokens": tokens, **given(grantAt=grant_at and grant_at.isoformat())}
        request = Details(**details).request("POST", f"{self._path}/awards", body)
        data = cast(t.NewAwardData, self._transport.call(request))
        # A dry run has no id.
        return Award(self._transport, data.get("awardId", ""), data)

    def awards(self) -> Listing[t.AwardData]:
        """The pending awards, newest first."""
        return Listing(self._transport, f"{self._path}/awards")

    def history(
        self,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        realm_point_id: Optional[str] = None,
        direction: Optional[str] = None,
    ) -> Listing[t.MemberEntry]:
        """The entries, newest first; `to` is the first day, or the moment, that does not count."""
        query = given(realmPointId=realm_point_id, direction=direction, to=to)
        if from_ is not None:
            query["from"] = from_
        return Listing(self._transport, f"{self._path}/history", query)

    def rank(
        self,
        *,
        neighbours: Optional[int] = None,
        realm_point_id: Optional[str] = None,
        period: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        exclude: Optional[Sequence[MemberId]] = None,
    ) -> t.Rank:
        """The rank on a leaderboard, with as many neighbours above and below."""
        query = board_query(realm_point_id=realm_point_id, period=period, from_=from_, to=to, exclude=exclude)
        query.update(given(neighbours=neighbours))
        request = Request("GET", f"/leaderboard/{quoted(self.id)}", query=query)
        return cast(t.Rank, self._transport.call(request))

    def profile(self) -> t.Profile:
        """The member with its note and metadata, which are for managers."""
        return cast(t.Profile, self._transport.call(Request("GET", f"{self._path}/profile")))

    def put(self, **change: Any) -> t.Profile:
        """Creates the member, or changes the given fields: put(username="ann", note=None)."""
        return cast(t.Profile, self._transport.call(Request("PUT", self._path, change)))

    def freeze(self, frozen: bool = True) -> t.Profile:
        """Freezes the member: it can't spend points but still receives them."""
        return self.put(frozen=frozen)

    def remove(self) -> None:
        """Removes the member, who must have no points. Its entries stay in the journal."""
        self._transport.call(Request("DELETE", self._path, gone="member_not_found"))

    def link(self, address: str, **wallet: Any) -> t.Wallet:
        """Links a wallet; unverified without its owner's message and signature."""
        body = {"address": address, **wallet}
        request = Request("POST", f"{self._path}/wallets", body, repeatable=True)
        return cast(t.Wallet, self._transport.call(request))

    def unlink(self, address: str) -> None:
        path = f"{self._path}/wallets/{quoted(address)}"
        self._transport.call(Request("DELETE", path, gone="wallet_not_found"))
