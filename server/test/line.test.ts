import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Line, Place } from '../src/line.ts'

class Named extends Place {
  readonly name: string
  constructor(name: string) {
    super()
    this.name = name
  }
}

const named = (names: string): Named[] => Array.from(names, (name) => new Named(name))
const namesOf = (line: Line<Named>): string => Array.from(line, ({ name }) => name).join('')

describe('a line', () => {
  it('keeps the order of arrival when others leave', () => {
    for (const leaving of ['a', 'b', 'c', 'ab', 'ba', 'bc', 'cb', 'ac', 'ca', 'abc', 'cba', 'bac']) {
      const line = new Line<Named>()
      const all = named('abc')
      for (const one of all) line.add(one)
      for (const name of leaving) for (const one of all) if (one.name === name) line.remove(one)
      const left = Array.from('abc').filter((name) => !leaving.includes(name))
      assert.equal(namesOf(line), left.join(''), leaving)
      assert.equal(line.size, left.length)
      line.add(new Named('d'))
      assert.equal(namesOf(line), `${left.join('')}d`, leaving)
    }
  })

  it('lets the same one leave once, and return at the end', () => {
    const line = new Line<Named>()
    const [a = new Named(''), b = new Named('')] = named('ab')
    line.add(a)
    line.add(b)
    line.remove(a)
    line.remove(a)
    assert.equal(line.size, 1)
    assert.equal(line.first, b)
    line.add(a)
    assert.equal(namesOf(line), 'ba')
  })

  it('lets each leave while all are visited', () => {
    const line = new Line<Named>()
    for (const one of named('abcd')) line.add(one)
    let seen = ''
    for (const one of line) {
      seen += one.name
      line.remove(one)
    }
    assert.equal(seen, 'abcd')
    assert.equal(line.size, 0)
    assert.equal(line.first, undefined)
  })

  it('does not bind what has left to what still waits', () => {
    const line = new Line<Named>()
    const [a = new Named(''), b = new Named('')] = named('ab')
    line.add(a)
    line.add(b)
    line.remove(a)
    assert.deepEqual([a.before, a.after, b.before], [undefined, undefined, undefined])
  })
})
