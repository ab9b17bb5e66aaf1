#!/usr/bin/env node
// Checks the v4 endpoints of a running server from outside, over HTTP only. Node 20 or newer, no dependencies.
// `npm run acceptance` prepares a server and runs it; by itself it is for any server that speaks v4:
//
//   node v4.mjs FIXTURE.json [section ...]      sections: auth members web3 includes points transfers open retries errors edges
//
// FIXTURE.json names what the caller has prepared, on a server with rate limits set high enough for 2,000 requests:
//   { "baseUrl": "http://127.0.0.1:8080",
//     "realm": { "id": "…", "key": "…", "pointId": "…",        the default kind of points
//                "secondPointId": "…" },                       a second kind, whose id sorts before the default's
//     "other": { "id": "…", "key": "…" },                      a second realm; its key is valid there
//     "open": { "id": "…", "key": "…", "pointId": "…" },       a third, empty, with unknownMembers "create"
//     "wallets": { "evm": "0x…", "solana": "…" } }             in EIP-55 form, linked to RICH; linked to POOR
// Members of the realm: RICH with 100000 points, POOR with 5, EMPTY with none. Prepare them afresh for each run.
import { readFileSync } from 'node:fs'
import http from 'node:http'
import assert from 'node:assert/strict'

const RICH = '1190194345295482952' // JSON.parse rounds this to POOR: a lossy server credits the wrong member
const POOR = '1190194345295483000'
const EMPTY = '9223372036854775807'
const NOBODY = '77'

const fixture = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const wanted = process.argv.slice(3)
const base = new URL(fixture.baseUrl)
const { realm, other, open, wallets } = fixture
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })

function call(method, path, { key = realm.key, auth, body, raw, patient, untyped, headers = {} } = {}) {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const authorization = auth !== undefined ? auth : key === null ? undefined : `Bearer ${key}`
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        host: base.hostname, port: base.port, method, agent, timeout: 20_000,
        path: base.pathname.replace(/\/$/, '') + '/api/v4' + path,
        headers: {
          ...(authorization === undefined ? {} : { authorization }),
          ...(payload === undefined || untyped ? {} : { 'content-type': 'application/json' }),
          ...(payload === undefined || headers['transfer-encoding'] ? {} : { 'content-length': Buffer.byteLength(payload) }),
          ...headers,
        },
      },
      (response) => {
        const chunks = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          let json
          try { json = JSON.parse(text) } catch { json = undefined }
          if (patient) request.destroy()
          if (!response.headers['x-request-id']) return reject(new Error(`no X-Request-Id on ${method} ${path}`))
          resolve({ status: response.statusCode, headers: response.headers, text, json })
        })
      },
    )
    request.on('timeout', () => request.destroy(new Error(`no answer to ${method} ${path}`)))
    request.on('error', reject)
    if (!patient) return void request.end(payload)
    // A server may refuse by Content-Length and close while we still write: EPIPE would hide its answer.
    request.flushHeaders()
    const timer = setTimeout(() => request.end(payload), 1000)
    request.on('response', () => clearTimeout(timer))
  })
}

const member = (id) => `/realms/${realm.id}/members/${id}`
const web3 = (id) => `/realms/${realm.id}/web3/members/${id}`
const adjust = (id, tokens, extra = {}) => call('PATCH', `${member(id)}/tokenBalance`, { raw: `{"tokens":${tokens}}`, ...extra })
const give = (from, to, tokens, extra = {}) =>
  call('PATCH', `${member(from)}/transfer`, { raw: `{"recipientId":${to},"tokens":${tokens}}`, ...extra })
const balance = async (id) => {
  const { status, json } = await call('GET', member(id))
  assert.equal(status, 200)
  return json.tokenBalance
}
const problem = (answer, status, code) => {
  assert.equal(answer.status, status, `expected ${status} ${code}, got ${answer.status} ${answer.text.slice(0, 200)}`)
  assert.match(answer.headers['content-type'] ?? '', /^application\/problem\+json/)
  assert.equal(answer.json?.code, code)
  assert.equal(answer.json.status, status)
  assert.equal(typeof answer.json.message, 'string')
  assert.equal(typeof answer.json.title, 'string')
  assert.equal(typeof answer.json.detail, 'string')
  assert.equal(answer.json.type, `/problems/${code.replaceAll('_', '-')}`)
  if (answer.headers['idempotent-replayed'] === undefined) assert.equal(answer.json.requestId, answer.headers['x-request-id'])
  if (status === 401) assert.match(answer.headers['www-authenticate'] ?? '', /^Bearer/i)
  if (status === 400) assert.equal(typeof answer.json.errors?.[0]?.pointer, 'string')
  if ([409, 429, 503].includes(status)) assert.ok(answer.headers['retry-after'])
  assert.doesNotMatch(answer.text, /\bat .*(\.[cm]?[jt]s|node:\S+):\d+|select .* from|insert into|postgres/i)
}

const sections = {
  auth: {
    'no Authorization header is 401': async () => problem(await call('GET', member(RICH), { key: null }), 401, 'unauthorized'),
    '401 names the scheme': async () => assert.match((await call('GET', member(RICH), { key: null })).headers['www-authenticate'] ?? '', /^Bearer/i),
    'a made-up key is 401': async () => problem(await call('GET', member(RICH), { key: 'made-up' }), 401, 'unauthorized'),
    'a key with one character changed is 401': async () => {
      const last = realm.key.at(-1) === 'a' ? 'b' : 'a'
      problem(await call('GET', member(RICH), { key: realm.key.slice(0, -1) + last }), 401, 'unauthorized')
    },
    'an empty, doubled or foreign scheme is 401': async () => {
      for (const auth of ['', 'Bearer', 'Bearer ', `Basic ${realm.key}`, `Bearer ${realm.key} ${realm.key}`])
        problem(await call('GET', member(RICH), { auth }), 401, 'unauthorized')
    },
    'the Bearer scheme works in any case, and so does the bare key': async () => {
      for (const auth of [`Bearer ${realm.key}`, `bearer ${realm.key}`, `BEARER ${realm.key}`, realm.key])
        assert.equal((await call('GET', member(RICH), { auth })).status, 200)
    },
    'another realm’s key is 403 on every endpoint': async () => {
      const key = other.key
      problem(await call('GET', member(RICH), { key }), 403, 'forbidden')
      problem(await call('GET', web3(RICH), { key }), 403, 'forbidden')
      problem(await call('GET', member('includes'), { key, body: { wallets: [wallets.evm] } }), 403, 'forbidden')
      problem(await adjust(RICH, 5, { key }), 403, 'forbidden')
      problem(await give(RICH, POOR, 5, { key }), 403, 'forbidden')
    },
    'a realm that does not exist is 403, not 404': async () =>
      problem(await call('GET', `/realms/ffffffffffffffffffffffff/members/${RICH}`), 403, 'forbidden'),
    'a wrong key comes before a bad body': async () => problem(await adjust(RICH, 'x', { key: 'made-up' }), 401, 'unauthorized'),
    'a wrong realm comes before a bad body': async () => problem(await adjust(RICH, '"x"', { key: other.key }), 403, 'forbidden'),
  },

  members: {
    'a member reads with exact id and default point first': async () => {
      const { status, json, headers } = await call('GET', member(RICH))
      assert.equal(status, 200)
      assert.match(headers['content-type'], /^application\/json/)
      assert.ok(headers['x-request-id'])
      assert.equal(json.id, RICH)
      assert.equal(json.realmId, realm.id)
      assert.deepEqual(Object.keys(json.balances), [realm.pointId, realm.secondPointId])
      assert.equal(json.balances[realm.pointId], json.tokenBalance)
      assert.equal(typeof json.tokenBalance, 'number')
      for (const field of ['username', 'displayName', 'joinedAt', 'updatedAt']) assert.ok(field in json, field)
    },
    'a member without a movement has 0': async () => {
      const { json } = await call('GET', member(EMPTY))
      assert.equal(json.id, EMPTY)
      assert.equal(json.tokenBalance, 0)
      assert.equal(json.balances[realm.pointId], 0)
    },
    'an unknown member is 404': async () => problem(await call('GET', member(NOBODY)), 404, 'member_not_found'),
    'what is no member id is 400': async () => {
      for (const id of ['0', '-1', '1.5', '1e3', 'abc', '007', '%2B7', '9223372036854775808', '99999999999999999999999'])
        problem(await call('GET', member(id)), 400, 'invalid_request')
    },
  },

  web3: {
    'linked wallets are listed': async () => {
      const { status, json } = await call('GET', web3(RICH))
      assert.equal(status, 200)
      assert.equal(json.id, RICH)
      const found = json.wallets.find((wallet) => wallet.address.toLowerCase() === wallets.evm.toLowerCase())
      assert.ok(found, 'the EVM wallet')
      assert.match(found.chain, /^eip155/)
      assert.equal(typeof found.verified, 'boolean')
      assert.equal(found.address, wallets.evm, 'EIP-55 form')
      assert.equal(json.realmId, realm.id)
      for (const field of ['verifiedAt', 'linkedAt']) assert.ok(field in found, field)
      const poor = await call('GET', web3(POOR))
      assert.ok(poor.json.wallets.some((wallet) => wallet.address === wallets.solana && /^solana/.test(wallet.chain)))
    },
    'a member without wallets has an empty list': async () => assert.deepEqual((await call('GET', web3(EMPTY))).json.wallets, []),
    'an unknown member is 404': async () => problem(await call('GET', web3(NOBODY)), 404, 'member_not_found'),
  },

  includes: {
    'a GET with a body answers in order, keeping duplicates': async () => {
      const sent = [wallets.solana, '0x0000000000000000000000000000000000000001', wallets.evm, wallets.evm.toLowerCase(), 'no such format', wallets.solana]
      const { status, json } = await call('GET', member('includes'), { body: { wallets: sent } })
      assert.equal(status, 200)
      assert.deepEqual(json.wallets, [
        { wallet: sent[0], included: true, memberId: POOR },
        { wallet: sent[1], included: false, memberId: null },
        { wallet: sent[2], included: true, memberId: RICH },
        { wallet: sent[3], included: true, memberId: RICH },
        { wallet: sent[4], included: false, memberId: null },
        { wallet: sent[5], included: true, memberId: POOR },
      ])
      assert.equal(json.includes, false)
      const all = await call('GET', member('includes'), { body: { wallets: [wallets.evm, wallets.solana] } })
      assert.equal(all.json.includes, true)
    },
    'the case of a base58 address matters': async () => {
      const { json } = await call('GET', member('includes'), { body: { wallets: [wallets.solana.toLowerCase()] } })
      assert.equal(json.includes, false)
    },
    'query string, QUERY and POST answer the same': async () => {
      const body = { wallets: [wallets.evm, 'nobody', wallets.solana] }
      const first = (await call('GET', member('includes'), { body })).json
      const doors = [
        await call('POST', member('includes'), { body }),
        await call('QUERY', member('includes'), { body }),
        await call('GET', `${member('includes')}?wallets=${body.wallets.join(',')}`),
        await call('GET', `${member('includes')}?${body.wallets.map((wallet) => `wallets=${wallet}`).join('&')}`),
      ]
      for (const door of doors) {
        assert.equal(door.status, 200)
        assert.deepEqual(door.json, first)
      }
    },
    'no list, no answer': async () => {
      problem(await call('GET', member('includes')), 400, 'invalid_request')
      for (const body of [{}, { wallets: [] }, { wallets: 'x' }, { wallets: [1] }, { wallets: [''] }, { wallets: ['x'.repeat(129)] }, { wallets: null }, []])
        problem(await call('GET', member('includes'), { body }), 400, 'invalid_request')
      problem(await call('GET', member('includes'), { body: { wallets: Array(1001).fill('x') } }), 400, 'invalid_request')
    },
    'a thousand wallets are one request': async () => {
      const sent = Array.from({ length: 999 }, (_, index) => '0x' + index.toString(16).padStart(40, 'a')).concat(wallets.evm)
      const { status, json } = await call('GET', member('includes'), { body: { wallets: sent } })
      assert.equal(status, 200)
      assert.equal(json.wallets.length, 1000)
      assert.equal(json.wallets.filter((entry) => entry.included).length, 1)
    },
  },

  points: {
    'points are added and subtracted': async () => {
      const before = await balance(RICH)
      const added = await adjust(RICH, 25)
      assert.equal(added.status, 200)
      assert.equal(added.json.newBalance, before + 25)
      assert.ok(added.json.transactionId)
      assert.equal((await adjust(RICH, -25)).json.newBalance, before)
      assert.equal(await balance(RICH), before)
    },
    'the default point can be named, an unknown one is 404': async () => {
      const before = await balance(RICH)
      const named = await call('PATCH', `${member(RICH)}/tokenBalance`, { body: { tokens: 1, realmPointId: realm.pointId } })
      assert.equal(named.json.newBalance, before + 1)
      problem(await call('PATCH', `${member(RICH)}/tokenBalance`, { body: { tokens: 1, realmPointId: 'ffffffffffffffffffffffff' } }), 404, 'point_not_found')
    },
    'kinds of points are apart': async () => {
      const before = await balance(RICH)
      const second = (tokens) => call('PATCH', `${member(RICH)}/tokenBalance`, { body: { tokens, realmPointId: realm.secondPointId } })
      const added = await second(30)
      assert.equal(added.status, 200)
      assert.equal((await second(-10)).json.newBalance, added.json.newBalance - 10)
      const { json } = await call('GET', member(RICH))
      assert.equal(json.tokenBalance, before)
      assert.equal(json.balances[realm.secondPointId], added.json.newBalance - 10)
      problem(await second(-(added.json.newBalance - 9)), 422, 'insufficient_points')
    },
    'an optional field that is null is absent': async () => {
      const answer = await call('PATCH', `${member(RICH)}/tokenBalance`, { body: { tokens: 1, realmPointId: null, reason: null } })
      assert.equal(answer.status, 200)
    },
    'unknown fields are ignored': async () => {
      const answer = await call('PATCH', `${member(RICH)}/tokenBalance`, { raw: '{"tokens":1,"recipientId":"x","amount":7,"__proto__x":1}' })
      assert.equal(answer.status, 200)
    },
    'a balance never goes below zero': async () => {
      const before = await balance(POOR)
      problem(await adjust(POOR, -(before + 1)), 422, 'insufficient_points')
      assert.equal(await balance(POOR), before)
    },
    'a balance never passes its bound': async () => {
      const before = await balance(RICH)
      problem(await adjust(RICH, '9007199254740991'), 422, 'balance_limit')
      assert.equal(await balance(RICH), before)
    },
    'what is no amount is 400 and changes nothing': async () => {
      const before = await balance(RICH)
      for (const tokens of ['0', '-0', '0.0', '1.5', '1e-1', '"5"', 'null', 'true', '[]', '{}', '9007199254740992', '-9007199254740992', '1e400', '123456789012345678901234567890'])
        problem(await adjust(RICH, tokens), 400, 'invalid_request')
      for (const raw of ['{}', '[]', '5', '"x"', 'null', '', '{"tokens":5', '{"tokens":5}x', '\u0000'])
        problem(await call('PATCH', `${member(RICH)}/tokenBalance`, { raw }), 400, 'invalid_request')
      assert.equal(await balance(RICH), before)
    },
    'a whole number may be written with a point or an exponent': async () => {
      const before = await balance(RICH)
      assert.equal((await adjust(RICH, '5.0')).json.newBalance, before + 5)
      assert.equal((await adjust(RICH, '-0.5e1')).json.newBalance, before)
      assert.equal((await give(RICH, '9223372036854775807.0', '1e0')).status, 200)
    },
    'an unknown query parameter on a write is 400': async () => {
      const before = await balance(RICH)
      problem(await call('PATCH', `${member(RICH)}/tokenBalance?dryrun=true`, { body: { tokens: 1 } }), 400, 'invalid_request')
      assert.equal(await balance(RICH), before)
      assert.equal((await call('GET', `${member(RICH)}?utm=1`)).status, 200)
    },
    'details are taken, within their bounds': async () => {
      const send = (extra) => call('PATCH', `${member(RICH)}/tokenBalance`, { body: { tokens: 1, ...extra } })
      assert.equal((await send({ reason: 'r'.repeat(500), reference: 'o'.repeat(255), metadata: { a: [1, { b: 'é' }] }, actorId: RICH })).status, 200)
      for (const extra of [{ reference: 'o'.repeat(256) }, { reference: 5 }, { metadata: [] }, { metadata: { a: 'x'.repeat(2048) } }, { actorId: 'x' }, { actorId: 0 }])
        problem(await send(extra), 400, 'invalid_request')
    },
    'an unknown member is 404': async () => problem(await adjust(NOBODY, 5), 404, 'member_not_found'),
    'no update is lost among 200 at once': async () => {
      const before = await balance(RICH)
      const answers = await Promise.all(Array.from({ length: 200 }, () => adjust(RICH, 1)))
      assert.ok(answers.every((answer) => answer.status === 200))
      assert.equal(new Set(answers.map((answer) => answer.json.transactionId)).size, 200)
      assert.equal(new Set(answers.map((answer) => answer.json.newBalance)).size, 200, 'each sees its own balance')
      assert.equal(await balance(RICH), before + 200)
    },
    'of 100 subtractions at once only those covered succeed': async () => {
      const before = await balance(POOR)
      const answers = await Promise.all(Array.from({ length: 100 }, () => adjust(POOR, -1)))
      assert.equal(answers.filter((answer) => answer.status === 200).length, Math.min(before, 100))
      assert.equal(answers.filter((answer) => answer.json.code === 'insufficient_points').length, 100 - Math.min(before, 100))
      assert.equal(await balance(POOR), Math.max(before - 100, 0))
      await adjust(POOR, 5)
    },
  },

  transfers: {
    'a transfer moves points and answers Ok': async () => {
      const [rich, empty] = [await balance(RICH), await balance(EMPTY)]
      const answer = await give(RICH, EMPTY, 40)
      assert.equal(answer.status, 200)
      assert.equal(answer.json.message, 'Ok')
      assert.equal(answer.json.newBalance, rich - 40)
      assert.equal(answer.json.recipientBalance, empty + 40)
      assert.deepEqual([await balance(RICH), await balance(EMPTY)], [rich - 40, empty + 40])
    },
    'a recipient above 2^53 is exact, as a number and as a string': async () => {
      const poor = await balance(POOR)
      const rich = await balance(RICH)
      assert.equal((await give(EMPTY, RICH, 1)).status, 200)
      assert.equal((await give(EMPTY, `"${RICH}"`, 1)).status, 200)
      assert.equal(await balance(RICH), rich + 2)
      assert.equal(await balance(POOR), poor)
    },
    'too few points: nothing moves': async () => {
      const [rich, poor] = [await balance(RICH), await balance(POOR)]
      problem(await give(POOR, RICH, poor + 1), 422, 'insufficient_points')
      assert.deepEqual([await balance(RICH), await balance(POOR)], [rich, poor])
    },
    'to oneself is 422, to nobody 404, from nobody 404': async () => {
      problem(await give(RICH, RICH, 1), 422, 'same_member')
      problem(await give(RICH, NOBODY, 1), 404, 'recipient_not_found')
      problem(await give(NOBODY, RICH, 1), 404, 'member_not_found')
    },
    'what is no transfer is 400': async () => {
      for (const tokens of ['0', '-5', '1.5', '"5"', 'null']) problem(await give(RICH, POOR, tokens), 400, 'invalid_request')
      for (const to of ['0', '-1', '1.5', '"x"', 'null', '"007"', '9223372036854775808', '{}']) problem(await give(RICH, to, 1), 400, 'invalid_request')
      problem(await call('PATCH', `${member(RICH)}/transfer`, { body: { tokens: 5 } }), 400, 'invalid_request')
    },
    'transfers both ways at once conserve the total and none hangs': async () => {
      await adjust(EMPTY, 1000)
      const total = (await balance(RICH)) + (await balance(EMPTY))
      const answers = await Promise.all(
        Array.from({ length: 300 }, (_, index) => (index % 2 ? give(RICH, EMPTY, 1 + (index % 7)) : give(EMPTY, RICH, 1 + (index % 5)))),
      )
      assert.ok(answers.every((answer) => answer.status === 200))
      assert.equal((await balance(RICH)) + (await balance(EMPTY)), total)
    },
  },

  open: {
    'in an open realm every id is a member with zeros, and a read writes nothing': async () => {
      const at = (id) => call('GET', `/realms/${open.id}/members/${id}`, { key: open.key })
      const { status, json } = await at(RICH)
      assert.equal(status, 200)
      assert.equal(json.id, RICH)
      assert.deepEqual(json.balances, { [open.pointId]: 0 })
      assert.deepEqual((await call('GET', `/realms/${open.id}/web3/members/${RICH}`, { key: open.key })).json.wallets, [])
      problem(await call('GET', `/realms/${open.id}/members/0`, { key: open.key }), 400, 'invalid_request')
    },
    'a first credit makes the member, a transfer its recipient, a debit nobody': async () => {
      const patch = (path, raw) => call('PATCH', `/realms/${open.id}/members/${path}`, { key: open.key, raw })
      problem(await patch(`${POOR}/tokenBalance`, '{"tokens":-1}'), 422, 'insufficient_points')
      problem(await patch(`${POOR}/transfer`, `{"tokens":1,"recipientId":${RICH}}`), 422, 'insufficient_points')
      const answers = await Promise.all(Array.from({ length: 50 }, () => patch(`${RICH}/tokenBalance`, '{"tokens":2}')))
      assert.ok(answers.every((answer) => answer.status === 200), 'fifty first credits at once')
      assert.equal((await patch(`${RICH}/transfer`, `{"tokens":30,"recipientId":${EMPTY}}`)).json.recipientBalance, 30)
      assert.equal((await call('GET', `/realms/${open.id}/members/${RICH}`, { key: open.key })).json.tokenBalance, 70)
    },
  },

  retries: {
    'the same key and request is one change, answered twice': async () => {
      const headers = { 'idempotency-key': `once-${Date.now()}` }
      const before = await balance(RICH)
      const first = await adjust(RICH, 10, { headers })
      const second = await adjust(RICH, 10, { headers })
      assert.equal(first.status, 200)
      assert.equal(first.headers['idempotent-replayed'], undefined)
      assert.equal(second.headers['idempotent-replayed'], 'true')
      assert.deepEqual(second.json, first.json)
      assert.equal(await balance(RICH), before + 10)
    },
    'the first answer stays the answer after later changes': async () => {
      const headers = { 'idempotency-key': `old-${Date.now()}` }
      const first = await adjust(RICH, 10, { headers })
      await adjust(RICH, 99)
      assert.deepEqual((await adjust(RICH, 10, { headers })).json, first.json)
    },
    'the same key with another request is 422': async () => {
      const headers = { 'idempotency-key': `reused-${Date.now()}` }
      await adjust(RICH, 10, { headers })
      const before = await balance(RICH)
      problem(await adjust(RICH, 11, { headers }), 422, 'idempotency_key_reused')
      problem(await adjust(POOR, 10, { headers }), 422, 'idempotency_key_reused')
      problem(await give(RICH, POOR, 10, { headers }), 422, 'idempotency_key_reused')
      assert.equal(await balance(RICH), before)
    },
    'a refusal is remembered': async () => {
      const headers = { 'idempotency-key': `refused-${Date.now()}` }
      const before = await balance(POOR)
      problem(await adjust(POOR, -(before + 3), { headers }), 422, 'insufficient_points')
      await adjust(POOR, 10)
      problem(await adjust(POOR, -(before + 3), { headers }), 422, 'insufficient_points')
      assert.equal(await balance(POOR), before + 10)
      await adjust(POOR, -10)
    },
    'the same meaning in other words is the same request': async () => {
      const headers = { 'idempotency-key': `words-${Date.now()}` }
      const first = await give(RICH, POOR, 1, { headers })
      const send = (raw) => call('PATCH', `${member(RICH)}/transfer`, { raw, headers })
      for (const raw of [`{ "tokens": 1, "recipientId": "${POOR}" }`, `{"recipientId":${POOR},"tokens":1,"realmPointId":"${realm.pointId}","other":2}`])
        assert.deepEqual((await send(raw)).json, first.json)
      problem(await send(`{"recipientId":${POOR},"tokens":1,"reason":"another"}`), 422, 'idempotency_key_reused')
    },
    'a transfer is replayed too': async () => {
      const headers = { 'idempotency-key': `transfer-${Date.now()}` }
      const before = await balance(RICH)
      const first = await give(RICH, POOR, 1, { headers })
      assert.deepEqual((await give(RICH, POOR, 1, { headers })).json, first.json)
      assert.equal(await balance(RICH), before - 1)
    },
    'a key is the realm’s own': async () => {
      const headers = { 'idempotency-key': `shared-${Date.now()}` }
      assert.equal((await adjust(RICH, 1, { headers })).status, 200)
      const elsewhere = await call('PATCH', `/realms/${other.id}/members/${NOBODY}/tokenBalance`, { key: other.key, body: { tokens: 1 }, headers })
      assert.notEqual(elsewhere.json.code, 'idempotency_key_reused')
      assert.equal(elsewhere.headers['idempotent-replayed'], undefined)
    },
    'a hundred at once with one key are one change': async () => {
      const headers = { 'idempotency-key': `burst-${Date.now()}` }
      const before = await balance(RICH)
      const answers = await Promise.all(Array.from({ length: 100 }, () => adjust(RICH, 7, { headers })))
      assert.equal(await balance(RICH), before + 7)
      assert.equal(answers.filter((answer) => answer.status === 200 && !answer.headers['idempotent-replayed']).length, 1, 'one is first')
      for (const answer of answers) {
        if (answer.status === 409) problem(answer, 409, 'request_in_progress')
        else assert.equal(answer.json.newBalance, before + 7)
      }
    },
    'a malformed key is 400': async () => problem(await adjust(RICH, 1, { headers: { 'idempotency-key': 'x'.repeat(256) } }), 400, 'invalid_request'),
  },

  errors: {
    'an unknown route is 404, a wrong method 405 with Allow': async () => {
      problem(await call('GET', `/realms/${realm.id}/nothing`), 404, 'route_not_found')
      const answer = await call('DELETE', `${member(RICH)}/tokenBalance`)
      problem(answer, 405, 'method_not_allowed')
      assert.match(answer.headers.allow ?? '', /PATCH/)
    },
    'a body without a type is JSON': async () => {
      const untyped = await call('PATCH', `${member(RICH)}/tokenBalance`, { raw: '{"tokens":1}', untyped: true })
      assert.equal(untyped.status, 200)
    },
    'a body that is not JSON is 415': async () =>
      problem(await adjust(RICH, 5, { headers: { 'content-type': 'text/plain' } }), 415, 'unsupported_media_type'),
    'a body of 1.5 MiB is 413': async () =>
      problem(await call('PATCH', `${member(RICH)}/tokenBalance`, { raw: `{"tokens":5,"reason":"${'x'.repeat(3 << 19)}"}`, patient: true }), 413, 'body_too_large'),
    'a body that names its fault points to it': async () => {
      const { json } = await adjust(RICH, '"x"')
      assert.equal(json.errors[0].pointer, '/tokens')
    },
    'a prototype in the body harms nobody': async () => {
      const answer = await call('PATCH', `${member(RICH)}/tokenBalance`, { raw: '{"tokens":1,"__proto__":{"realmPointId":"x"},"constructor":{"prototype":{}}}' })
      assert.equal(answer.status, 200)
    },
    'a key given twice in a body is refused': async () =>
      problem(await call('PATCH', `${member(RICH)}/tokenBalance`, { raw: '{"tokens":1,"tokens":1000}' }), 400, 'invalid_request'),
  },
  edges: {
    'a list in the body and in the query is 400': async () =>
      problem(await call('GET', `${member('includes')}?wallets=${wallets.evm}`, { body: { wallets: [wallets.evm] } }), 400, 'invalid_request'),
    'a URL beyond 8 KiB is 414': async () =>
      problem(await call('GET', `${member('includes')}?wallets=${`${wallets.evm},`.repeat(230)}${wallets.evm}`), 414, 'uri_too_long'),
    'a stranger learns of no route': async () => {
      for (const [method, path] of [['GET', `/realms/${realm.id}/nothing`], ['DELETE', `${member(RICH)}/tokenBalance`]])
        problem(await call(method, path, { key: 'made-up' }), 401, 'unauthorized')
    },
    '401 and 403 on every door': async () => {
      const body = { wallets: [wallets.evm] }
      const doors = (options) => [
        call('GET', member(RICH), options), call('GET', web3(RICH), options), call('GET', member('includes'), { ...options, body }),
        call('GET', `${member('includes')}?wallets=${wallets.evm}`, options), call('POST', member('includes'), { ...options, body }),
        call('QUERY', member('includes'), { ...options, body }), adjust(RICH, 5, options), give(RICH, POOR, 5, options),
        call('GET', member('abc'), options), call('GET', member('%zz'), options),
      ]
      for (const answer of await Promise.all(doors({ key: null }))) problem(answer, 401, 'unauthorized')
      for (const answer of await Promise.all(doors({ key: 'made-up' }))) problem(answer, 401, 'unauthorized')
      for (const answer of await Promise.all(doors({ key: other.key }))) problem(answer, 403, 'forbidden')
    },
    'a stranger’s big or foreign body is still 401': async () => {
      problem(await call('PATCH', `${member(RICH)}/tokenBalance`, { key: 'made-up', patient: true, raw: `{"tokens":5,"reason":"${'x'.repeat(3 << 19)}"}` }), 401, 'unauthorized')
      problem(await adjust(RICH, 5, { key: other.key, headers: { 'content-type': 'text/plain' } }), 403, 'forbidden')
    },
    '400 and 415 come before 404, 404 before 422': async () => {
      problem(await adjust(NOBODY, '"x"'), 400, 'invalid_request')
      problem(await adjust(NOBODY, 5, { headers: { 'content-type': 'text/plain' } }), 415, 'unsupported_media_type')
      problem(await give(NOBODY, NOBODY, 1), 404, 'member_not_found')
    },
    'path ids: broken escapes, long ids and the word includes are 400': async () => {
      for (const id of ['%zz', '1'.repeat(200), '%00', '1%20'])
        problem(await call('GET', member(id)), 400, 'invalid_request')
      problem(await adjust('includes', 1), 400, 'invalid_request')
      problem(await call('GET', web3('includes')), 400, 'invalid_request')
      problem(await call('GET', web3('abc')), 400, 'invalid_request')
      problem(await give('abc', RICH, 1), 400, 'invalid_request')
    },
    'a GET with a content type and no body is a plain GET': async () => {
      const headers = { 'content-type': 'application/json' }
      assert.equal((await call('GET', member(RICH), { headers })).status, 200)
      assert.equal((await call('GET', web3(RICH), { headers })).status, 200)
      assert.equal((await call('GET', `${member('includes')}?wallets=${wallets.evm}`, { headers })).status, 200)
      problem(await call('GET', member('includes'), { headers }), 400, 'invalid_request')
    },
    'a charset and a chunked body are fine': async () => {
      assert.equal((await adjust(RICH, 1, { headers: { 'content-type': 'application/json; charset=utf-8' } })).status, 200)
      const chunked = await call('GET', member('includes'), { body: { wallets: [wallets.evm] }, headers: { 'transfer-encoding': 'chunked' } })
      assert.equal(chunked.json.includes, true)
    },
    'POST, QUERY and an empty query are no list either': async () => {
      for (const method of ['POST', 'QUERY']) for (const body of [{}, { wallets: [] }]) problem(await call(method, member('includes'), { body }), 400, 'invalid_request')
      problem(await call('POST', member('includes')), 400, 'invalid_request')
      for (const query of ['?wallets=', '?x=1', '?wallets=a,,b', `?wallets=${'a,'.repeat(1000)}a`]) problem(await call('GET', member('includes') + query), 400, 'invalid_request')
    },
    'wallets: any case of EVM, 128 characters, NUL': async () => {
      const sent = ['0x' + wallets.evm.slice(2).toUpperCase(), 'x'.repeat(128), '\u0000', '\ud800']
      const { status, json } = await call('POST', member('includes'), { body: { wallets: sent } })
      assert.equal(status, 200)
      assert.deepEqual(json.wallets.map((entry) => entry.included), [true, false, false, false])
    },
    'bounds are inclusive, and a transfer respects them': async () => {
      const [rich, empty] = [await balance(RICH), await balance(EMPTY)]
      problem(await adjust(RICH, '-9007199254740991'), 422, 'insufficient_points')
      problem(await give(RICH, EMPTY, '9007199254740991'), 422, 'insufficient_points')
      const room = 9007199254740991 - empty
      assert.equal((await adjust(EMPTY, room)).json.newBalance, 9007199254740991)
      problem(await adjust(EMPTY, 1), 422, 'balance_limit')
      problem(await give(RICH, EMPTY, 1), 422, 'balance_limit')
      assert.deepEqual([await balance(RICH), await balance(EMPTY)], [rich, 9007199254740991])
      assert.equal((await adjust(EMPTY, -room)).json.newBalance, empty)
    },
    'a transfer knows points and reasons': async () => {
      const send = (extra) => call('PATCH', `${member(RICH)}/transfer`, { body: { recipientId: POOR, tokens: 1, ...extra } })
      problem(await send({ realmPointId: 'ffffffffffffffffffffffff' }), 404, 'point_not_found')
      assert.equal((await send({ realmPointId: realm.pointId, reason: 'é'.repeat(500) })).status, 200)
      for (const reason of ['x'.repeat(501), 5, {}]) problem(await send({ reason }), 400, 'invalid_request')
      for (const to of ['1e-3', '5.5', '"5.0"', '" 5"', '"+5"', '""']) problem(await give(RICH, to, 1), 400, 'invalid_request')
    },
    '100 transfers at once from one who has 5': async () => {
      await adjust(POOR, 5 - (await balance(POOR)) || 1); const before = await balance(POOR)
      const answers = await Promise.all(Array.from({ length: 100 }, () => give(POOR, RICH, 1)))
      assert.equal(answers.filter((answer) => answer.status === 200).length, before)
      assert.equal(await balance(POOR), 0)
      await adjust(POOR, 5)
    },
    'what is not remembered, and what is': async () => {
      const headers = { 'idempotency-key': `fix-${Date.now()}` }
      problem(await adjust(RICH, '"x"', { headers }), 400, 'invalid_request')
      problem(await adjust(RICH, 1, { headers, key: 'made-up' }), 401, 'unauthorized')
      const first = await adjust(RICH, 1, { headers })
      assert.equal(first.status, 200)
      assert.equal(first.headers['idempotent-replayed'], undefined)
      const lost = { headers: { 'idempotency-key': `lost-${Date.now()}` } }
      const [one, two] = [await adjust(NOBODY, 1, lost), await adjust(NOBODY, 1, lost)]
      problem(one, 404, 'member_not_found')
      problem(two, 404, 'member_not_found')
      assert.equal(two.headers['idempotent-replayed'], undefined)
      const moved = { headers: { 'idempotency-key': `moved-${Date.now()}` } }
      await give(RICH, POOR, 1, moved)
      assert.equal((await give(RICH, POOR, 1, moved)).headers['idempotent-replayed'], 'true')
    },
    'idempotency keys: 255 work, empty and blanks are 400': async () => {
      assert.equal((await adjust(RICH, 1, { headers: { 'idempotency-key': `${Date.now()}`.padEnd(255, '~') } })).status, 200)
      for (const key of ['', 'a b', 'clé']) problem(await adjust(RICH, 1, { headers: { 'idempotency-key': key } }), 400, 'invalid_request')
    },
    'one key, many different requests at once: one wins': async () => {
      const headers = { 'idempotency-key': `race-${Date.now()}` }
      const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => adjust(RICH, index + 1, { headers })))
      assert.equal(answers.filter((answer) => answer.status === 200).length, 1)
      assert.ok(answers.every((answer) => answer.status === 200 || ['idempotency_key_reused', 'request_in_progress'].includes(answer.json.code)))
    },
    'Allow is right for each path': async () => {
      const post = await call('POST', member(RICH), { body: {} })
      problem(post, 405, 'method_not_allowed')
      assert.match(post.headers.allow, /\bGET\b/)
      assert.doesNotMatch(post.headers.allow, /POST/)
    },
    'odd JSON is never 500': async () => {
      for (const raw of ['{"tokens":1,"\\u0074okens":1000}', '{"tokens":1,"reason":"\\u0000"}', '{"tokens":1,"reason":"\\ud800"}', Buffer.from('7b22746f6b656e73223a312c22726561736f6e223a22ff227d', 'hex')])
        problem(await call('PATCH', `${member(RICH)}/tokenBalance`, { raw }), 400, 'invalid_request')
      for (const raw of [`{"tokens":1,"x":${'['.repeat(100000)}${']'.repeat(100000)}}`, '{"tokens":1,"realmPointId":"\\u0000"}', '{"tokens":1,"realmPointId":"__proto__"}'])
        assert.ok([200, 400, 404].includes((await call('PATCH', `${member(RICH)}/tokenBalance`, { raw })).status), raw.slice(0, 60))
    },
  },
}

const unknown = wanted.filter((name) => !(name in sections))
if (unknown.length) throw new Error(`no section ${unknown.join(', ')}; there are ${Object.keys(sections).join(' ')}`)
let passed = 0
const failed = []
for (const [name, checks] of Object.entries(sections)) {
  if (wanted.length && !wanted.includes(name)) continue
  for (const [title, check] of Object.entries(checks)) {
    try {
      await check()
      passed++
    } catch (error) {
      failed.push(`${name}: ${title}\n    ${String(error.message).split('\n').slice(0, 6).join('\n    ')}`)
    }
  }
}
agent.destroy()
for (const line of failed) console.log(`FAILED ${line}`)
console.log(`${passed} passed, ${failed.length} failed`)
process.exitCode = failed.length ? 1 : 0
