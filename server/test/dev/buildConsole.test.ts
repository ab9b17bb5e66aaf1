import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { buildConsole } from '../../src/dev/buildConsole.ts'

const clone = mkdtempSync(join(tmpdir(), 'exchequer-clone-'))
after(() => rmSync(clone, { recursive: true, force: true }))

describe('npm run dev from a clone', () => {
  it('builds the console when it is not built, and only then', (test) => {
    test.mock.method(console, 'log', () => undefined)
    const runs: unknown[] = []
    const run = (args: readonly string[], folder: string) => void runs.push([args.at(-1), folder])
    buildConsole(clone, run)
    assert.deepEqual(runs, [['console', clone]])
    mkdirSync(join(clone, 'console/dist'), { recursive: true })
    writeFileSync(join(clone, 'console/dist/index.html'), '<!doctype html>')
    buildConsole(clone, run)
    assert.equal(runs.length, 1)
  })

  it('continues without the console when it can’t be built', (test) => {
    const said = test.mock.method(console, 'error', () => undefined)
    test.mock.method(console, 'log', () => undefined)
    buildConsole(join(clone, 'elsewhere'), () => {
      throw new Error('no vite')
    })
    assert.match(String(said.mock.calls[0]?.arguments[0]), /could not be built/)
  })
})
