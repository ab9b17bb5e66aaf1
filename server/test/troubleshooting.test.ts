import assert from 'node:assert/strict'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { environment, runCommand } from './support/process.ts'
import { freshDatabase, type TestDatabase } from './support/suite.ts'

const root = new URL('../../', import.meta.url)
const page = readFileSync(new URL('docs/operate/troubleshooting.md', root), 'utf8')

/** What the server says when it does not start, as the handbook quotes it. */
const quoted = (/## It does not start\n(.*?)\n## /s.exec(page)?.[1] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .flatMap((line) => Array.from((line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g), ([, words = '']) => words))

describe('the handbook', () => {
  it('quotes what the server says', () => {
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
  let database: TestDatabase
  before(async () => {
    database = await freshDatabase()
  })
  after(() => database?.drop())

  it('because its port is taken says so in one line', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    try {
      const extra = { HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'silent' }
      const { code, err } = await runCommand(['serve'], environment(database, extra))
      assert.equal(code, 1)
      assert.equal(
        err.trim().split('\n').at(-1),
        'Something listens on that port already. Set PORT to another.',
      )
    } finally {
      taken.close()
    }
  })
})
