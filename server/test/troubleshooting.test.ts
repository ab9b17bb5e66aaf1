import assert from 'node:assert/strict'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { environment, runCommand } from '../../tests/support/process.ts'
import { freshDatabase, type TestDatabase } from '../../tests/support/suite.ts'

const root = new URL('../../', import.meta.url)
const page = readFileSync(new URL('docs/operate/troubleshooting.md', root), 'utf8')

/** The server's startup errors, as the handbook quotes them. */
const quoted = (/## It does not start\n(.*?)\n## /s.exec(page)?.[1] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .flatMap((line) => Array.from((line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g), ([, words = '']) => words))

describe('the handbook', () => {
  it('quotes the server’s messages', () => {
    const sources = globSync('server/src/**/*.ts', { cwd: root }).map((file) =>
      readFileSync(new URL(file, root), 'utf8'),
    )
    assert.ok(quoted.length >= 8, quoted.join('\n'))
    assert.deepEqual(
      quoted.filter((words) => !sources.some((text) => text.includes(words))),
      [],
    )
  })
})

describe('a server that does not start', () => {
  it('because of an invalid value lists the valid ones', async () => {
    const extra = { LOG_LEVEL: 'verbose' }
    const { code, err } = await runCommand(['serve'], environment(database, extra))
    assert.deepEqual(
      [code, err.trim()],
      [1, 'LOG_LEVEL is verbose; it must be one of trace, debug, info, warn, error, fatal, silent.'],
    )
  })

  let database: TestDatabase
  before(async () => {
    database = await freshDatabase()
  })
  after(() => database?.drop())

  it('because its port is taken reports it in one line', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    try {
      for (const name of ['PORT', 'METRICS_PORT']) {
        const extra = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', [name]: String(port) }
        const { code, err } = await runCommand(['serve'], environment(database, extra))
        assert.equal(code, 1)
        const last = err.trim().split('\n').at(-1) ?? ''
        assert.match(last, /^The port is already in use \(.*\)\. Check HOST and PORT, and METRICS_HOST/)
        assert.ok(last.includes(`127.0.0.1:${port}`), last)
      }
    } finally {
      taken.close()
    }
  })
})
