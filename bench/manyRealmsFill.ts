import { closeSync, openSync, writeSync } from 'node:fs'
import { asSuperuser, ownerRole, prepareDatabase } from '../server/src/dev/prepare.ts'
import { hashOf, keyForm } from '../server/src/keys/text.ts'
import { type Copy, copy, fillRealm, openTables, psqlRun, withoutHistoryIndexes } from './generate.ts'
import { type FilledDatabase, keySecret, type Stage, scopes } from './stage.ts'

/** Of each realm, with as many entries: their opening balances. */
const members = 3
const point = 'gold'

type Rows = Readonly<Record<'realms' | 'keys' | 'heads' | 'settings' | 'points', Copy>>

/**
 * Creates a database with many small realms by COPY, each with what the server stores for it: key, head,
 * settings, point type, members, balances and journal. `bigRealm` of the result is the first of them, so that
 * one realm and many can be compared.
 */
export async function fillManyRealms(stage: Stage, database: string, count: number): Promise<FilledDatabase> {
  await prepareDatabase(stage.postgres, database)
  const base = `${stage.folder}.${database}`
  const filled = { members, bigRealm: `${base}.big`, manyRealms: `${base}.many` }
  const target = { binaries: stage.binaries, url: stage.postgres.url(database, ownerRole) }
  const startMs = performance.now()
  await withoutHistoryIndexes(target, async () => {
    const into = openTables(target)
    const rows: Rows = {
      realms: copy(target, 'realms (realm, id, name, next_key)'),
      keys: copy(target, 'keys (realm, number, secret_id, hash, name, prefix, last_four, scopes)'),
      heads: copy(target, 'heads (realm, seq, hash, at_us, next_account, config_version)'),
      settings: copy(target, 'settings (realm, realm_id, name, default_point)'),
      points: copy(target, 'points (realm, number, id, name)'),
    }
    const [one, many] = [openSync(filled.bigRealm, 'w'), openSync(filled.manyRealms, 'w')]
    for (let realm = 1; realm <= count; realm++) {
      const realmId = `realm-${realm}`
      const last = await fillRealm({ realm, realmId, point, members, entries: 0, wallets: false }, into)
      const version = Math.floor(Math.random() * 2_000_000_000)
      const head = `${realm}\t${last.seq}\t\\\\x${last.hash}\t${last.atUs}\t${members + 1}\t${version}\n`
      await rows.heads.write(head)
      const key = await fillDirectory(realm, realmId, rows)
      for (const file of realm === 1 ? [one, many] : [many]) writeSync(file, `${realmId} ${key}\n`)
    }
    for (const file of [one, many]) closeSync(file)
    // The keys refer to the realms.
    for (const table of [...Object.values(rows), ...Object.values(into)]) await table.end()
  })
  await psqlRun(target, `select setval(pg_get_serial_sequence('exchequer.realms', 'realm'), ${count});`)
  await asSuperuser(stage.url(database), ['vacuum analyze', 'checkpoint'])
  const seconds = Math.round((performance.now() - startMs) / 1000)
  console.log(`${count.toLocaleString('en-US')} realms: loaded in ${seconds} s`)
  return filled
}

/** A realm, its settings, point type and key; returns the text of the key. */
async function fillDirectory(realm: number, realmId: string, rows: Rows): Promise<string> {
  await rows.realms.write(`${realm}\t${realmId}\t${realmId}\t2\n`)
  await rows.settings.write(`${realm}\t${realmId}\t${realmId}\t1\n`)
  await rows.points.write(`${realm}\t1\t${point}\tPoints\n`)
  const key = keyForm.make()
  const { prefix, lastFour } = keyForm.shown(key)
  const hash = hashOf(key, keySecret).toString('hex')
  const shown = `bench\t${prefix}\t${lastFour}\t{${scopes.join(',')}}`
  await rows.keys.write(`${realm}\t1\t${keySecret.id}\t\\\\x${hash}\t${shown}\n`)
  return key
}
