import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { choose, dialogOf, rowOf, shownSecret } from './support/doing.ts'
import { play } from './support/stage.ts'

const made = play()

/** The API's status for listing the realm's members with a key. */
async function ask(realm: string, key: string): Promise<number> {
  const url = `${made.stage.url}/api/v4/realms/${realm}/members`
  return (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status
}

describe('the life of a key', () => {
  it('is issued, shown once, used, replaced, given an expiry, and revoked', async () => {
    const realm = await made.makeRealm()
    const { page, close } = await made.signedIn('owner', realm, { path: '/keys' })
    // The key that invited the owner.
    await rowOf(page, 'manager').waitFor()

    await page.getByRole('button', { name: 'Issue a key' }).first().click()
    await dialogOf(page).getByRole('button', { name: 'Issue a key' }).click()
    await page.getByText('Enter a name').waitFor()
    await page.getByLabel('Name').fill('the bot')
    await page.getByLabel('Change points').uncheck()
    await page.getByLabel('Read the journal').check()
    await page.getByLabel('Most points in one change').fill('1.5')
    await dialogOf(page).getByRole('button', { name: 'Issue a key' }).click()
    await page.getByText('Enter a whole number').waitFor()
    await page.getByLabel('Most points in one change').fill('100')
    await dialogOf(page).getByRole('button', { name: 'Issue a key' }).click()
    await page.keyboard.press('Escape')
    const key = await shownSecret(page)
    assert.match(key, /^exq_\w+$/)
    assert.equal(await ask(realm, key), 200)
    await rowOf(page, 'the bot').getByText('Read the journal').last().waitFor()
    await rowOf(page, 'the bot').getByText('100 per change').last().waitFor()
    assert.ok(!(await page.content()).includes(key), 'the key is nowhere in the page any more')
    await rowOf(page, key.slice(-4)).waitFor()

    await choose(page, 'the bot', 'Replace')
    await page.getByLabel('Old key expires').selectOption('Immediately')
    await dialogOf(page).getByRole('button', { name: 'Replace' }).click()
    const second = await shownSecret(page)
    assert.notEqual(second, key)
    assert.equal(await ask(realm, second), 200)
    await sleep(1_100)
    assert.equal(await ask(realm, key), 401, 'the old one has ended')
    await page.getByRole('button', { name: 'Show revoked and expired (1)' }).click()
    await rowOf(page, key.slice(-4)).getByText('Revoked').waitFor()

    await choose(page, 'the bot', 'Rename, set expiry and limits')
    await page.getByLabel('Name').fill('the other bot')
    await page.getByLabel('Valid until').selectOption('Until a specific date')
    await page.getByLabel('Last day').fill('2020-01-31')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Choose a day in the future.').waitFor()
    await page.getByLabel('Last day').fill('2099-01-31')
    await page.getByRole('button', { name: 'Save' }).click()
    await rowOf(page, 'the other bot').getByText('31 Jan 2099').last().waitFor()

    await choose(page, 'the other bot', 'Revoke')
    await page.getByText('This can’t be undone.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await ask(realm, second), 200, 'nothing was revoked by asking')
    await choose(page, 'the other bot', 'Revoke')
    await dialogOf(page).getByRole('button', { name: 'Revoke' }).click()
    await rowOf(page, 'the other bot').getByText('Revoked').waitFor()
    await sleep(1_100)
    assert.equal(await ask(realm, second), 401)
    await close()
  })

  it('keeps the old one working through the overlap', async () => {
    const realm = await made.makeRealm()
    const { key } = (await made.operate('POST', `/realms/${realm}/keys`, { name: 'shop' })) as { key: string }
    const { page, close } = await made.signedIn('owner', realm, { path: '/keys' })
    await choose(page, 'shop', 'Replace')
    await dialogOf(page).getByRole('button', { name: 'Replace' }).click()
    const second = await shownSecret(page)
    await sleep(1_100)
    assert.deepEqual([await ask(realm, key), await ask(realm, second)], [200, 200])
    await rowOf(page, key.slice(-4)).getByText('Expires soon').waitFor()
    await close()
  })

  it('is hidden from a manager, who sees whom to ask', async () => {
    const realm = await made.makeRealm()
    const { page, close } = await made.signedIn('manager', realm, { path: '/keys' })
    await page.getByText('Only owners can open this page. Your role is Manager').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Issue a key' }).count(), 0)
    await close()
  })
})
