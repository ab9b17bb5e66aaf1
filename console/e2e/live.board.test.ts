import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it } from 'node:test'
import { guild, until } from './support/guild.ts'

const made = guild()
const ann = '1190194345295482001'

it('an award is on the public leaderboard, and on a page that embeds it, without a reload', async (t) => {
  await made.realm.members.put([{ id: ann, username: 'ann' }])
  await made.realm.member(ann).adjust(1_000)
  await made.realm.change({ publicBoard: true })
  const address = `${made.url}/boards/${made.realm.id}`
  await until(async () => (await fetch(address)).ok)
  const board = await made.play.visit()
  await board.page.goto(address)
  await board.page.getByText('1,000').waitFor()
  const embedding = await made.play.visit()
  const html = `<!doctype html><html lang="en"><title>A guild</title>
    <script type="module" src="${made.url}/leaderboard.js"></script>
    <exchequer-leaderboard realm="${made.realm.id}"></exchequer-leaderboard></html>`
  const site = createServer((_request, answer) => answer.setHeader('content-type', 'text/html').end(html))
  site.listen(0, '127.0.0.1')
  t.after(() => site.close())
  await once(site, 'listening')
  await embedding.page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
  await embedding.page.getByText('1,000').waitFor()
  for (const total of ['1,001', '1,002', '1,003']) {
    await made.realm.member(ann).adjust(1)
    for (const { page } of [board, embedding]) await page.getByText(total).waitFor({ timeout: 2_500 })
  }
  await board.close()
  await embedding.close()
})
