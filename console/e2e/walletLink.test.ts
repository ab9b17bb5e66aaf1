import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { evmSigner } from '../../tests/support/signers.ts'
import { settled, violations } from './support/axe.ts'
import { dialogOf, shownSecret } from './support/doing.ts'
import { picture } from './support/pictures.ts'
import { play } from './support/stage.ts'

const made = play()

/** What the page of a link sends when the member signs. */
async function signAt(link: string): Promise<void> {
  const wallet = evmSigner()
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${link}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    assert.ok(answer.ok, await answer.clone().text())
    return (await answer.json()) as { readonly message: string }
  }
  const { address } = wallet
  const { message } = await post('/challenges', { address, chain: 'eip155:1' })
  await post('/wallets', { address, message, signature: wallet.sign(message) })
}

describe('a wallet link', () => {
  it('is shown once, stays pending on the page, and is done when the member has signed', async () => {
    const realm = await made.makeRealm()
    await made.manage('PUT', `/realms/${realm}/members/7`, { displayName: 'Ada' })
    const { page, close } = await made.signedIn('manager', realm, { path: '/members/7' })
    await page.getByRole('button', { name: 'Create wallet link' }).click()
    await dialogOf(page).getByText('Send it only to Ada').waitFor()
    await picture(made, page, 'wallet-link-dialog')
    assert.deepEqual(await violations(page), [])
    const { pathname } = new URL(await shownSecret(page))
    await page.getByText('Waiting for a signature.').waitFor()
    await page.getByRole('link', { name: 'All members' }).click()
    await page.getByRole('link', { name: 'Ada' }).click()
    await page.getByText('Waiting for a signature.').waitFor()
    await settled(page)
    await picture(made, page, 'wallet-link-pending')
    assert.deepEqual(await violations(page), [])
    await signAt(`${made.stage.url}${pathname}`)
    await page.getByText('Ada has verified a wallet').first().waitFor()
    await page.getByText('verified', { exact: true }).waitFor()
    await page.getByText('Waiting for a signature.').waitFor({ state: 'detached' })
    await close()
  })

  it('is not offered to a viewer', async () => {
    const realm = await made.makeRealm()
    await made.manage('PUT', `/realms/${realm}/members/7`, { displayName: 'Ada' })
    const { page, close } = await made.signedIn('viewer', realm, { path: '/members/7' })
    await page.getByText('No wallets linked.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Create wallet link' }).count(), 0)
    await close()
  })
})
