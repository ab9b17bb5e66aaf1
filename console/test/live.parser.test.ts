import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EventParser } from '../src/live/eventParser.ts'

const parse = (...pieces: readonly string[]) => {
  const parser = new EventParser()
  return { events: pieces.flatMap((piece) => parser.push(piece)), retryMs: parser.retryMs }
}

describe('the parser of server-sent events', () => {
  it('reads id and data, and skips comments and unknown fields', () => {
    const { events } = parse(
      'retry: 1200\n\n:\n\nevent: entry\nid: 7\ndata: {"a":1}\n\n: quiet\n\nid:8\ndata:x\n\n',
    )
    assert.deepEqual(events, [
      { id: '7', data: '{"a":1}' },
      { id: '8', data: 'x' },
    ])
  })

  it('finds the same events wherever the text is cut', () => {
    const text =
      'retry: 900\n\nid: 1\r\ndata: one\r\n\r\nid: 2\rdata: two\r\rid: 3\r\ndata: a\r\ndata:  b\r\n\r\n'
    const whole = parse(text, '').events
    assert.deepEqual(
      whole.map(({ data }) => data),
      ['one', 'two', 'a\n b'],
    )
    for (let at = 0; at <= text.length; at += 1)
      assert.deepEqual(parse(text.slice(0, at), text.slice(at)).events, whole, `cut at ${at}`)
    assert.deepEqual(parse(...text.split('')).events, whole, 'one character at a time')
  })

  it('ends an event with an empty line only', () => {
    assert.deepEqual(parse('id: 1\ndata: half').events, [])
    assert.deepEqual(parse('id: 1\ndata: half\n').events, [])
  })

  it('keeps the last id for events without one', () => {
    assert.deepEqual(parse('id: 4\ndata: a\n\ndata: b\n\n').events.at(-1), { id: '4', data: 'b' })
  })

  it('takes a time to wait in digits only', () => {
    assert.equal(parse('retry: 1500\n\n').retryMs, 1500)
    assert.equal(parse('retry: soon\n\n').retryMs, undefined)
    assert.equal(parse('retry: -1\n\n').retryMs, undefined)
  })

  it('ignores a byte order mark', () => {
    assert.deepEqual(parse('\uFEFFdata: a\n\n').events, [{ id: undefined, data: 'a' }])
  })

  it('rejects a line without end', () => {
    assert.throws(() => parse('data: '.padEnd(1_000_002, 'x')), /too long/)
  })
})
