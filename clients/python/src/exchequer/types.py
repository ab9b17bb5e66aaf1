"""What the server returns. A newer server may return more fields; the names are those of the API."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, TypedDict

from ._setup_types import IssuedKey as IssuedKey
from ._setup_types import Key as Key
from ._setup_types import PointType as PointType
from ._setup_types import RealmData as RealmData
from ._setup_types import Webhook as Webhook
from ._setup_types import WebhookWithSecret as WebhookWithSecret


class Promised(TypedDict, total=False):
    """Points that are promised, by point type; absent without any."""

    pending: Dict[str, int]


class MemberData(Promised):
    id: str
    realmId: str
    username: Optional[str]
    displayName: Optional[str]
    balances: Dict[str, int]
    tokenBalance: int
    held: Dict[str, int]
    joinedAt: Optional[str]
    updatedAt: Optional[str]
    frozen: bool
    hidden: bool


class Profile(MemberData):
    """With what only managers see."""

    metadata: Optional[Dict[str, Any]]
    note: Optional[str]


class Wallet(TypedDict):
    address: str
    chain: str
    verified: bool
    verifiedAt: Optional[str]
    linkedAt: str


class Web3Data(TypedDict):
    id: str
    realmId: str
    wallets: List[Wallet]
    holdings: List[Dict[str, Any]]


class IncludedWallet(TypedDict):
    wallet: str
    included: bool
    memberId: Optional[str]


class Includes(TypedDict):
    includes: bool
    wallets: List[IncludedWallet]


class DryRun(TypedDict, total=False):
    """Of a dry run, which has no transactionId."""

    dryRun: bool


class Adjusted(DryRun):
    newBalance: int
    transactionId: str


class Transferred(DryRun):
    message: str
    transactionId: str
    newBalance: int
    recipientBalance: int


class ReversedBalance(TypedDict):
    memberId: str
    newBalance: int


class Reversed(DryRun):
    transactionId: str
    reverses: str
    tokens: int
    realmPointId: str
    balances: List[ReversedBalance]


class ChangeError(TypedDict):
    code: str
    detail: str
    status: int


class ChangeOutcome(TypedDict, total=False):
    status: int
    replayed: bool
    transactionId: str
    newBalance: int
    recipientBalance: int
    error: ChangeError


class HoldData(TypedDict):
    holdId: str
    memberId: Optional[str]
    realmPointId: str
    tokens: int
    expiresAt: str
    status: str
    endedBy: Optional[str]


class NewHoldData(HoldData, DryRun):
    transactionId: str
    newBalance: int
    held: Dict[str, int]


class Captured(DryRun):
    transactionId: str
    holdId: str
    status: str
    captured: int
    released: int
    newBalance: int
    held: Dict[str, int]


class Released(DryRun):
    transactionId: str
    holdId: str
    status: str
    released: int
    newBalance: int
    held: Dict[str, int]


class AwardData(TypedDict):
    awardId: str
    memberId: Optional[str]
    realmPointId: str
    tokens: int
    grantAt: Optional[str]
    status: str
    endedBy: Optional[str]
    postponedBy: Optional[str]


class NewAwardData(AwardData, DryRun):
    transactionId: str
    pending: Dict[str, int]


class Granted(DryRun):
    transactionId: str
    awardId: str
    status: str
    granted: int
    newBalance: int
    pending: Dict[str, int]


class Cancelled(DryRun):
    transactionId: str
    awardId: str
    status: str
    cancelled: int
    pending: Dict[str, int]


class Entry(TypedDict):
    transactionId: str
    type: str
    at: str
    realmPointId: str
    tokens: int
    fromId: Optional[str]
    fromBalance: Optional[int]
    toId: Optional[str]
    toBalance: Optional[int]
    reason: Optional[str]
    reference: Optional[str]
    metadata: Optional[Dict[str, Any]]
    actorId: Optional[str]
    keyId: Optional[str]
    reverses: Optional[str]
    reversedBy: Optional[str]
    reversible: bool
    holdId: Optional[str]
    awardId: Optional[str]
    batchId: Optional[str]
    hash: str


class MemberEntry(TypedDict):
    """An entry of a member's history."""

    transactionId: str
    type: str
    at: str
    realmPointId: str
    tokens: int
    newBalance: Optional[int]
    heldTokens: int
    newHeld: Optional[int]
    pendingTokens: int
    newPending: Optional[int]
    counterpartyId: Optional[str]
    reason: Optional[str]
    reference: Optional[str]
    metadata: Optional[Dict[str, Any]]
    actorId: Optional[str]
    keyId: Optional[str]
    reverses: Optional[str]
    reversedBy: Optional[str]
    reversible: bool
    holdId: Optional[str]
    awardId: Optional[str]
    batchId: Optional[str]


class JournalEntry(TypedDict):
    """An entry of the feed: docs/journal.md."""

    seq: str
    atUs: str
    type: str
    keyId: str
    realmPointId: str
    fromAccount: int
    toAccount: int
    tokens: int
    fromBalance: Optional[int]
    toBalance: Optional[int]
    link: Optional[str]
    encoding: int
    hash: str
    fromId: Optional[str]
    toId: Optional[str]


class Standing(TypedDict):
    """A member on a leaderboard."""

    id: str
    username: Optional[str]
    displayName: Optional[str]
    rank: Optional[int]
    balance: int
    tokens: int
    updatedAt: Optional[str]


class Rank(TypedDict):
    member: Standing
    above: List[Standing]
    below: List[Standing]
    total: int
    seq: str
