"""Lists on the server, read page by page."""

from __future__ import annotations

from typing import Any, Dict, Generic, Iterator, List, Mapping, Optional, TypeVar

from ._transport import Request, Transport

T = TypeVar("T")

WHOLE_PAGES = 1000
"""Page size while a whole list is read."""


class Page(Generic[T]):
    """One page. `next_cursor` is None when the list is complete; `body` is the whole response."""

    def __init__(self, body: Dict[str, Any]) -> None:
        self.body = body
        self.data: List[T] = body["data"]
        self.next_cursor: Optional[str] = body["nextCursor"]


class Listing(Generic[T]):
    """A list. Nothing is requested until it is read: in a loop, by `page` or by `first`."""

    def __init__(self, transport: Transport, path: str, query: Optional[Mapping[str, Any]] = None) -> None:
        self._transport = transport
        self._path = path
        self._query = query or {}

    def page(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> Page[T]:
        """The first page, or the one at a cursor; 50 items unless `limit` says otherwise."""
        own = {name: value for name, value in (("limit", limit), ("cursor", cursor)) if value is not None}
        return Page(self._transport.call(Request("GET", self._path, query={**self._query, **own})))

    def first(self, count: int) -> List[T]:
        """The first items, at most `count`."""
        found: List[T] = []
        if count < 1:
            return found
        for item in self._read(min(count, WHOLE_PAGES)):
            found.append(item)
            if len(found) == count:
                break
        return found

    def __iter__(self) -> Iterator[T]:
        return self._read(WHOLE_PAGES)

    def _read(self, limit: int) -> Iterator[T]:
        page = self.page(limit=limit)
        while True:
            yield from page.data
            if page.next_cursor is None:
                return
            page = self.page(limit=limit, cursor=page.next_cursor)
