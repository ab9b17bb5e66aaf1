import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertBooks, rowsOf } from '../../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import { RefusalError } from '../../src/errors.ts'
import { type Books, openBooks } from './books.ts'
import { changeCommand } from './commands.ts'

let database: TestDatabase
before(async () => {
  database = await freshDatabase()
})
after(async () => {
  await assertBooks(database)
  await database.drop()
})

/** A proxy between server and PostgreSQL that can hold back data, and forward it later. */
class Middle {
  readonly #server = createServer({ allowHalfOpen: true }, (client) => void this.#join(client))
  readonly #databasePort: number
  readonly #kept: Buffer[] = []
  readonly #sockets: Socket[] = []
  #keptFor: { client: Socket; upstream: Socket } | undefined
  #keeping = false
  #cutting = false
  /** Called before each new connection goes through. */
  onConnect: () => Promise<void> = async () => {}

  private constructor(databasePort: number) {
    this.#databasePort = databasePort
  }

  static async before(url: URL): Promise<Middle> {
    const middle = new Middle(Number(url.port))
    middle.#server.listen(0, '127.0.0.1')
    await once(middle.#server, 'listening')
    url.port = String((middle.#server.address() as AddressInfo).port)
    return middle
  }

  async #join(client: Socket): Promise<void> {
    client.on('error', () => {})
    this.#sockets.push(client)
    await this.onConnect()
    const upstream = connect(this.#databasePort, '127.0.0.1')
    upstream.on('error', () => {})
    this.#sockets.push(upstream)
    let writes = false
    client.on('data', (chunk) => {
      writes ||= chunk.includes('ledger_move_heads')
      if (this.#cutting && writes) {
        this.#passAndCut({ client, upstream }, chunk)
        return
      }
      if (!this.#keeping || !writes) {
        upstream.write(chunk)
        return
      }
      this.#kept.push(chunk)
      this.#keptFor = { client, upstream }
    })
    upstream.on('data', (chunk) => client.destroyed || client.write(chunk))
    upstream.on('close', () => client.destroy())
    client.on('close', () => this.#keptFor?.upstream === upstream || upstream.destroy())
  }

  /** Holds back the next batch, then cuts its connection. */
  async keepAndCut(): Promise<void> {
    this.#keeping = true
    while (!this.#keptFor) await sleep(5)
    this.#keeping = false
    this.#keptFor.client.destroy()
  }

  /** Lets the next batch through, and cuts its connection before the answer. */
  cutBehind(): void {
    this.#cutting = true
  }

  #passAndCut({ client, upstream }: { client: Socket; upstream: Socket }, chunk: Buffer): void {
    this.#cutting = false
    this.#keptFor = { client, upstream }
    client.destroy()
    upstream.write(chunk)
  }

  async handOn(): Promise<void> {
    this.#keptFor?.upstream.write(Buffer.concat(this.#kept.splice(0)))
    await sleep(200)
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

function add(books: Books, realm: number, tokens: bigint) {
  return books.ledger.post(changeCommand(realm, { member: '1', tokens }))
}

it('a batch that arrives after it was settled is not applied, and its change is made once', async () => {
  const url = new URL(database.serverUrl)
  const middle = await Middle.before(url)
  const books = openBooks(url.toString())
  try {
    const realm = await books.make({ open: false, points: ['gold'], members: ['1'] })
    for (const tokens of [1n, 1n]) await add(books, realm, tokens)
    const cut = middle.keepAndCut()
    const answer = add(books, realm, 10n)
    await cut
    // The first new connection settles. The held batch arrives before the second one, which retries.
    let connections = 0
    middle.onConnect = async () => {
      connections += 1
      if (connections === 2) await middle.handOn()
    }
    const outcome = await answer
    assert.equal(connections, 2)
    assert.equal(outcome.kind === 'done' && outcome.receipts[0].toBalance, 12n)
    const rows = await rowsOf(database.superuserUrl, 'select balance from balances where realm = $1', [realm])
    assert.deepEqual(rows, [{ balance: '12' }])
  } finally {
    await books.close()
    await middle.close()
  }
})

/** The head is taken away, as by a move, before anything connects again. */
async function departed(realm: number): Promise<void> {
  await rowsOf(
    database.superuserUrl,
    `insert into departed (realm, place, to_cell, seq, hash, head)
      select realm, 2, 1, seq, hash, '{}' from heads where realm = $1`,
    [realm],
  )
  await rowsOf(database.superuserUrl, 'delete from heads where realm = $1', [realm])
}

const codeOf = (answer: Promise<{ kind: string }>): Promise<unknown> =>
  answer.then(
    ({ kind }) => kind,
    (error: unknown) => (error instanceof RefusalError ? error.refusal.code : error),
  )

describe('a batch without an answer, of a realm that has moved away since', () => {
  for (const [title, wasMade] of [
    ['was made, and is answered so', true],
    ['was not made, can’t be made any more, and is refused', false],
  ] as const)
    it(title, async () => {
      const url = new URL(database.serverUrl)
      const middle = await Middle.before(url)
      const books = openBooks(url.toString())
      try {
        const realm = await books.make({ open: false, points: ['gold'], members: ['1'] })
        for (const tokens of [1n, 1n]) await add(books, realm, tokens)
        let isGone: Promise<void> | undefined
        middle.onConnect = () => {
          isGone ??= sleep(200).then(() => departed(realm))
          return isGone
        }
        const cut = wasMade ? middle.cutBehind() : middle.keepAndCut()
        const answer = codeOf(add(books, realm, 10n))
        await cut
        assert.equal(await answer, wasMade ? 'done' : 'wrong_cell')
        if (!wasMade) await middle.handOn()
        const sum = 'select balance from balances where realm = $1'
        const rows = await rowsOf(database.superuserUrl, sum, [realm])
        assert.deepEqual(rows, [{ balance: wasMade ? '12' : '2' }])
      } finally {
        await books.close()
        await middle.close()
      }
    })
})
