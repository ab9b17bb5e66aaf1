import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rowsOf } from '../../../tests/support/books.ts'
import type { RealmScoped } from '../../src/db/rowSecurity.ts'
import { statements } from '../../src/ledger/journal/journalStore.ts'
import { verify } from '../../src/ledger/journal/verify.ts'
import { Realms } from '../../src/realms/index.ts'
import { tester } from './books.ts'
import { ann, bob, cid, points, post, right, withHistory } from './history.ts'

const made = withHistory()

describe('during writes', () => {
  const open = { open: true, points, members: [] }

  it('balances that move between two reads are compared at their entry', async () => {
    const live = await made.books.make(open)
    await post(made.books, live, { member: ann, tokens: 5n })
    const db: RealmScoped = {
      within: (realms) => ({
        async query(statement, values) {
          if (statement.name === statements.readBalances.name && Number(values?.[1]) < 0) {
            await post(made.books, live, { member: ann, recipient: bob, tokens: 2n })
            await post(made.books, live, { member: bob, recipient: cid, tokens: 1n })
          }
          return made.books.db.within(realms).query(statement, values)
        },
      }),
    }
    right(await verify(db, { realm: live }), 3n)
  })

  it('point types that are created and awarded between two reads are known', async () => {
    const live = await made.books.make(open)
    await post(made.books, live, { member: ann, tokens: 5n })
    const [{ id }] = await rowsOf(made.database.superuserUrl, 'select id from realms where realm = $1', [
      live,
    ])
    let added = false
    const db: RealmScoped = {
      within: (realms) => ({
        async query(statement, values) {
          if (statement.name === statements.readBalances.name && !added) {
            added = true
            await new Realms(made.books.db).addPoint(id, { id: 'copper' }, tester)
            await post(made.books, live, { member: ann, tokens: 3n, point: 'copper' })
          }
          return made.books.db.within(realms).query(statement, values)
        },
      }),
    }
    right(await verify(db, { realm: live }), 2n)
    right(await verify(made.books.db, { realm: live }), 2n)
  })

  it('every run passes', async () => {
    const live = await made.books.make(open)
    let writing = true
    const write = async () => {
      for (let turn = 1; writing; turn += 1) {
        const members = Array.from({ length: 20 }, (_, index) => String(((turn * index) % 97) + 1))
        await Promise.all(
          members.map((member) => post(made.books, live, { member, tokens: 3n, reason: 'a quest' })),
        )
        await post(made.books, live, { member: members[3] ?? '', recipient: '500', tokens: 1n })
      }
    }
    const written = write()
    try {
      let last = 0n
      for (let run = 0; run < 30 || (last < 500n && run < 3_000); run += 1) {
        const verdict = await verify(made.books.db, { realm: live })
        if (!verdict.ok) assert.fail(`${verdict.where}: ${verdict.why}`)
        assert.ok(verdict.seq >= last)
        last = verdict.seq
      }
      assert.ok(last >= 500n, `only ${last} entries were written meanwhile`)
    } finally {
      writing = false
      await written
    }
  })
})
