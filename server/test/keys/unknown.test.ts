import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type KeyRecord, SecretCheck } from '../../src/keys/check.ts'
import { hashOf, keyForm } from '../../src/keys/text.ts'

const secret = { id: 'k1', secret: '0123456789abcdef'.repeat(4) }

/** Keys that exist, and how often and for how many the database was queried. */
function makeCheck(texts: readonly string[]) {
  const existing = new Map(texts.map((text) => [hashOf(text, secret).toString('hex'), text]))
  const questions: number[] = []
  const found = (text: string | undefined): KeyRecord<string> | undefined =>
    text === undefined ? undefined : { holder: text, id: text, changedAt: '', expiresAt: null }
  const check = new SecretCheck<string>(
    {
      fits: (text) => keyForm.fits(text),
      find: async (asked) => {
        questions.push(asked.length)
        await new Promise(setImmediate)
        return asked.map(([hash]) => found(existing.get(hash?.toString('hex') ?? '')))
      },
      changed: async () => new Map(),
      used: async () => {},
    },
    [secret],
  )
  return { check, questions }
}

describe('a key that this process does not know', () => {
  it('waits before the database is queried for it', async () => {
    const text = keyForm.make()
    const { check, questions } = makeCheck([text])
    let goOn = () => {}
    const waiting = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const checked = check.check(text, () => waiting)
    await new Promise(setImmediate)
    assert.deepEqual(questions, [])
    goOn()
    assert.equal(await checked, text)
    assert.deepEqual(questions, [1])
  })

  it('is looked up in one query with the others that wait', async () => {
    const texts = Array.from({ length: 100 }, () => keyForm.make())
    const { check, questions } = makeCheck(texts.slice(0, 50))
    const holders = await Promise.all(texts.map(async (text) => check.check(text, async () => {})))
    assert.deepEqual(holders, [...texts.slice(0, 50), ...Array(50).fill(undefined)])
    assert.ok(questions.length <= 4, `${questions.length} questions`)
  })

  it('is looked up once, however many requests send it at once', async () => {
    const { check, questions } = makeCheck([])
    const text = keyForm.make()
    await Promise.all(Array.from({ length: 100 }, async () => check.check(text, async () => {})))
    assert.deepEqual(questions, [1])
  })
})

describe('a key that this process knows', () => {
  it('never waits', async () => {
    const text = keyForm.make()
    const { check } = makeCheck([text])
    await check.check(text)
    const never = () => assert.fail('it waited')
    assert.equal(await check.check(text, never), text)
  })
})
