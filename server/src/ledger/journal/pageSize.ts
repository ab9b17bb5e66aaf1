import type { Queryable } from '../../db/session.ts'
import { type EntryRow, readEntryPage } from './journalStore.ts'

/** A page of entries ends when it is about this large as JSON, whatever number was asked for. */
const pageCapBytes = 1024 * 1024
/** As many are read first, to see how large they are: 1.1 MiB at most. */
const firstRows = 200
/** Of those, as many are read at once, until it is known how large they are. */
const firstPiece = 50
/** Read from the database at once, about. Smaller pieces cost more statements than they save. */
const pieceBytes = 256 * 1024
/** Of an entry as JSON, without what was said of it. */
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

/** A page that is read in steps, each as long as what is known of its entries allows. */
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

  /** Takes those of these that fit into the page, at least the first of it. */
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

/** As many entries as are asked for, or as fit into a page; in pieces, none of them empty. */
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
