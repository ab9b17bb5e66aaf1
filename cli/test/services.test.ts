import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { Digits } from '../src/importers/exact.ts'
import type { Importer } from '../src/importers/importer.ts'
import { readerOf, retryAfterMs, untilResetMs } from '../src/importers/service.ts'
import { importers } from '../src/importers/sources.ts'

describe('a service', () => {
  type Asked = { readonly path: string; readonly headers: IncomingHttpHeaders }
  const asked: Asked[] = []
  let answers: ((response: ServerResponse) => void)[] = []
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? '', headers: request.headers })
    const next = answers.shift()
    if (next) next(response)
    else response.writeHead(404).end('{}')
  })
  let baseUrl = ''
  before(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    baseUrl = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  })
  after(() => server.close())

  const json =
    (body: string, headers = {}) =>
    (response: ServerResponse) => {
      response.writeHead(200, headers).end(body)
    }
  const status =
    (code: number, headers = {}) =>
    (response: ServerResponse) => {
      response.writeHead(code, headers).end('{"token":"secret"}')
    }
  const waits: string[] = []
  const reader = (importer: Importer, token?: string) =>
    readerOf({ importer, baseUrl, token, onWait: (reason, ms) => waits.push(`${reason} ${ms}`) })
  const place = '159962941502783488'

  /** All its rows, as an import reads them. */
  async function readAll(importer: Importer, given: readonly string[], token?: string) {
    asked.length = 0
    answers = given.map((body) => json(body))
    const rows: unknown[] = []
    for await (const page of importer.pages(place, reader(importer, token))) {
      rows.push(...page.rows)
      if (page.rows.length === 0) break
    }
    return { rows, paths: asked.map(({ path }) => path), headers: asked[0]?.headers ?? {} }
  }
  const seven = new Digits('7')

  it('MEE6 pages from 0, to an empty page', async () => {
    const { rows, paths } = await readAll(importers.mee6, [
      '{"players":[{"id":"42","username":"ada","xp":7}]}',
      '{"players":[]}',
    ])
    assert.deepEqual(rows, [{ id: '42', username: 'ada', points: seven }])
    const path = `/api/plugins/levels/leaderboard/${place}?limit=1000&page=`
    assert.deepEqual(paths, [`${path}0`, `${path}1`])
  })

  it('Tatsu pages by offset, to an empty list or null, with its key', async () => {
    const { rows, paths, headers } = await readAll(
      importers.tatsu,
      ['{"rankings":[{"user_id":"42","score":7},{"user_id":"43","score":7}]}', '{"rankings":null}'],
      'a-key',
    )
    assert.deepEqual(rows, [
      { id: '42', points: seven },
      { id: '43', points: seven },
    ])
    assert.deepEqual(
      paths,
      [0, 2].map((offset) => `/v1/guilds/${place}/rankings/all?offset=${offset}`),
    )
    assert.equal(headers.authorization, 'a-key')
  })

  it('UnbelievaBoat pages from 1, to the last of total_pages', async () => {
    const page = '{"users":[{"user_id":"42","cash":3,"bank":4,"total":7}],"total_pages":2}'
    const { rows, paths, headers } = await readAll(importers.unbelievaboat, [page, page], 'a-token')
    assert.deepEqual(rows[0], { id: '42', points: seven })
    assert.equal(paths.length, 2)
    assert.match(paths[0] ?? '', /^\/api\/v1\/guilds\/159962941502783488\/users\?.*page=1$/)
    assert.equal(headers.authorization, 'a-token')
  })

  it('AmariBot pages from 1, to 501', async () => {
    asked.length = 0
    answers = [json('{"data":[{"id":"42","username":"ada","exp":7}],"total_count":1}'), status(501)]
    const pages = importers.amari.pages(place, reader(importers.amari, 'a-key'))
    const row = { id: '42', username: 'ada', points: seven }
    assert.deepEqual((await pages.next()).value, { rows: [row], total: new Digits('1') })
    assert.equal((await pages.next()).done, true)
  })

  it('Lurkr pages from 1, with its key in a header of its own', async () => {
    const { rows, headers } = await readAll(
      importers.lurkr,
      ['{"levels":[{"userId":"42","xp":7,"user":{"username":"ada"}}]}', '{"levels":[]}'],
      'a-key',
    )
    assert.deepEqual(rows, [{ id: '42', points: seven, username: 'ada' }])
    assert.equal(headers['x-api-key'], 'a-key')
  })

  it('StreamElements pages by offset, with a bearer token', async () => {
    const { rows, paths, headers } = await readAll(
      importers.streamelements,
      ['{"_total":1,"users":[{"username":"ada","points":7}]}', '{"_total":1,"users":[]}'],
      'a-jwt',
    )
    assert.deepEqual(rows, [{ id: 'ada', username: 'ada', points: seven }])
    assert.match(paths[1] ?? '', /\/top\?limit=1000&offset=1$/)
    assert.equal(headers.authorization, 'Bearer a-jwt')
  })

  it('that fails now and then, or limits rates, is asked again', async () => {
    asked.length = 0
    answers = [
      json('<html>'),
      (response) => response.destroy(),
      status(502, { 'retry-after': '0.01' }),
      status(429, { 'retry-after': '0.01' }),
      json('{"players":[]}'),
    ]
    assert.deepEqual(await reader(importers.mee6)('/page'), { players: [] })
    assert.equal(asked.length, 5)
  })

  it('that has no requests left is asked again after its reset', async () => {
    answers = [json('{}', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '0.2' }), json('{}')]
    const startedMs = performance.now()
    await reader(importers.tatsu, 'k')('/page')
    assert.ok(performance.now() - startedMs >= 190)
  })

  it('that refuses is not asked again, and the message says why, without what it answered', async () => {
    answers = [status(401)]
    await assert.rejects(
      reader(importers.mee6)('/page'),
      /^Error: MEE6 returned 401\. The leaderboard is not public/,
    )
    answers = [status(401)]
    await assert.rejects(
      reader(importers.tatsu, 'secret')('/page'),
      /^Error: Tatsu returned 401: check the token\. It is the API key/,
    )
    answers = [status(302, { location: 'http://127.0.0.1:9/' })]
    await assert.rejects(reader(importers.tatsu, 'k')('/page'), /its address has changed. Give --base-url/)
    answers = [status(429, { 'retry-after': '7200' })]
    await assert.rejects(reader(importers.mee6)('/page'), /^Error: MEE6 asks to wait 120 minutes/)
  })

  it('that answers in another form is an error, and never a shorter list', async () => {
    await assert.rejects(readAll(importers.mee6, ['{"error":"x"}']), /it has no list “players”/)
  })
})

it('a wait is in seconds, in milliseconds for UnbelievaBoat, or until a date', () => {
  const of = (text: string, importer: Importer = importers.mee6) =>
    retryAfterMs(new Headers({ 'retry-after': text }), importer, Date.parse('2030-01-01T00:00:00Z'))
  assert.equal(of('2'), 2_000)
  assert.equal(of('1500', importers.unbelievaboat), 1_500)
  assert.equal(of('Tue, 01 Jan 2030 00:00:05 GMT'), 5_000)
  assert.equal(of('soon'), 0)
})

it('a reset is in seconds or milliseconds since 1970, or in seconds from now', () => {
  const nowMs = 1_900_000_000_000
  const of = (reset: string, remaining = '0') =>
    untilResetMs(new Headers({ 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset }), nowMs)
  assert.deepEqual([of('1900000005'), of('1900000005000'), of('5')], [5_000, 5_000, 5_000])
  assert.deepEqual([of('1800000000'), of('5', '1'), of('x')], [0, 0, 0])
})
