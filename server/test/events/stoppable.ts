import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { environment, type ServerProcess, startServerProcess } from '../../../tests/support/process.ts'
import { freshDatabase, type Suite, testConfig } from '../../../tests/support/suite.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { Checkpoints } from '../../src/events/checkpoints/index.ts'
import { Webhooks } from '../../src/events/webhooks/index.ts'
import { History } from '../../src/ledger/index.ts'
import { Members } from '../../src/members/index.ts'
import { Configs } from '../../src/realms/index.ts'

/** A server in its own process, which the tests of a file stop, kill and start again. */
export class Stoppable {
  readonly made = {} as Suite
  #server: ServerProcess | undefined

  constructor() {
    before(async () => {
      this.made.database = await freshDatabase()
      await this.start()
    })
    after(async () => {
      await this.#server?.stop()
      await this.made.database?.drop()
    })
  }

  get server(): ServerProcess {
    assert.ok(this.#server)
    return this.#server
  }

  async start(): Promise<void> {
    this.#server = await this.another()
    this.made.app = { url: this.#server.baseUrl } as Suite['app']
  }

  /** A second process on the same database. */
  another(): Promise<ServerProcess> {
    return startServerProcess(environment(this.made.database, { WEBHOOK_ALLOW: '127.0.0.0/8' }))
  }

  /** Webhooks in this process, on the same database, with the test's clock, while no server runs. */
  async alone(now: () => number, work: (webhooks: Webhooks, db: CountedDatabase) => Promise<void>) {
    await this.server.stop()
    const { database } = this.made
    const db = counted(openDatabase(database.serverUrl))
    const history = new History(db, new Members(db, new Configs()))
    const { keySecrets: secrets } = testConfig(database)
    const checkpoints = new Checkpoints({ db, keys: undefined })
    const fixed = { agentName: 'test', onFault: assert.fail, changes: () => 0 }
    const options = { db, history, checkpoints, secrets, now, ...fixed }
    const webhooks = new Webhooks({ ...options, allow: ['127.0.0.0/8'] })
    try {
      await work(webhooks, db)
    } finally {
      await webhooks.close()
      await db.close()
      await this.start()
    }
  }
}

export type CountedDatabase = Database & { readonly asked: () => number }

/** Counts its statements; a transaction is one. */
function counted(db: Database): CountedDatabase {
  let count = 0
  const query: Database['query'] = (statement, values) => {
    count += 1
    return db.query(statement, values)
  }
  const within: Database['within'] = (realms) => {
    const own = db.within(realms)
    return {
      query: (statement, values) => {
        count += 1
        return own.query(statement, values)
      },
    }
  }
  const transaction: Database['transaction'] = (work) => {
    count += 1
    return db.transaction(work)
  }
  return { ...db, query, within, transaction, asked: () => count }
}
