import assert from 'node:assert/strict'
import { ann, call, type Place } from './place.ts'
import type { Checks } from './run.ts'

/** The journal, verified in parts, and one that was altered. */

export async function checkJournal(place: Place, { check }: Checks): Promise<void> {
  const { realm } = place

  await check(
    'a journal of more than 10,000 entries is verified in two calls, and then what is new',
    async () => {
      const connected = await place.connect('auditor')
      for (let batch = 0; batch < 11; batch += 1)
        await realm.batch(Array.from({ length: 1_000 }, () => ({ member: ann, tokens: 1 })))
      const { seq, hash } = await realm.head()
      const first = await call(connected, 'verify_journal')
      assert.deepEqual([first['isIntact'], first['isComplete'], first['verified']], [true, false, '10000'])
      const second = await call(connected, 'verify_journal')
      const whole = { isIntact: true, isComplete: true, verified: seq, head: seq, hash }
      assert.deepEqual(second, whole)
      assert.deepEqual(await call(connected, 'verify_journal'), whole)
      await realm.member(ann).adjust(1)
      const third = await call(connected, 'verify_journal')
      assert.deepEqual([third['isComplete'], third['verified']], [true, String(Number(seq) + 1)])
      await connected.close()
    },
  )

  await check('an entry that was altered, and one that is missing, are named', async () => {
    for (const [pattern, by, kind] of [
      [/"reason\\":\\"a start/, '"reason\\":\\"a theft', 'details'],
      [/"seq":"2"/, '"seq":"3"', 'missing'],
    ] as const) {
      const liar: typeof fetch = async (input, init) => {
        const response = await fetch(input, init)
        if (!response.url.includes('/journal')) return response
        const text = await response.text()
        assert.match(text, pattern)
        return new Response(text.replace(pattern, by), response)
      }
      const connected = await place.link({ fetch: liar })
      const answer = await call(connected, 'verify_journal')
      await connected.close()
      assert.equal(answer['isIntact'], false)
      assert.equal((answer['fault'] as { kind: string }).kind, kind)
    }
  })
}
