import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { violations } from './support/axe.ts'
import { choose, dialogOf } from './support/doing.ts'
import { picture } from './support/pictures.ts'
import { play } from './support/stage.ts'

const made = play()

/** A realm with a name of its own, in the list of all. */
async function namedRealm(): Promise<{ realm: string; name: string }> {
  const realm = `e2e-${randomBytes(4).toString('hex')}`
  const name = `Harbour ${realm}`
  await made.operate('POST', '/realms', { id: realm, name, point: { id: 'gold', name: 'Gold' } })
  return { realm, name }
}

describe('suspending a realm', () => {
  it('asks for a reason, which team members see, and is lifted again', async () => {
    const { realm, name } = await namedRealm()
    const read = async () =>
      ((await made.operate('GET', `/realms/${realm}`)) as { suspended: { reason: string } | null }).suspended
    const owner = await made.signedIn('owner', realm, { path: '/settings' })
    const { page, close } = await made.signedIn('operator', realm)
    await page.goto(`/console/?all=true&q=${realm}`)
    const row = page.getByRole('listitem').filter({ hasText: name })
    await choose(page, name, 'Suspend')
    await dialogOf(page).getByText('nothing is deleted').waitFor()
    await dialogOf(page).getByRole('button', { name: 'Suspend' }).click()
    await dialogOf(page).getByText('Enter a reason.').waitFor()
    assert.equal(await read(), null)
    await dialogOf(page).getByLabel('Reason').fill('Invoice 118 is unpaid.')
    assert.deepEqual(await violations(page), [])
    await picture(made, page, 'realm-suspend')
    await dialogOf(page).getByRole('button', { name: 'Suspend' }).click()
    await row.getByText('Suspended', { exact: true }).waitFor()
    assert.equal((await read())?.reason, 'Invoice 118 is unpaid.')
    assert.deepEqual(await violations(page), [])
    await picture(made, page, 'realm-suspended')
    await owner.page.reload()
    await owner.page.getByText('Invoice 118 is unpaid.').waitFor()

    await choose(page, name, 'Resume')
    await dialogOf(page).getByText('Invoice 118 is unpaid.').waitFor()
    await picture(made, page, 'realm-resume')
    await dialogOf(page).getByRole('button', { name: 'Resume' }).click()
    await page.getByText(`${name} resumed`).waitFor()
    await row.getByText('Suspended', { exact: true }).waitFor({ state: 'detached' })
    assert.equal(await read(), null)
    await owner.page.reload()
    await owner.page.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await owner.page.getByText('Invoice 118 is unpaid.').count(), 0)
    await owner.close()
    await close()
  })

  it('is only for operators', async () => {
    const { realm, name } = await namedRealm()
    const { page, close } = await made.signedIn('owner', realm)
    await page.goto('/console/?all=true')
    await page.getByRole('listitem').filter({ hasText: name }).waitFor()
    assert.equal(await page.getByRole('button', { name: `Actions for ${name}` }).count(), 0)
    await close()
  })

  it('says which cell a realm is in where there is more than one', async () => {
    const { realm, name } = await namedRealm()
    const { page, close } = await made.signedIn('operator', realm)
    await page.route(/\/operator\/v1\/realms\?/, async (route) => {
      const answer = await route.fetch()
      const { data, nextCursor } = (await answer.json()) as { data: object[]; nextCursor: string | null }
      const far = { id: 'far', name: 'Far away', cell: 7, createdAt: '2026-01-01T00:00:00Z' }
      await route.fulfill({ response: answer, json: { data: [...data, far], nextCursor } })
    })
    await page.goto(`/console/?all=true`)
    await page.getByRole('listitem').filter({ hasText: 'Far away' }).getByText('Cell 7').waitFor()
    await page.getByRole('listitem').filter({ hasText: name }).getByText('Cell 0').waitFor()
    await page.getByRole('button', { name: 'Actions for Far away' }).click()
    await page.getByRole('menuitem', { name: 'Suspend or resume' }).waitFor()
    await close()
  })
})
