import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import { rowsOf } from '../../tests/support/books.ts'
import { Client } from '../../tests/support/load.ts'
import { suite } from '../../tests/support/suite.ts'
import { release } from '../src/config/release.ts'
import { migrate } from '../src/db/migrate.ts'

/** `npm run bench -- --online` does the same on 3,000,000 entries. */
const made = suite()
const migrations = fileURLToPath(new URL('../migrations/', import.meta.url))
const clientCount = 8

/** Entries of other realms, in every partition. */
const others = `insert into journal (realm, key, seq, at_us, amount, to_balance, from_account, to_account,
    point, kind, encoding, hash) select 1000 + g % 200, 1, 1 + g / 200, 1, 5, 5, 0, 1, 1, 1, 1, sha256('')
  from generate_series(0, 39999) g`

/** Clients that write all the time, until stopped. */
function write() {
  const { open: realm } = made.fixture
  const clients = Array.from({ length: clientCount }, () => new Client(made.app.url, realm))
  const statuses: number[] = []
  let stopped = false
  const all = clients.map(async (client, place) => {
    for (let count = 0; !stopped; count++) {
      const write = { member: '1', tokens: 1, idempotencyKey: `online-${place}-${count}` }
      statuses.push((await client.write(write)).status)
    }
    client.close()
  })
  return {
    statuses,
    async stop() {
      stopped = true
      await Promise.all(all)
    },
  }
}

it('an index is added to the journal while clients write: none is refused or waits for it', async () => {
  const { ownerUrl, superuserUrl } = made.database
  await rowsOf(superuserUrl, others)
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-online-'))
  cpSync(migrations, folder, { recursive: true })
  const head = `-- oldest release that runs on this schema: ${release}\n`
  const online = 'create index concurrently journal_at on journal (realm, at_us);\n'
  writeFileSync(join(folder, '9000-journal-at.online.sql'), head + online)
  const load = write()
  const snapshot = new pg.Client({ connectionString: superuserUrl })
  await snapshot.connect()
  try {
    while (load.statuses.length < 20) await sleep(20)
    // Keeps the first build unfinished for as long as it is open.
    await snapshot.query('begin isolation level repeatable read; select 1')
    const from = pathToFileURL(`${folder}/`)
    const migrated = migrate({ ownerUrl, serverUrl: ownerUrl, release, from })
    await sleep(1_000)
    const before = load.statuses.length
    await sleep(1_000)
    const during = load.statuses.length - before
    await snapshot.query('commit')
    assert.equal(await migrated, 1)
    await load.stop()
    assert.ok(during >= 10, `${during} writes while an index was built`)
    assert.deepEqual(
      load.statuses.filter((status) => status !== 200),
      [],
    )
    const [{ valid }] = await rowsOf(
      superuserUrl,
      `select indisvalid as valid from pg_index where indexrelid = 'journal_at'::regclass`,
    )
    assert.ok(valid)
  } finally {
    await load.stop()
    await snapshot.end()
    rmSync(folder, { recursive: true })
  }
})
