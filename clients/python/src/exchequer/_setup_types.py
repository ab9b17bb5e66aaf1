"""What managers set up in a realm: point types, keys and webhooks. All are in exchequer.types."""

from __future__ import annotations

from typing import List, Optional, TypedDict


class PointType(TypedDict):
    id: str
    name: str
    emoji: Optional[str]
    default: bool
    archived: bool
    transferable: bool
    maxBalance: Optional[int]
    maxPerTransfer: Optional[int]
    maxPerDay: Optional[int]


class RealmData(TypedDict):
    id: str
    name: str
    timeZone: str
    publicBoard: bool
    unknownMembers: str
    defaultPointId: str
    points: List[PointType]
    createdAt: str


class Key(TypedDict):
    id: str
    name: str
    prefix: str
    lastFour: str
    createdAt: str
    expiresAt: Optional[str]
    lastUsedAt: Optional[str]
    revokedAt: Optional[str]
    status: str
    scopes: Optional[List[str]]
    maxPerChange: Optional[int]
    maxPerDay: Optional[int]


class IssuedKey(Key):
    """With the key itself, which is shown once."""

    key: Optional[str]


class Webhook(TypedDict):
    id: str
    url: str
    types: Optional[List[str]]
    description: Optional[str]
    ordered: bool
    includeDetails: bool
    state: str
    seq: str
    behind: int
    failures: int
    failingSince: Optional[str]
    createdAt: str


class WebhookWithSecret(Webhook):
    """With the secret, which is shown once."""

    secret: Optional[str]
