import assert from 'node:assert/strict'
import { it } from 'node:test'
import { rowsOf } from '../../../../tests/support/books.ts'
import { freshDatabase } from '../../../../tests/support/suite.ts'
import { openDatabase } from '../../../src/db/database.ts'
import { forgetAnswers, takeLeases } from '../../../src/events/webhooks/index.ts'
import { Exports } from '../../../src/files/exports/index.ts'
import { loadRealm } from '../../../src/files/imports/index.ts'
import { verify } from '../../../src/ledger/journal/verify.ts'
import { Configs } from '../../../src/realms/index.ts'
import { MemberRemoval } from '../../../src/removal/index.ts'
import { Snapshots } from '../../../src/web3/snapshots/index.ts'
import { openBooks, tester } from '../../ledger/books.ts'
import { post, textOf } from './books.ts'

it('a snapshot is exported with its realm, with the same tree, also for erased members', async () => {
  const [here, there] = [await freshDatabase(), await freshDatabase()]
  const books = openBooks(here.serverUrl)
  const other = openDatabase(there.serverUrl)
  try {
    const realm = await books.make({ open: false, points: ['gold'], members: ['1', '2', '3', '4'] })
    for (const member of ['1', '2', '3', '4'])
      await post(books.ledger, realm, { kind: 'adjust', member, tokens: BigInt(member) * 10n })
    await rowsOf(
      here.superuserUrl,
      `insert into wallets (realm, match, account, address, chain, verified_at)
        select realm, a.text, account, a.text, 'eip155', now() from members
        cross join lateral (select '0x' || left(encode(sha256(id::text::bytea), 'hex'), 40)) a (text)
        where id < 4`,
    )
    const asked = { realm, id: 's', point: undefined, chain: 'eip155:1', seq: undefined, dry: false }
    const taker = { key: 0, requestId: 'test', by: tester }
    const { root } = await new Snapshots(books.db, new Configs()).take({ ...asked, claimable: true }, taker)
    await new MemberRemoval(books.db, { takeLeases, forgetAnswers }).erase({ realm, id: '2' }, tester)
    const text = await textOf((await new Exports(books.db).ndjson(realm)).chunks)
    async function* chunks() {
      yield text
    }
    const { realm: loaded, counts, show, close } = await loadRealm(chunks(), { db: other, by: tester })
    assert.deepEqual([counts.snapshots, counts.claimants], [1, 4])
    assert.ok((await verify(other, { realm: loaded })).ok)
    await show()
    await close()
    const moved = new Snapshots(other, new Configs())
    assert.equal((await moved.get({ realm: loaded, id: 's' })).root, root)
    const { proof, amount } = await moved.member({ realm: loaded, id: 's' }, '3')
    assert.deepEqual([proof?.length, amount], [2, 30n])
  } finally {
    await books.close()
    await other.close()
    await Promise.all([here.drop(), there.drop()])
  }
})
