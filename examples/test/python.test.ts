import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { startFlaky } from '../../sdk/test/flaky.ts'
import { startScripted } from '../../sdk/test/scripted.ts'
import { makeRealm, operator, poor, rich } from '../../tests/support/fixture.ts'
import { operatorToken } from '../../tests/support/process.ts'
import { entryCount } from '../../tests/support/query.ts'
import { suite } from '../../tests/support/suite.ts'

const made = suite()
const folder = fileURLToPath(new URL('../python', import.meta.url))
const PYTHONPATH = fileURLToPath(new URL('../../clients/python/src', import.meta.url))

async function python(args: readonly string[], env: Record<string, string>, input = '') {
  const all = { PATH: process.env['PATH'] ?? '', PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH, ...env }
  const child = spawn('python3', args, { cwd: folder, env: all, stdio: 'pipe' })
  child.stdin.end(input)
  const [out, err]: [string[], string[]] = [[], []]
  child.stdout.on('data', (chunk: Buffer) => out.push(String(chunk)))
  child.stderr.on('data', (chunk: Buffer) => err.push(String(chunk)))
  const [code] = (await once(child, 'close')) as [number]
  return { code, out: out.join(''), err: err.join('') }
}

/** Concurrent transfers through the client; prints how many responses differ. */
const manyTransfers = `
import os, sys
from concurrent.futures import ThreadPoolExecutor
from exchequer import Realm
realm = Realm(os.environ["URL"], os.environ["REALM"], os.environ["KEY"], retries=12, timeout=1)
giver, recipient, count = sys.argv[1:]
give = lambda _: realm.member(giver).transfer(int(recipient), 1)["transactionId"]
with ThreadPoolExecutor(25) as pool:
    print(len(set(pool.map(give, range(int(count))))))
`

describe('the Python client', () => {
  it('awards once under its own key, tips, reports a rejection and shows the leaderboard', async () => {
    const { app } = made
    const realm = await makeRealm({ baseUrl: app.url, token: operatorToken }, { unknownMembers: 'create' })
    const env = { URL: app.url, REALM: realm.id, KEY: realm.key }
    const { code, out, err } = await python(['award.py'], env)
    assert.deepEqual([code, err], [0, ''])
    const [quest, tip, refused, ...board] = out.trimEnd().split('\n')
    assert.equal(quest, `${rich} had 25 points after the quest`)
    assert.equal(tip, `${rich} has 20, 1190194345295482953 has 5`)
    assert.match(refused ?? '', /^Refused: insufficient_points\. .*has 5 points/)
    assert.ok(board.length <= 2)
    const again = await python(['award.py'], env)
    assert.match(again.out, /had 25 points after the quest\n.* has 15, .* has 10/)
  })

  it('reports errors with their code', async () => {
    const { out, err, code } = await python(['award.py'], {
      URL: made.app.url,
      REALM: 'none',
      KEY: 'made-up',
    })
    assert.deepEqual([code, out], [1, ''])
    assert.match(err, /^unauthorized: /)
  })

  it('makes each of 300 transfers once, through a proxy that drops or delays one in five', async () => {
    const flaky = await startFlaky(made.app.url)
    try {
      const { id: REALM, key: KEY } = made.fixture.realm
      const before = await entryCount(made)
      const env = { URL: flaky.url, REALM, KEY }
      const { code, out, err } = await python(['-c', manyTransfers, rich, poor, '300'], env)
      assert.deepEqual([code, out.trim(), err], [0, '300', ''])
      assert.equal(await entryCount(made), before + 300)
    } finally {
      await flaky.close()
    }
  })
})

/** Follows a journal; prints each seq, and the code of an error that ends it. */
const follow = `
import os, sys
import exchequer, exchequer._transport
exchequer._transport.SILENT = float(os.environ.get("SILENT", 30))
realm = exchequer.Realm(os.environ["URL"], os.environ["REALM"], os.environ["KEY"])
cursor, count = sys.argv[1:]
try:
    for nth, entry in enumerate(realm.follow(cursor or None), 1):
        print(entry["seq"], flush=True)
        if nth == int(count):
            break
except exchequer.ExchequerError as error:
    print(error.code)
`
const entry = (seq: number) => `id: ${seq}\ndata: {"seq":"${seq}"}\n\n`
const cursors = (requests: readonly { readonly url: string }[]) =>
  requests.map(({ url }) => /cursor=(\d+)/.exec(url)?.[1])

describe('the Python client follows the journal', () => {
  it('as it grows, with a real server', async () => {
    const { app, fixture } = made
    const at = { baseUrl: app.url, token: operatorToken }
    const body = { name: 'follower', scopes: ['journal:read', 'points:write'] }
    const path = `/realms/${fixture.realm.id}/keys`
    const { key: KEY } = (await operator(at, 'POST', { path, body })) as { key: string }
    const env = { URL: app.url, REALM: fixture.realm.id, KEY }
    const last = await entryCount(made)
    const first = await python(['-c', follow, '0', String(last)], env)
    const all = Array.from({ length: last }, (_, index) => `${index + 1}\n`).join('')
    assert.deepEqual(first, { code: 0, out: all, err: '' })
    const award = `import exchequer\nexchequer.Realm(*__import__("sys").argv[1:4]).member(${rich}).adjust(1)`
    const live = python(['-c', follow, '', '2'], env)
    const awards = (async () => {
      for (let done = false; !done; ) {
        await python(['-c', award, env.URL, env.REALM, env.KEY], {})
        done = await Promise.race([live.then(() => true), sleep(50).then(() => false)])
      }
    })()
    const [one = 0n, two] = (await live).out.trimEnd().split('\n').map(BigInt)
    await awards
    assert.ok(one > BigInt(last))
    assert.equal(two, one + 1n)
    const gone = await python(['-c', follow, '0', '1'], { ...env, KEY: 'exq_wrong' })
    assert.equal(gone.out, 'unauthorized\n')
  })

  it('through every outage without a gap, and ends with a rejection', async () => {
    const server = await startScripted([
      { sends: ['retry: 20\n\n:\n\n', entry(1), 'id: 2\ndata: {"seq":"2","x":"ü€'], breaks: true },
      { sends: [entry(2)] },
      { status: 503 },
      { drops: true },
      { status: 429, headers: { 'retry-after': '1' } },
      { sends: [entry(3)], hangs: true },
      { sends: [entry(4)] },
      { status: 403 },
    ])
    try {
      const env = { URL: server.url, REALM: 'r', KEY: 'k', SILENT: '1' }
      const { out, err } = await python(['-c', follow, '0', '99'], env)
      assert.deepEqual([out, err], ['1\n2\n3\n4\nhttp_403\n', ''])
      assert.deepEqual(cursors(server.requests), ['0', '1', '2', '2', '2', '2', '3', '4'])
      const [limited, next] = server.requests.slice(4, 6).map(({ atMs }) => atMs)
      assert.ok((next ?? 0) - (limited ?? 0) >= 990, 'Retry-After')
    } finally {
      await server.close()
    }
  })
})

const verify = `
import json, sys
import exchequer
for headers, body, secret in json.load(sys.stdin):
    try:
        event = exchequer.verify_webhook(headers, body.encode(), secret)
        print(event["id"], event["type"])
    except (exchequer.WebhookError, ValueError) as error:
        print(getattr(error, "code", "invalid_secret"))
`

it('the Python client accepts webhooks that Standard Webhooks signed, and no others', async () => {
  const [secret, other] = [7, 8].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`) as [
    string,
    string,
  ]
  const body = JSON.stringify({ type: 'points.adjusted', data: { reason: 'für €5 🎉' } })
  const signed = (ageSeconds = 0, text = body) => {
    const at = new Date(Date.now() - ageSeconds * 1000)
    return {
      'Webhook-Id': 'evt_1_a',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': `v1,xx ${new Webhook(secret).sign('evt_1_a', at, text)}`,
    }
  }
  const cases: readonly (readonly [object, string, string | readonly string[], string])[] = [
    [signed(), body, secret, 'evt_1_a points.adjusted'],
    [signed(), body, [other, secret], 'evt_1_a points.adjusted'],
    [signed(298), body, secret, 'evt_1_a points.adjusted'],
    [signed(), `${body} `, secret, 'wrong_signature'],
    [signed(), body.replace('5', '6'), secret, 'wrong_signature'],
    [signed(), body, other, 'wrong_signature'],
    [{ ...signed(), 'Webhook-Id': 'evt_2' }, body, secret, 'wrong_signature'],
    [signed(310), body, secret, 'too_old'],
    [signed(-310), body, secret, 'in_the_future'],
    [{ ...signed(), 'webhook-timestamp': '1e9' }, body, secret, 'invalid_timestamp'],
    [{ ...signed(), 'webhook-signature': '' }, body, secret, 'missing_header'],
    [signed(0, '[]'), '[]', secret, 'invalid_body'],
    [signed(), body, 'whsec_', 'invalid_secret'],
    [signed(), body, [], 'invalid_secret'],
  ]
  const input = JSON.stringify(cases.map(([headers, text, key]) => [headers, text, key]))
  const { out, err } = await python(['-c', verify], {}, input)
  assert.equal(err, '')
  assert.deepEqual(
    out.trimEnd().split('\n'),
    cases.map(([, , , expected]) => expected),
  )
})
