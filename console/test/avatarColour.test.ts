import assert from 'node:assert/strict'
import { it } from 'node:test'
import { avatarColour } from '../src/ui/avatarColour.ts'

it('members have colours that are spread evenly, also those with consecutive ids', () => {
  for (const first of [1n, 1190194345295482952n]) {
    const counts = new Map<string, number>()
    for (let nth = 0n; nth < 800n; nth += 1n) {
      const colour = avatarColour(String(first + nth))
      counts.set(colour, (counts.get(colour) ?? 0) + 1)
    }
    assert.equal(counts.size, 8)
    for (const [colour, count] of counts) assert.ok(count > 50 && count < 150, `${colour}: ${count}`)
  }
  assert.equal(avatarColour('7'), avatarColour('7'))
})
