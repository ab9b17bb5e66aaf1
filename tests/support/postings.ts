import assert from 'node:assert/strict'
import { after } from 'node:test'
import { type Database, openDatabase } from '../../server/src/db/database.ts'
import { problem } from '../../server/src/http/problem.ts'
import { type Command, Ledger, makeDetails } from '../../server/src/ledger/index.ts'
import { Configs } from '../../server/src/realms/index.ts'
import { query } from './query.ts'
import type { Suite } from './suite.ts'
import { asOperator, v4 } from './v4.ts'

type Common = 'realm' | 'key' | 'requestId' | 'retry' | 'details' | 'dry'
type Distribute<C> = C extends Command ? Omit<C, Common> : never
/** The command's own fields, and its details. */
export type Posting = Distribute<Command> & { readonly reason?: string }

type Opened = { readonly db: Database; readonly ledger: Ledger }

function openLedger(made: Suite): Opened {
  const db = openDatabase(made.database.serverUrl)
  const onFault = (error: unknown) => assert.ifError(error)
  const configs = new Configs()
  const ledger = new Ledger({ db, configs, render: problem, laneCount: 1, deadlineMs: 10_000, onFault })
  return { db, ledger }
}

/**
 * Posts entries of any type without HTTP, on a suite's database; returns their seqs. Called before
 * suite(), so that it is closed before the database is dropped.
 */
export function postings(): (made: Suite, posting: Posting, realmId?: string) => Promise<string[]> {
  let opened: Opened | undefined
  after(async () => {
    await opened?.ledger.close()
    await opened?.db.close()
  })
  return async (made, posting, realmId = made.fixture.realm.id) => {
    opened ??= openLedger(made)
    const { reason, ...rest } = posting
    const text = 'select realm from realms where id = $1'
    const [row] = await query<{ realm: number }>(made.database, text, [realmId])
    const said = { reason, reference: undefined, metadata: undefined, actorId: undefined }
    const parts = { realm: row?.realm ?? 0, key: 0, requestId: 'a test', retry: undefined }
    const outcome = await opened.ledger.post({ ...rest, ...parts, details: makeDetails(said) } as Command)
    assert.equal(
      outcome.kind,
      'done',
      JSON.stringify(outcome, (_, value) => String(value)),
    )
    return outcome.kind === 'done' ? outcome.receipts.map(({ seq }) => String(seq)) : []
  }
}

/** GETs with a key of the fixture's realm, or of another, that may read everything. */
export function reader(made: Suite, realmOf: (made: Suite) => { readonly id: string } = ofFixture) {
  let key: Promise<string> | undefined
  const issue = async (): Promise<string> => {
    const scopes = ['members:read', 'journal:read', 'points:write']
    const path = `/realms/${realmOf(made).id}/keys`
    return (await asOperator(made, 'POST', { path, body: { name: 'reader', scopes } })).key
  }
  return async (path: string) => {
    key ??= issue()
    const access = { id: realmOf(made).id, key: await key }
    return v4(made, () => access).send('GET', path)
  }
}

const ofFixture = ({ fixture }: Suite) => fixture.realm
