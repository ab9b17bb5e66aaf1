import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startFlaky } from '../../sdk/test/flaky.ts'
import { makeRealm, poor, rich } from '../../tests/support/fixture.ts'
import { operatorToken } from '../../tests/support/process.ts'
import { entryCount } from '../../tests/support/query.ts'
import { suite } from '../../tests/support/suite.ts'

const made = suite()
const folder = fileURLToPath(new URL('../python', import.meta.url))

async function python(args: readonly string[], env: Record<string, string>) {
  const all = { PATH: process.env['PATH'] ?? '', PYTHONDONTWRITEBYTECODE: '1', ...env }
  const child = spawn('python3', args, { cwd: folder, env: all, stdio: ['ignore', 'pipe', 'pipe'] })
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
give = lambda _: realm.transfer(giver, int(recipient), 1)["transactionId"]
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

  it('rejects a float as an id', async () => {
    const wrong = 'from exchequer import digits\nfor one in (5.0, True, "007", "1e5", "-1", ""):\n'
    const tried = `${wrong}    try: digits(one); print("taken", one)\n    except ValueError: pass\n`
    assert.deepEqual(await python(['-c', tried], {}), { code: 0, out: '', err: '' })
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
