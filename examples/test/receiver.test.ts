import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Realm } from '@exchequer/sdk'
import { commandLine, realmWithKey } from '../../cli/test/support/realm.ts'
import { freePort } from '../../server/src/dev/postgres.ts'
import { rich } from '../../tests/support/fixture.ts'
import { suite } from '../../tests/support/suite.ts'

const made = suite()
const file = fileURLToPath(new URL('../events/receiver.ts', import.meta.url))
const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`

/** The example in its own process, and what it prints. */
async function start(test: TestContext) {
  const port = await freePort()
  const env = { PATH: process.env['PATH'] ?? '', SECRET: secret, PORT: String(port) }
  const child = spawn(process.execPath, [file], { env, stdio: 'pipe' })
  test.after(() => child.kill('SIGKILL'))
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    said.out += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    said.err += chunk
  })
  const url = `http://127.0.0.1:${port}/`
  for (let tries = 0; tries < 200; tries++) {
    if (await fetch(url).catch(() => undefined)) break
    await sleep(50)
  }
  return { url, said }
}

describe('the receiver of the guide', () => {
  it('prints each event once, and rejects what is not signed', async (test) => {
    const { url, said } = await start(test)
    const access = await realmWithKey(made.app.url, { unknownMembers: 'create' })
    const realm = new Realm({ url: made.app.url, realm: access.id, key: access.key })
    for (const tokens of [5, 6]) await realm.member(rich).adjust(tokens)
    const { data } = await realm.journal().page()
    const cli = commandLine(made.app.url, access)
    const line = `listen --forward-to ${url} --secret ${secret} --after 0 --count ${data.length}`
    for (let sent = 0; sent < 2; sent++) {
      const { out, err } = await cli.run(line)
      assert.equal(out.match(/ {2}204 {2}/g)?.length, data.length, out + err)
    }
    const ids = data.map(({ seq, hash }) => `points.adjusted evt_${seq}_${hash.slice(0, 16)}`)
    assert.deepEqual(
      said.out
        .trimEnd()
        .split('\n')
        .map((one) => one.slice(0, one.indexOf(' {'))),
      ids,
    )
    const answer = await fetch(url, { method: 'POST', body: '{"type":"points.adjusted"}' })
    assert.equal(answer.status, 401)
    assert.match(await answer.text(), /^WebhookError: The header webhook-id is missing/)
    assert.equal(said.err, '')
  })

  it('is the one that the page shows, in at most 20 lines', () => {
    const page = readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8')
    const code = readFileSync(file, 'utf8')
    assert.ok(page.includes(`\`\`\`ts\n${code}\`\`\`\n`), 'docs/events.md shows another receiver')
    assert.ok(code.trimEnd().split('\n').length <= 20)
  })
})
