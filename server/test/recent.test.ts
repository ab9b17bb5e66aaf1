import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Recent } from '../src/db/recent.ts'

const valuesOf = (recent: Recent<number, string>): string[] => [...recent].map(([, value]) => value).sort()

describe('entries that were used last', () => {
  it('are at least so many, and at most twice as many', () => {
    const recent = new Recent<number, string>(5)
    for (let key = 0; key < 1_000; key += 1) {
      recent.set(key, String(key))
      assert.ok(recent.size <= 10, `${recent.size} after ${key}`)
      for (let last = Math.max(0, key - 4); last <= key; last += 1)
        assert.equal(recent.peek(last), String(last), `after ${key}`)
    }
  })

  it('stay while they are used', () => {
    const recent = new Recent<string, number>(5)
    recent.set('used', 1)
    recent.set('left', 2)
    for (let key = 0; key < 100; key += 1) {
      recent.set(String(key), key)
      assert.equal(recent.get('used'), 1, `after ${key}`)
    }
    assert.equal(recent.get('left'), undefined)
  })

  it('are each there once, with the last value, and can be removed', () => {
    const recent = new Recent<number, string>(4)
    for (const [key, value] of [
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
      [1, 'd'],
    ] as const)
      recent.set(key, value)
    assert.deepEqual(valuesOf(recent), ['b', 'c', 'd'])
    assert.equal(recent.size, 3)
    assert.equal(recent.delete(1), true)
    assert.equal(recent.delete(1), false)
    assert.equal(recent.get(1), undefined)
    for (const [key] of recent) recent.delete(key)
    assert.equal(recent.size, 0)
    recent.set(4, 'e')
    recent.clear()
    assert.deepEqual(valuesOf(recent), [])
  })
})
