import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { rowsOf } from '../../../tests/support/books.ts'
import { operate } from '../../../tests/support/operator.ts'
import type { Suite } from '../../../tests/support/suite.ts'

export type Change = { readonly realmId: string; readonly fromSeq: string; readonly toSeq: string }
export type Page = {
  readonly data: readonly Change[]
  readonly nextCursor: string | null
  readonly cursor: string
}

/** The transaction of a cursor. */
export const xidOf = (cursor: string): string => {
  const [, , , xid = ''] = JSON.parse(String(Buffer.from(cursor, 'base64url'))) as string[]
  return xid
}

/** What tests of the operator feed share. */
export function feedOf(made: Suite) {
  const rows = (text: string, values: unknown[] = []) => rowsOf(made.database.superuserUrl, text, values)

  const read = (cursor?: string, limit = 1_000, url = made.app.url) =>
    operate(url, `GET /changes?limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`)

  async function page(cursor?: string, limit?: number): Promise<Page> {
    const { status, json, text } = await read(cursor, limit)
    assert.equal(status, 200, text)
    return json
  }

  async function walked(): Promise<string> {
    let last = await page()
    while (last.nextCursor !== null) last = await page(last.nextCursor)
    return last.cursor
  }

  return {
    rows,
    read,
    page,
    /** Where the last page ends now. */
    walked,
    /** A place after everything so far: transactions of other tests on the same PostgreSQL end soon. */
    end: async (): Promise<string> => {
      const [{ next }] = await rows(`select pg_snapshot_xmax(pg_current_snapshot())::text as next`)
      for (;;) {
        const cursor = await walked()
        if (BigInt(xidOf(cursor)) >= BigInt(next)) return cursor
        await sleep(20)
      }
    },
    /** Waits for so many changes after a cursor. */
    changesAfter: async (cursor: string, count: number): Promise<Page> => {
      for (const untilMs = performance.now() + 20_000; ; await sleep(20)) {
        const found = await page(cursor)
        if (found.data.length >= count || performance.now() > untilMs) return found
      }
    },
  }
}
