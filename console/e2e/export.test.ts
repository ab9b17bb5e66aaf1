import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { ExportName } from '../../sdk/src/index.ts'
import { guild } from './support/guild.ts'
import { demo } from './support/stage.ts'

const made = guild()
const folder = mkdtempSync(join(tmpdir(), 'exchequer-e2e-'))
after(() => rmSync(folder, { recursive: true, force: true }))

async function saved(page: Page, name: string): Promise<{ readonly name: string; readonly text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Download ${name}` }).click(),
  ])
  const file = join(folder, name)
  await download.saveAs(file)
  return { name: download.suggestedFilename(), text: await readFile(file, 'utf8') }
}

/** A proxy to the server that, once armed, cuts the connection after `bytes` more bytes. */
async function cutAfter(bytes: number, { hostname, port }: URL) {
  let left = Number.POSITIVE_INFINITY
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}))
    near.pipe(far)
    far.on('data', (chunk) => {
      near.write(chunk.subarray(0, left))
      left -= chunk.length
      if (left <= 0) near.destroySoon()
    })
    far.on('close', () => near.destroySoon())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arm: () => {
      left = bytes
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

const files: [string, ExportName][] = [
  ['Members', 'members.csv'],
  ['Balances', 'balances.csv'],
  ['Entries', 'entries.csv'],
  ['The whole realm', 'realm.ndjson'],
]

describe('an export', () => {
  it('is saved by the browser, identical to the API’s response', async () => {
    await made.realm.import('id,username,balance\n5,=HYPERLINK(1),3\n1190194345295482952,ann,7\n', {
      name: 'all',
    })
    const page = await made.open('export')
    for (const [name, file] of files) {
      const expected = await new Response((await made.realm.export(file)).stream).text()
      const { name: as, text } = await saved(page, name)
      assert.equal(text, expected)
      assert.match(as, new RegExp(`^${made.realm.id}-\\d{4}-\\d{2}-\\d{2}-${file}$`))
    }
    await page
      .getByText(/saved · as of entry 2/)
      .first()
      .waitFor()
  })

  it('that is cut off is not saved, and shows an error', async (t) => {
    const cable = await cutAfter(100_000, new URL(made.url))
    t.after(cable.close)
    const { page, close } = await made.play.visit({}, cable.url)
    await page.goto(await made.play.link('viewer', demo))
    await page.getByRole('button', { name: 'Sign in with this link' }).click()
    await page.getByRole('heading', { name: 'Lantern Guild' }).waitFor()
    await page.goto(`/console/r/${demo}/export`)
    const button = page.getByRole('button', { name: 'Download Entries' })
    await button.waitFor()
    page.on('download', () => assert.fail('a part was saved'))
    cable.arm()
    await button.click()
    await page.getByText('The connection was lost before the download finished.').waitFor()
    await close()
  })

  it('that can’t start shows why', async () => {
    const page = await made.open('export')
    await page.route('**/export/members.csv', (route) => route.abort())
    await page.getByRole('button', { name: 'Download Members' }).click()
    await page.getByText('Check your connection.').waitFor()
  })

  it('of the whole realm is for owners; a viewer can download the others', async () => {
    const page = await made.open('export', { role: 'viewer' })
    await page.getByText('Only owners can export the whole realm.').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Download The whole realm' }).isDisabled())
    assert.match((await saved(page, 'Balances')).text, /1190194345295482952/)
  })
})
