import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Document, Operation } from '../../../tests/security/fuzz/document.ts'
import { byLength, type Draft, type Secrets } from '../../../tests/security/fuzz/draft.ts'
import { Effects } from '../../../tests/security/fuzz/effects.ts'
import { makeJudge } from '../../../tests/security/fuzz/judge.ts'
import { realms } from '../../../tests/security/fuzz/world.ts'

const secrets: Secrets = {
  own: `exq_${'o'.repeat(36)}`,
  other: `exq_${'t'.repeat(36)}`,
  operator: `exq_${'p'.repeat(36)}`,
  canary: `exq_${'c'.repeat(36)}`,
  revoked: `exq_${'r'.repeat(36)}`,
}
const document: Document = { paths: {}, components: { schemas: { Problem: {} } } }
const amber = `/api/v4/realms/${realms.amber.id}`
const beryl = `/api/v4/realms/${realms.beryl.id}`

type Sketch = { readonly line: string; readonly key?: keyof Secrets; readonly body?: string }

function draftOf({ line, key, body }: Sketch): Draft {
  const [method = '', path = ''] = line.split(' ')
  return {
    operation: {} as Operation,
    method,
    path,
    query: '',
    version: 'HTTP/1.1',
    headers: key ? [['Authorization', `Bearer <<${key}>>`]] : [],
    body,
    frame: byLength,
    times: 1,
    broken: false,
    twists: [],
  }
}

const answerOf = (status: number, body: object) => ({
  status,
  headers: { 'x-request-id': '1', 'content-type': 'application/json' },
  text: JSON.stringify(body),
})

/** A run of requests whose responses are judged, with its own clock. */
function scene() {
  let nowMs = 1_000
  const effects = new Effects(() => nowMs)
  const judge = makeJudge(document, { secrets, effects })
  return {
    pass: (ms: number) => {
      nowMs += ms
    },
    send: (sketch: Sketch) => effects.send(draftOf(sketch)),
    /** What is wrong with the response to a request sent now. */
    ask: (sketch: Sketch, status: number, body: object): string[] => {
      const draft = draftOf(sketch)
      const sent = effects.send(draft)
      const answer = answerOf(status, body)
      sent.heard([answer])
      return judge(draft, { answer, sentAtMs: sent.sentAtMs })
    },
  }
}

const pointOfKey: Sketch = { line: `POST ${amber}/points`, key: 'own', body: '{"id":"<<canary>>"}' }
const shown = { supply: [{ realmPointId: secrets.canary }] }
const keyLeaks = ['secret: the response 200 contains the key canary']

describe('a key in a response', () => {
  it('is reported where no request has stored it', () => {
    const { ask } = scene()
    assert.deepEqual(ask({ line: `GET ${amber}/statistics`, key: 'own' }, 200, shown), keyLeaks)
    assert.deepEqual(ask({ line: `GET ${amber}/points`, key: 'own' }, 200, shown), keyLeaks)
    assert.deepEqual(ask({ line: 'GET /operator/v1/audit', key: 'operator' }, 200, shown), keyLeaks)
  })

  it('is reported where storing it was rejected', () => {
    const { ask } = scene()
    ask(pointOfKey, 400, {})
    assert.deepEqual(ask({ line: `GET ${amber}/points`, key: 'own' }, 200, shown), keyLeaks)
  })

  it('is reported in another realm than the one it was stored in', () => {
    const { ask } = scene()
    ask(pointOfKey, 200, {})
    assert.deepEqual(ask({ line: `GET ${beryl}/points`, key: 'other' }, 200, shown), keyLeaks)
  })

  it('is reported where the API does not show the stored field', () => {
    const { ask } = scene()
    ask({ line: `PUT ${amber}/members/5`, key: 'own', body: '{"username":"<<canary>>"}' }, 200, {})
    assert.deepEqual(ask({ line: `GET ${amber}/statistics`, key: 'own' }, 200, shown), keyLeaks)
    assert.deepEqual(ask({ line: `GET ${amber}/members`, key: 'own' }, 200, shown), [])
  })

  it('is reported on a board and on a link’s page, except in names of that realm', () => {
    const { ask } = scene()
    ask({ line: 'PATCH /api/v4/realms/yard', key: 'own', body: '{"name":"<<canary>>"}' }, 200, {})
    assert.deepEqual(ask({ line: 'GET /boards/yard/leaderboard' }, 200, shown), [])
    assert.deepEqual(ask({ line: 'GET /link/abc/details' }, 200, shown), [])
    assert.deepEqual(ask({ line: `GET /boards/${realms.beryl.id}/leaderboard` }, 200, shown), keyLeaks)
    assert.deepEqual(ask({ line: 'GET /link/abc' }, 200, shown), keyLeaks)
    assert.deepEqual(ask({ line: 'GET /console/session' }, 200, shown)[1], keyLeaks[0])
  })

  it('is reported on a link’s page as the name of a point type, and not as that of a member', () => {
    const { ask } = scene()
    const yard = '/api/v4/realms/yard'
    ask({ line: `POST ${yard}/points`, key: 'own', body: '{"id":"<<canary>>"}' }, 200, {})
    assert.deepEqual(ask({ line: 'GET /link/abc/details' }, 200, shown), keyLeaks)
    ask({ line: `PUT ${yard}/members/5`, key: 'own', body: '{"username":"<<canary>>"}' }, 200, {})
    assert.deepEqual(ask({ line: 'GET /link/abc/details' }, 200, shown), [])
  })

  it('is reported in every error response, and when it is a key used for requests', () => {
    const { ask } = scene()
    ask(pointOfKey, 200, {})
    const [refused] = ask({ line: `GET ${amber}/points`, key: 'own' }, 404, shown)
    assert.equal(refused, 'secret: the response 404 contains the key canary')
    const [own] = ask({ line: `GET ${amber}/points`, key: 'own' }, 200, { id: secrets.own })
    assert.equal(own, 'secret: the response 200 contains the key own')
  })

  it('is accepted in the realm it was stored in, before and after the response to that', () => {
    const { ask, send } = scene()
    const sent = send(pointOfKey)
    assert.deepEqual(ask({ line: `GET ${amber}/statistics`, key: 'own' }, 200, shown), [])
    sent.heard([answerOf(200, {})])
    assert.deepEqual(ask({ line: `GET ${amber}/statistics`, key: 'own' }, 200, shown), [])
  })
})

const board: Sketch = { line: `GET /boards/${realms.amber.id}/leaderboard` }
const standings = { members: [{ name: realms.amber.names[0], tokens: realms.amber.vault.points }] }
const hasRealmLeak = (wrong: readonly string[]): boolean =>
  wrong.some((words) => words.startsWith('realm: revealed'))
const setBoard = (isPublic: boolean): [Sketch, number, object] => [
  { line: `PATCH ${amber}`, key: 'own', body: JSON.stringify({ publicBoard: isPublic }) },
  200,
  { publicBoard: isPublic },
]

describe('a board that anyone may read', () => {
  it('is reported when no request has opened it', () => {
    const { ask } = scene()
    assert.ok(hasRealmLeak(ask(board, 200, standings)))
    ask({ ...setBoard(true)[0], key: 'other' }, 403, {})
    assert.ok(hasRealmLeak(ask(board, 200, standings)))
  })

  it('is accepted once it was opened, except for wallets and member ids', () => {
    const { ask } = scene()
    ask(...setBoard(true))
    assert.deepEqual(ask(board, 200, standings), [])
    assert.ok(hasRealmLeak(ask(board, 200, { wallet: realms.amber.wallet })))
    assert.ok(hasRealmLeak(ask(board, 200, { id: realms.amber.vault.id })))
    assert.ok(hasRealmLeak(ask(board, 200, { name: realms.beryl.names[0] })))
    assert.ok(hasRealmLeak(ask({ line: `GET ${beryl}/members`, key: 'other' }, 200, standings)))
    assert.ok(hasRealmLeak(ask({ line: `GET /boards/${realms.beryl.id}` }, 200, standings)))
  })

  it('is reported when it was closed for longer than the server caches a board', () => {
    const { ask, pass } = scene()
    ask(...setBoard(true))
    pass(10)
    ask(...setBoard(false))
    assert.deepEqual(ask(board, 200, standings), [])
    pass(30_000)
    assert.ok(hasRealmLeak(ask(board, 200, standings)))
  })

  it('is accepted when requests to open and to close it were in flight together', () => {
    const { ask, pass, send } = scene()
    const opening = send(setBoard(true)[0])
    pass(5)
    ask(...setBoard(false))
    opening.heard([answerOf(200, { publicBoard: true })])
    pass(60_000)
    assert.deepEqual(ask(board, 200, standings), [])
    const closing = send(setBoard(false)[0])
    pass(5)
    ask(...setBoard(true))
    closing.heard([answerOf(200, { publicBoard: false })])
    pass(60_000)
    assert.deepEqual(ask(board, 200, standings), [])
  })
})

describe('the id of another realm', () => {
  const list: Sketch = { line: `GET ${amber}/web3/collections`, key: 'own' }
  const collections = { collections: [{ id: realms.beryl.id }] }

  it('is accepted where a request has created something with that id, and reported elsewhere', () => {
    const { ask } = scene()
    assert.ok(hasRealmLeak(ask(list, 200, collections)))
    const making = { line: `PUT ${amber}/web3/collections/${realms.beryl.id}`, key: 'own' } as const
    ask(making, 400, {})
    assert.ok(hasRealmLeak(ask(list, 200, collections)))
    ask(making, 200, {})
    assert.deepEqual(ask(list, 200, collections), [])
    assert.ok(hasRealmLeak(ask(list, 200, { name: realms.beryl.names[0] })))
    assert.ok(hasRealmLeak(ask({ line: 'GET /boards/yard' }, 200, collections)))
  })
})

describe('a field that is shown once', () => {
  const key = { anyOf: [{ type: 'string' }, { type: 'null' }] }
  const answer = { type: 'object', properties: { key, name: { type: 'string' } } }
  const path = '/operator/v1/tokens'
  const operation = { method: 'POST', path, answers: { 201: answer } } as unknown as Operation
  const judge = makeJudge({ ...document, paths: { [path]: {} } }, { secrets, effects: new Effects() })
  const weigh = (body: object, headers: Readonly<Record<string, string>> = {}): string[] => {
    const draft = { ...draftOf({ line: `POST ${path}`, key: 'operator', body: '{}' }), operation }
    const response = answerOf(201, body)
    return judge(draft, {
      answer: { ...response, headers: { ...response.headers, ...headers } },
      sentAtMs: 0,
    })
  }
  const replayed = { 'idempotent-replayed': 'true' }

  it('is null only in a replay', () => {
    assert.deepEqual(weigh({ key: null, name: 'a' }, replayed), [])
    assert.match(weigh({ key: null, name: 'a' })[0] ?? '', /^shape: not as documented/)
    assert.match(weigh({ key: 'k', name: null }, replayed)[0] ?? '', /^shape: not as documented/)
  })
})
