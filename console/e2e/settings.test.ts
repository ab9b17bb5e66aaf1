import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Operator, Realm } from '../../sdk/src/index.ts'
import { operatorToken } from '../../tests/support/process.ts'
import { choose, dialogOf, rowOf } from './support/doing.ts'
import { play } from './support/stage.ts'

const made = play()
const read = (realm: string) => new Operator({ url: made.stage.url, token: operatorToken }).realm(realm).get()

describe('currencies', () => {
  it('are added, given limits, made the default, archived and restored', async () => {
    const realm = await made.makeRealm()
    const { page, close } = await made.signedIn('owner', realm, { path: '/points' })
    await page.getByRole('button', { name: 'Add a currency' }).click()
    const dialog = dialogOf(page)
    await dialog.getByLabel('Name').fill('Gems')
    await dialog.getByLabel('Emoji').fill('§')
    await dialog.getByLabel('per day').fill('a lot')
    await dialog.getByLabel('Id').fill('gems')
    await dialog.getByRole('button', { name: 'Add a currency' }).click()
    await dialog.getByText('A whole number from 1 to').waitFor()
    await dialog.getByLabel('per day').fill('500')
    await dialog.getByRole('button', { name: 'Add a currency' }).click()
    await rowOf(page, '§ Gems').getByText('500 per day').waitFor()

    await choose(page, 'Gems', 'Edit')
    await dialog.getByLabel('per day').fill('')
    await dialog.getByLabel('Members can transfer it').uncheck()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await rowOf(page, 'Gems').getByText('not allowed').waitFor()

    await choose(page, 'Gems', 'Make default')
    await rowOf(page, 'Gems').getByText('Default').waitFor()
    await choose(page, 'Gold', 'Archive')
    await dialog.getByRole('button', { name: 'Archive' }).click()
    await page.getByRole('region', { name: 'Archived' }).getByText('Gold', { exact: true }).waitFor()
    const archived = await read(realm)
    assert.equal(archived.defaultPointId, 'gems')
    assert.deepEqual(
      archived.points.map(({ id, archived: isSo, maxPerDay }) => [id, isSo, maxPerDay]),
      [
        ['gems', false, null],
        ['gold', true, null],
      ],
    )
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Gold restored').first().waitFor()
    assert.ok((await read(realm)).points.every((point) => !point.archived))
    await close()
  })

  it('are shown to a viewer, with why they can’t be changed', async () => {
    const realm = await made.makeRealm()
    const { page, close } = await made.signedIn('viewer', realm, { path: '/points' })
    await page.getByText('only owners can make changes here').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Add a currency' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Actions' }).count(), 0)
    await close()
  })
})

describe('settings', () => {
  it('are saved: name, time zone, unknown members, and the public page’s branding', async () => {
    const realm = await made.makeRealm()
    const { page, close } = await made.signedIn('owner', realm, { path: '/settings' })
    const [saveRealm, saveLook] = [0, 1].map((at) => page.getByRole('button', { name: 'Save' }).nth(at))
    assert.ok(saveRealm && saveLook)
    await page.getByLabel('Name', { exact: true }).fill('')
    await saveRealm.click()
    await page.getByText('Enter a name for the realm.').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('The Lantern')
    await page.getByLabel('Time zone').selectOption('Europe/Berlin')
    await page.getByLabel('Treat them as a member').check()
    await saveRealm.click()
    await page.getByText('Saved').first().waitFor()

    await page.getByLabel('Make the leaderboard public').check()
    await page.getByLabel('Logo').fill('http://example.com/plain.png')
    await saveLook.click()
    await page.getByText('An address that begins with https://').waitFor()
    await page.getByLabel('Logo').fill('')
    await page.getByRole('button', { name: 'Add a colour' }).click()
    await page.getByLabel('Colour primary', { exact: true }).fill('#b4371f')
    await saveLook.click()
    const board = page.getByRole('link', { name: 'Open the page' })
    await board.waitFor()
    assert.equal((await fetch((await board.getAttribute('href')) ?? '')).status, 200)
    const { name, timeZone, unknownMembers, publicBoard, colours } = await read(realm)
    assert.deepEqual(
      { name, timeZone, unknownMembers, publicBoard, colours },
      {
        name: 'The Lantern',
        timeZone: 'Europe/Berlin',
        unknownMembers: 'create',
        publicBoard: true,
        colours: { primary: '#b4371f' },
      },
    )
    await page.reload()
    assert.equal(await page.getByLabel('Time zone').inputValue(), 'Europe/Berlin')
    await close()
  })

  it('that another person changed meanwhile are not overwritten', async () => {
    const realm = await made.makeRealm()
    const { page, close } = await made.signedIn('owner', realm, { path: '/settings' })
    await page.getByRole('button', { name: 'Add a colour' }).click()
    const body = { name: 'Of another', scopes: ['realm:admin'] }
    const { key } = (await made.operate('POST', `/realms/${realm}/keys`, body)) as { key: string }
    await new Realm({ url: made.stage.url, realm, key }).change({ publicBoard: true })
    await page.getByRole('button', { name: 'Save' }).nth(1).click()
    await page.getByText('Saved').first().waitFor()
    const { publicBoard, colours } = await read(realm)
    assert.equal(publicBoard, true)
    assert.equal(Object.keys(colours ?? {}).length, 1)
    await close()
  })

  it('are read-only for a viewer', async () => {
    const realm = await made.makeRealm()
    const { page, close } = await made.signedIn('viewer', realm, { path: '/settings' })
    await page.getByText('only owners can make changes here').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
    assert.ok(await page.getByLabel('Name', { exact: true }).isDisabled())
    assert.equal(await page.getByRole('button', { name: 'Change limit' }).count(), 0)
    await close()
  })

  it('show the realm’s limit, which an operator can change', async () => {
    const realm = await made.makeRealm()
    const { page, close } = await made.signedIn('operator', realm, { path: '/settings' })
    await page.getByText('Default of this installation').waitFor()
    await page.getByRole('button', { name: 'Change limit' }).click()
    await page.getByLabel('Custom').check()
    await page.getByLabel('Requests per second').fill('50')
    await page.getByLabel('Burst size').fill('0')
    await page.getByText('A whole number from 1 to 1,000,000.').waitFor()
    await page.getByLabel('Burst size').fill('400')
    await dialogOf(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText('50 per second, bursts of up to 400').waitFor()
    assert.deepEqual((await read(realm)).rateLimit, { rate: 50, burst: 400 })
    await close()
  })
})
