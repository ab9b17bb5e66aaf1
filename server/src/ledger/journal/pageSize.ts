import type { Queryable } from '../../db/session.ts'
import { type EntryRow, readEntryPage } from './journalStore.ts'

/** A page of entries ends at about this size as JSON, whatever limit was requested. */
const pageCapBytes = 1024 * 1024
/** Read first, to measure their size: 1.1 MiB at most. */
const firstRows = 200
/** Rows of the first piece, before their size is known. */
const firstPiece = 50
/** Approximate size of one read. Smaller pieces cost more statements than they save. */
const pieceBytes = 256 * 1024
/** Size of an entry as JSON, without its details. */
const entryBytes = 600

type Texts = {
  readonly reason: string | null
  readonly reference: string | null
  readonly metadata: string | null
}

function bytesOf(texts: Texts | undefined): number {
  if (!texts) return entryBytes
  const { reason, reference, metadata } = texts
  const lengthOf = (text: string | null) => (text === null ? 0 : Buffer.byteLength(text))
  return entryBytes + lengthOf(reason) + lengthOf(reference) + lengthOf(metadata)
}

/** A page that is read in steps, each as long as the size of its entries so far allows. */
export class PageSize {
  readonly #limit: number
  #count = 0
  #bytes = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** How many entries to read next; 0 when the page is full. */
  get next(): number {
    if (this.#count === 0) return Math.min(this.#limit, firstRows)
    const fitting = Math.floor((pageCapBytes - this.#bytes) / (this.#bytes / this.#count))
    return Math.max(0, Math.min(this.#limit - this.#count, fitting))
  }

  /** How many of them to read at once. */
  get piece(): number {
    return this.#count === 0 ? firstPiece : Math.max(1, Math.floor((pieceBytes * this.#count) / this.#bytes))
  }

  /** Takes those rows that fit into the page; the first one always does. */
  take<Row>(rows: readonly Row[], textsOf: (row: Row) => Texts | undefined): Row[] {
    const taken: Row[] = []
    for (const row of rows) {
      const bytes = bytesOf(textsOf(row))
      if (this.#count > 0 && this.#bytes + bytes > pageCapBytes) break
      this.#count += 1
      this.#bytes += bytes
      taken.push(row)
    }
    return taken
  }
}

type Wanted = { readonly after: bigint; readonly upTo: bigint; readonly limit: number }

/** As many entries as requested, or as fit into a page; in pieces, none of them empty. */
export async function* readFitting(db: Queryable, realm: number, wanted: Wanted): AsyncGenerator<EntryRow[]> {
  const { upTo, limit } = wanted
  const size = new PageSize(limit)
  let { after } = wanted
  for (let count = size.next; count > 0; count = size.next) {
    for (let left = count; left > 0; ) {
      const most = Math.min(left, size.piece)
      const rows = await readEntryPage(db, realm, { after, upTo, limit: most })
      const taken = size.take(rows, ({ details }) => details)
      if (taken.length > 0) yield taken
      if (taken.length < most) return
      after = taken.at(-1)?.seq ?? after
      left -= most
    }
  }
}
