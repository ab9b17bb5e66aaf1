import assert from 'node:assert/strict'
import { hash as digest } from 'node:crypto'
import { describe, it } from 'node:test'
import { call } from '../../../tests/support/call.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'
import { boardPage } from '../../src/http/public/boardPage.ts'
import type { PublicBoard } from '../../src/leaderboards/index.ts'

let open: ManagedRealm
let shut: ManagedRealm
const made = suite({}, async (suited) => {
  shut = await managed(suited, { point: { id: 'gold', name: 'Gold' } })
  open = await managed(suited, { name: '<b>Guild</b>', point: { id: 'gold', name: 'Gold' } })
  const logo = 'https://example.com/a.png'
  await open.send('PATCH ', { publicBoard: true, logo, colours: { primary: '#0a7d55' } })
  const names = { 1: 'ada', 2: '<script>alert(1)</script>', 3: 'hidden one' }
  for (const [id, displayName] of Object.entries(names)) {
    await open.send(`PUT /members/${id}`, { displayName, hidden: id === '3' })
    await open.send(`PATCH /members/${id}/tokenBalance`, { tokens: 1000 * Number(id) })
  }
})
const read = (path: string) => call('GET', `${made.app.url}/boards/${path}`)
const settled = () => new Promise((resolve) => setTimeout(resolve, 1_000))

describe('200', () => {
  it('a public board shows names, ranks and scores, but no id and no wallet', async () => {
    await settled()
    const { status, json, headers, text } = await read(`${open.id}/leaderboard`)
    assert.equal(status, 200, text)
    assert.deepEqual(json.members, [
      { rank: 1, name: '<script>alert(1)</script>', tokens: 2000 },
      { rank: 2, name: 'ada', tokens: 1000 },
    ])
    assert.deepEqual(json.point, { id: 'gold', name: 'Gold', emoji: null })
    assert.equal(json.realm.name, '<b>Guild</b>')
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.equal(headers['cache-control'], 'public, max-age=5')
  })

  it('its page shows members’ names as text, and runs no script from them', async () => {
    const { status, text, headers } = await read(`${open.id}?period=week`)
    assert.equal(status, 200)
    assert.match(text, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/)
    assert.match(text, /<h1>&lt;b&gt;Guild&lt;\/b&gt;<\/h1>/)
    assert.match(text, /--accent: #0a7d55/)
    assert.deepEqual(text.match(/<script.*/g), [
      '<script src="../board.js" defer></script></head><body><main>',
    ])
    assert.doesNotMatch(text, /hidden one/)
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(text) ?? []
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /default-src 'none'; script-src 'self'; connect-src 'self';/)
    assert.ok(policy.includes(`'sha256-${digest('sha256', style, 'base64')}'`), policy)
  })

  it('an invalid colour never gets into its style, however it was stored', () => {
    const config = {
      name: 'x',
      logo: null,
      colours: '{"primary":"red}</style><b>"}',
      defaultPoint: { id: 'g' },
    }
    const top = { members: [], total: 0, period: { name: 'all' } }
    const board = { realm: { config }, point: { id: 'g', name: 'Gold' }, top } as unknown as PublicBoard
    assert.match(boardPage(board, false).style, /--accent: #2f6fde;/)
  })

  it('the element is a module that any page may load, below 15 kB', async () => {
    const { status, text, headers } = await call('GET', `${made.app.url}/leaderboard.js`)
    assert.equal(status, 200)
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.ok(text.length < 15_000, String(text.length))
    assert.match(text, /customElements\.define\('exchequer-leaderboard'/)
  })
})

describe('400', () => {
  it('an unknown period', async () => {
    assertInvalid(await read(`${open.id}/leaderboard?period=range`), 'query:period')
  })
})

describe('404', () => {
  it('a realm without a public board is answered like an unknown one, byte for byte', async () => {
    const answers = [await read(shut.id), await read('unknown'), await read(`${shut.id}/leaderboard`)]
    const bodies = answers.map(({ json }) => JSON.stringify({ ...json, requestId: '' }))
    for (const answer of answers) {
      assertProblem(answer, 404, 'route_not_found')
      assert.equal(answer.headers['access-control-allow-origin'], '*')
    }
    assert.equal(new Set(bodies).size, 1)
  })

  it('an unknown or archived point type', async () => {
    await open.send('POST /points', { id: 'old' })
    await open.send('PATCH /points/old', { archived: true })
    for (const point of ['none', 'old'])
      assertProblem(await read(`${open.id}/leaderboard?realmPointId=${point}`), 404, 'route_not_found')
  })
})
