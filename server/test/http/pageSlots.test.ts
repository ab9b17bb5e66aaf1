import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as settled } from 'node:timers/promises'
import { RefusalError } from '../../src/errors.ts'
import { PageSlots } from '../../src/http/wire/pageSlots.ts'

/** A byte takes a millisecond, and a hundred are free. */
const rate = { clientRate: 1_000, clientBurst: 100 }
const caps = { rows: 300, clientRows: 100, waitingRows: 600, clientWaitingRows: 300, ...rate }

/** Slots whose clock is moved by hand. */
class Scene {
  #nowMs = 0
  readonly #due: { readonly atMs: number; readonly work: () => void }[] = []
  readonly slots = new PageSlots(caps, {
    nowMs: () => this.#nowMs,
    after: (ms, work) => void this.#due.push({ atMs: this.#nowMs + ms, work }),
  })

  async pass(ms: number): Promise<void> {
    this.#nowMs += ms
    const due = this.#due.filter(({ atMs }) => atMs <= this.#nowMs)
    for (const one of due) this.#due.splice(this.#due.indexOf(one), 1)
    for (const { work } of due) work()
    await settled()
  }

  /** A page that is read until it is released. */
  read(client: string, rows = 100): Page {
    const page = new Page()
    page.done = this.slots.run({ client, rows, waited: () => {} }, () => page.read())
    return page
  }
}

class Page {
  state: 'waits' | 'runs' | 'ended' = 'waits'
  done: Promise<unknown> = Promise.resolve()
  readonly #ending = Promise.withResolvers<number>()

  async read() {
    this.state = 'runs'
    return { status: 200, body: 'x'.repeat(await this.#ending.promise) }
  }

  async finish(bytes = 0): Promise<void> {
    this.#ending.resolve(bytes)
    await this.done
    this.state = 'ended'
    await settled()
  }
}

const states = (pages: readonly Page[]): string => pages.map(({ state }) => state).join(' ')

const codeOf = (error: unknown) => (error instanceof RefusalError ? error.refusal.code : String(error))

describe('pages of a list', () => {
  it('of one client are read up to the client’s row limit, others wait', async () => {
    const scene = new Scene()
    const pages = [60, 40, 20].map((rows) => scene.read('a', rows))
    assert.equal(states(pages), 'runs runs waits')
    await pages[0]?.finish()
    assert.equal(states(pages), 'ended runs runs')
  })

  it('of other clients are read meanwhile, up to the total row limit', async () => {
    const scene = new Scene()
    const pages = ['a', 'a', 'b', 'c', 'd'].map((client) => scene.read(client))
    assert.equal(states(pages), 'runs waits runs runs waits')
    await pages[2]?.finish()
    assert.equal(states(pages), 'runs waits ended runs runs')
  })

  it('of clients that wait are read in turn', async () => {
    const scene = new Scene()
    const [a, b, c] = ['a', 'b', 'c'].map((client) => scene.read(client)) as [Page, Page, Page]
    const next = ['a', 'a', 'd', 'e'].map((client) => scene.read(client))
    await a.finish()
    assert.equal(states(next), 'runs waits waits waits')
    await b.finish()
    assert.equal(states(next), 'runs waits runs waits')
    await c.finish()
    assert.equal(states(next), 'runs waits runs runs')
  })

  it('are rejected with 429 when too many of the client wait, with 503 when too many in total', async () => {
    const scene = new Scene()
    for (const client of ['a', 'b', 'c', 'a', 'a', 'a', 'b', 'b', 'b']) scene.read(client)
    await assert.rejects(scene.read('a').done, (error) => codeOf(error) === 'rate_limited')
    await assert.rejects(scene.read('d').done, (error) => codeOf(error) === 'overloaded')
  })

  it('of one client are read at its rate, after a burst', async () => {
    const scene = new Scene()
    await scene.read('a').finish(60)
    await scene.read('a').finish(60)
    const third = scene.read('a')
    const other = scene.read('b')
    assert.equal(states([third, other]), 'waits runs')
    await scene.pass(19)
    assert.equal(third.state, 'waits')
    await scene.pass(1)
    assert.equal(third.state, 'runs')
    await third.finish(1_000)
    const fourth = scene.read('a')
    await scene.pass(999)
    assert.equal(fourth.state, 'waits')
    await scene.pass(1)
    assert.equal(fourth.state, 'runs')
  })

  it('free their slot when they fail; a page with more rows than slots is read alone', async () => {
    const scene = new Scene()
    const failing = scene.slots.run({ client: 'a', rows: 250, waited: () => {} }, async () => {
      throw new Error('the database is unreachable')
    })
    const next = scene.read('a', 250)
    assert.equal(next.state, 'waits')
    await assert.rejects(failing, /unreachable/)
    await settled()
    assert.equal(next.state, 'runs')
  })

  it('that had to wait are authorized again first', async () => {
    const scene = new Scene()
    const first = scene.read('a')
    const waited = () => {
      throw new Error('the key was revoked meanwhile')
    }
    const second = scene.slots.run({ client: 'a', rows: 100, waited }, () => new Page().read())
    const third = scene.read('a')
    second.catch(() => {})
    await first.finish()
    await assert.rejects(second, /revoked/)
    await settled()
    assert.equal(third.state, 'runs')
  })
})
