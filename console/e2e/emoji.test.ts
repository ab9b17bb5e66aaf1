import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { play } from './support/stage.ts'

const made = play()

describe('the emoji of a currency', () => {
  it('is shown if a font of the device has it, and left out otherwise', async () => {
    const realm = await made.makeRealm()
    const nameWith = async (emoji: string) => {
      await made.manage('PATCH', `/realms/${realm}/points/gold`, { emoji })
      const { page, close } = await made.signedIn('manager', realm, { path: '/points' })
      const cell = page.getByRole('cell', { name: /Gold/ }).first()
      const text = await cell.innerText()
      await close()
      return text.split('\n')[0]
    }
    // A code point that no font has, and a sign that every font has.
    assert.equal(await nameWith('\u{10FFFE}'), 'Gold')
    assert.equal(await nameWith('§'), '§ Gold')
  })
})
