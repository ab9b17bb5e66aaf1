import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { call } from '../../tests/support/call.ts'
import { anOperator, invitedPerson } from '../../tests/support/person.ts'
import { settled, violations } from './support/axe.ts'
import { choose, dialogOf, rowOf } from './support/doing.ts'
import { picture } from './support/pictures.ts'
import { play } from './support/stage.ts'

/** Keys of removed people are listed on the page where they were removed, and can be revoked there. */

const made = play()

const issue = async (path: string, key: string, name: string): Promise<void> => {
  const { status, text } = await call('POST', `${made.stage.url}${path}`, { key, body: { name } })
  assert.equal(status, 201, text)
}

describe('keys of a person who is removed', () => {
  it('are listed below the people, and revoked one by one or all at once', async () => {
    const realm = await made.makeRealm()
    const ben = await invitedPerson(made.stage.url, { id: realm }, { role: 'owner', name: 'Ben Baker' })
    const key = await ben.key(realm)
    for (const name of ['the bot', 'the shop', 'the export'])
      await issue(`/api/v4/realms/${realm}/keys`, key, name)
    const { page, close } = await made.signedIn('owner', realm, { path: '/people' })
    await rowOf(page, 'Ben Baker').waitFor()
    assert.equal(await page.getByText('Orphaned keys').count(), 0)
    await choose(page, 'Ben Baker', 'Remove from realm')
    await dialogOf(page).getByText('keep working').waitFor()
    await dialogOf(page).getByRole('button', { name: 'Remove from realm' }).click()
    const keys = page.getByRole('region', { name: 'Orphaned keys' })
    await keys.getByText('the bot').waitFor()
    assert.equal(await keys.getByText('Ben Baker (removed)').count(), 6, 'wide and narrow')
    await dialogOf(page).waitFor({ state: 'detached' })
    await settled(page)
    await picture(made, page, 'people-orphaned')
    assert.deepEqual(await violations(page), [])

    await page.getByRole('button', { name: 'Revoke the key “the bot”' }).click()
    await dialogOf(page).getByText('It was never used.').waitFor()
    await dialogOf(page).getByRole('button', { name: 'Revoke' }).click()
    await keys.getByText('the bot').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Revoke all' }).click()
    await dialogOf(page).getByText('Revoke 2 keys?').waitFor()
    await settled(page)
    await picture(made, page, 'people-revoke-all')
    await dialogOf(page).getByRole('button', { name: 'Revoke' }).click()
    await keys.waitFor({ state: 'detached' })
    await page.getByText('2 keys revoked').first().waitFor()
    await page.goto(`/console/r/${realm}/keys`)
    await page.getByRole('button', { name: 'Show revoked and expired (3)' }).waitFor()
    await close()
  })
})

describe('keys and tokens of an operator who is removed', () => {
  it('are shown immediately, and revoked', async () => {
    const realm = await made.makeRealm()
    const otto = await anOperator(made.stage.url, 'Otto Orphan')
    const { token } = (await otto.send('POST', '/console/session/operator-token')).json as { token: string }
    await issue('/operator/v1/tokens', token, 'backup job')
    await issue(`/operator/v1/realms/${realm}/keys`, token, 'spare key')
    const { page, close } = await made.signedIn('operator', realm)
    await page.goto('/console/operators')
    await choose(page, 'Otto Orphan', 'Remove')
    await dialogOf(page).getByRole('button', { name: 'Remove' }).click()
    const shown = page.getByRole('dialog', { name: 'Keys and tokens of Otto Orphan still work' })
    await shown.getByText('backup job').waitFor()
    await shown.getByText(`Key of ${realm}`).last().waitFor()
    await settled(page)
    await picture(made, page, 'operator-left')
    assert.deepEqual(await violations(page), [])
    await shown.getByRole('button', { name: 'Revoke the key “backup job”' }).click()
    const asked = page.getByRole('dialog', { name: 'Revoke the key “backup job”?' })
    await asked.getByRole('button', { name: 'Revoke' }).click()
    await shown.getByText('backup job').waitFor({ state: 'detached' })
    const { data } = (await made.operate('GET', '/tokens')) as { data: { name: string }[] }
    assert.ok(data.every(({ name }) => name !== 'backup job'))
    await shown.getByRole('button', { name: 'Done' }).click()
    await shown.waitFor({ state: 'detached' })
    await close()
  })
})
