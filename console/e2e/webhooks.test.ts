import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { verifyWebhook } from '../../sdk/src/webhooks.ts'
import { Receiver } from '../../tests/support/receiver.ts'
import { dialogOf, rowOf, shownSecret } from './support/doing.ts'
import { guild, looksRight, until } from './support/guild.ts'
import { picture } from './support/pictures.ts'

const made = guild()
const ann = '1190194345295482001'
let receiver: Receiver

before(async () => {
  receiver = await Receiver.start()
})
after(() => receiver.close())

/** A new realm's webhook, by the API. */
const create = async (settings: object = {}): Promise<string> =>
  (await made.realm.webhooks.create({ url: receiver.url, ...settings })).id
const award = () => made.realm.member(ann).adjust(5, { reason: 'a quest' })
const begin = async () => {
  if ((await made.realm.head()).seq === '0') await made.realm.members.put([{ id: ann, username: 'ann' }])
}
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const choose = async (page: Page, action: string) => {
  await page.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
type Shown = { getBoundingClientRect(): Box; contains(other: unknown): boolean }
type Screen = { readonly document: { elementFromPoint(x: number, y: number): unknown } }

/** Whether it is in sight: not scrolled away within the dialog. */
const isOnTop = async (locator: Locator): Promise<boolean> =>
  (await locator.count()) > 0 &&
  locator.evaluate((element) => {
    const [shown, { document }] = [element as unknown as Shown, globalThis as unknown as Screen]
    const { x, y, width, height } = shown.getBoundingClientRect()
    return shown.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })

describe('a webhook', () => {
  it('is added with chosen events, its secret is shown once, and a test reaches the program', async () => {
    await begin()
    const page = await made.open('webhooks')
    await page.getByText('No webhooks yet').waitFor()
    await looksRight(page, 'webhooks-none')
    await picture(made.play, page, 'webhooks-none')

    await button(page, 'Add a webhook').click()
    await dialogOf(page).getByRole('button', { name: 'Add a webhook' }).click()
    await page.getByText('Enter a full URL').waitFor()
    const url = page.getByLabel('URL', { exact: true })
    await page.getByLabel('Include details').scrollIntoViewIfNeeded()
    await dialogOf(page).getByRole('button', { name: 'Add a webhook' }).click()
    await until(() => isOnTop(url))
    await url.fill('https://10.0.0.1/events')
    await page.getByLabel('Description').fill('the shop')
    await page.getByLabel('Only these events').check()
    await page.getByLabel('Points transferred').uncheck()
    await page.getByLabel('Balance crossed').check()
    await button(page, 'Add a balance').click()
    await page.getByLabel('Balance', { exact: true }).fill('100')
    await dialogOf(page).getByRole('button', { name: 'Add a webhook' }).click()
    await until(() => isOnTop(page.getByText('The host is not on the public internet.')))
    await looksRight(page, 'webhooks-dialog-add')
    await picture(made.play, page, 'webhooks-add')
    await url.fill(receiver.url)
    await dialogOf(page).getByRole('button', { name: 'Add a webhook' }).click()
    const secret = await shownSecret(page)
    assert.match(secret, /^whsec_/)
    assert.ok(!(await page.content()).includes(secret), 'the secret is nowhere in the page any more')

    await rowOf(page, 'the shop').getByText('Healthy').waitFor()
    await looksRight(page, 'webhooks-list')
    await picture(made.play, page, 'webhooks-list')
    await page.getByRole('link', { name: 'the shop' }).click()
    await page.getByText('Nothing was sent yet').waitFor()
    receiver.respond = (_, response) => void response.end('thank you')
    await button(page, 'Send a test').click()
    await page.getByText('Your program accepted it: 200').waitFor()
    await page.getByText('thank you').waitFor()
    const got = receiver.got.at(-1)
    assert.ok(got)
    assert.equal((await verifyWebhook(got.headers, got.body, secret)).type, 'endpoint.test')

    for (let nth = 0; nth < 3; nth += 1) await award()
    await rowOf(page, 'Points awarded or deducted').nth(2).waitFor()
    await page.getByText('Up to date').first().waitFor()
    await looksRight(page, 'webhook-healthy')
    await picture(made.play, page, 'webhook-healthy')
    const [added] = await made.realm.webhooks.list().toArray({ max: 1 })
    assert.ok(added)
    const { id, types, thresholds } = added
    assert.deepEqual(types, ['points.adjusted', 'balance.crossed'])
    assert.deepEqual(
      thresholds.map(({ tokens }) => tokens),
      [100],
    )
    await made.realm.webhooks.remove(id)
  })

  it('that fails shows what the program answered; after a fix it goes on', async () => {
    await begin()
    const id = await create({ ordered: true, description: 'the bot' })
    receiver.respond = (_, response) => void response.writeHead(500).end('the database is down')
    await award()
    const { transactionId: second } = await award()
    const page = await made.open(`webhooks/${id}`)
    await page.getByText('Stopped at one event').waitFor()
    await page.getByText('2 entries behind').first().waitFor()
    await page.getByLabel('Failed').check()
    await rowOf(page, 'the database is down').first().waitFor()
    await looksRight(page, 'webhook-failing')
    await picture(made.play, page, 'webhook-failing')
    await rowOf(page, 'the database is down').first().getByRole('button').click()
    await dialogOf(page).getByText('Response of your program').waitFor()
    await looksRight(page, 'webhook-dialog-delivery')
    await picture(made.play, page, 'webhook-delivery')
    await dialogOf(page).getByRole('button', { name: 'Close' }).last().click()

    await button(page, 'Skip this event').click()
    await dialogOf(page).getByText('Your program never gets it').waitFor()
    await dialogOf(page).getByRole('button', { name: 'Skip this event' }).click()
    await dialogOf(page).waitFor({ state: 'detached' })
    await page.getByText(`Event: evt_${second}_`).waitFor()
    receiver.respond = (_, response) => void response.end()
    await button(page, 'Try now').click()
    await page.getByText('Stopped at one event').waitFor({ state: 'detached' })
    await page.getByText('Up to date').first().waitFor()
    await made.realm.webhooks.remove(id)
  })

  it('sends events again, by day or by number, with the same ids', async () => {
    await begin()
    const id = await create()
    receiver.respond = (_, response) => void response.end()
    const { transactionId } = await award()
    const page = await made.open(`webhooks/${id}`)
    await rowOf(page, `evt_${transactionId}_`).waitFor()
    await button(page, 'Send again').click()
    await dialogOf(page).getByText(`1 to ${transactionId}`).waitFor()
    await dialogOf(page).getByText('Entry number').click()
    await page.getByLabel('First entry').fill('999999')
    await page.getByLabel('Last entry').fill('9999999')
    await page.getByText(`The last entry of the journal is ${transactionId}.`).waitFor()
    assert.ok(await dialogOf(page).getByRole('button', { name: 'Send again' }).isDisabled())
    await page.getByLabel('First entry').fill(transactionId)
    await page.getByText(`This is entry ${transactionId}.`).waitFor()
    await looksRight(page, 'webhook-dialog-replay')
    await picture(made.play, page, 'webhook-replay')
    const count = receiver.got.length
    await dialogOf(page).getByRole('button', { name: 'Send again' }).click()
    await until(async () => receiver.got.length > count)
    const again = receiver.got.at(-1)
    assert.deepEqual([again?.event.data.seq, again?.headers['webhook-replay']], [transactionId, 'true'])
    assert.equal(again?.id, receiver.got.at(count - 1)?.id)
    await rowOf(page, 'Replay').waitFor()
    await looksRight(page, 'webhook-replayed')
    await picture(made.play, page, 'webhook-replayed')
    await made.realm.webhooks.remove(id)
  })

  it('is changed, gets another secret, is disabled and enabled, and deleted', async () => {
    await begin()
    const id = await create({ description: 'the old shop' })
    const page = await made.open(`webhooks/${id}`)
    await choose(page, 'Change')
    await page.getByLabel('Description').fill('the new shop')
    await page.getByLabel('Keep the order').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'the new shop' }).waitFor()
    const changed = await made.realm.webhooks.get(id)
    assert.deepEqual([changed.ordered, changed.types, changed.window], [true, null, 8])

    await choose(page, 'Replace the secret')
    await dialogOf(page).getByRole('button', { name: 'Replace the secret' }).click()
    assert.match(await shownSecret(page), /^whsec_/)
    await page.getByText('Old secret until').waitFor()

    await choose(page, 'Disable')
    await dialogOf(page).getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Nothing is sent', { exact: true }).waitFor()
    await page.getByText('It was disabled by a person or a program.').waitFor()
    await looksRight(page, 'webhook-disabled')
    await picture(made.play, page, 'webhook-disabled')
    await button(page, 'Enable').click()
    await page.getByText('Nothing is sent', { exact: true }).waitFor({ state: 'detached' })
    assert.equal((await made.realm.webhooks.get(id)).state, 'active')

    await choose(page, 'Delete')
    await dialogOf(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No webhooks yet').waitFor()
    assert.deepEqual(await made.realm.webhooks.list().toArray({ max: 10 }), [])
  })

  it('that was deleted is reported, with a link to the others', async () => {
    const id = await create()
    const page = await made.open(`webhooks/${id}`)
    await made.realm.webhooks.remove(id)
    await page.reload()
    await page.getByText('This webhook does not exist').waitFor()
    await page.getByRole('link', { name: 'Webhooks' }).last().click()
    await page.getByText('No webhooks yet').waitFor()
  })

  it('is hidden from a manager, who sees whom to ask', async () => {
    for (const path of ['webhooks', 'webhooks/1']) {
      const page = await made.open(path, { role: 'manager' })
      await page.getByText('Only owners can open this page. Your role is Manager').waitFor()
      assert.equal(await page.getByRole('link', { name: 'Webhooks' }).count(), 0)
    }
  })

  it('fits a phone in German and in the dark, also when it waits', async () => {
    await begin()
    const id = await create({ ordered: true, description: 'der Shop' })
    const others = [await create({ types: ['hold.expired'] }), await create({ description: 'das Archiv' })]
    await made.realm.webhooks.change(others[1] ?? '', { state: 'disabled' })
    receiver.respond = (_, response) => void response.writeHead(500).end('Fehler')
    await award()
    await until(async () => (await made.realm.webhooks.get(id)).blockedEventId !== null)
    const wide = await made.open('webhooks')
    await wide.getByText('Waiting', { exact: true }).waitFor()
    for (const state of ['Healthy', 'Disabled']) await wide.getByText(state, { exact: true }).waitFor()
    await picture(made.play, wide, 'webhooks-states')
    const page = await made.open('webhooks', { phone: true, theme: 'dark', german: true })
    await page.getByText('Wartet', { exact: true }).waitFor()
    await looksRight(page, 'webhooks-phone-dark-de', made.screenshots)
    await page.getByRole('link', { name: 'der Shop' }).click()
    await page.getByText('Bei einem Ereignis angehalten').waitFor()
    await page.getByText('Fehler', { exact: true }).first().waitFor()
    await looksRight(page, 'webhook-phone-dark-de', made.screenshots)
    for (const one of [id, ...others]) await made.realm.webhooks.remove(one)
  })
})
