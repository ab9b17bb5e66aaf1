import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keyForm } from '../src/keys/index.ts'
import { makeLog } from '../src/observability/log.ts'

describe('the log', () => {
  it('contains no key, whatever is logged', () => {
    const key = keyForm.make()
    const lines: string[] = []
    const log = makeLog('trace', { write: (line) => void lines.push(line) })
    log.error(
      { err: new Error(`invalid input syntax for type bigint: "${key}"`), url: `/${key}?${key}` },
      key,
    )
    assert.equal(lines.length, 1)
    assert.ok(!lines[0]?.includes(key.slice(4, 30)), lines[0])
    assert.match(lines[0] ?? '', /invalid input syntax/)
  })
})
