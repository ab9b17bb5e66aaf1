import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inThemes, settled } from './support/axe.ts'
import { isStream } from './support/requests.ts'
import { demo, play } from './support/stage.ts'

const made = play()
const most = 300_000

describe('the first load', () => {
  it('shows the shape of the frame before any script, in both themes', async () => {
    const { page, close } = await made.signedIn('viewer', demo)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\.js$/, async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/console/', { waitUntil: 'commit' })
    const skeleton = page.locator('#skeleton')
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await skeleton.waitFor()
      assert.equal(await page.locator('#root').innerHTML(), '')
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
      await inThemes(page, async (theme) => {
        const { screenshots } = made.stage
        const file = `${screenshots}/skeleton-${theme}${width < 500 ? '-phone' : ''}.png`
        if (screenshots) await page.screenshot({ path: file })
      })
    }
    release()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await skeleton.waitFor({ state: 'hidden' })
    await close()
  })

  it(`of a realm’s overview takes at most ${most} bytes of files`, async () => {
    const { page, close } = await made.signedIn('viewer', demo)
    await page.getByRole('heading', { level: 1 }).waitFor()
    // With a route nothing is taken from the cache.
    await page.route('**/*', (route) => route.continue())
    const sizes = new Map<string, Promise<number>>()
    page.on('requestfinished', (request) => {
      if (isStream(request)) return
      const size = request.sizes().then(({ responseBodySize }) => responseBodySize)
      sizes.set(request.url(), size)
    })
    await page.reload()
    await page.locator('svg[role=img]').nth(3).waitFor()
    await settled(page)
    const read = await Promise.all([...sizes].map(async ([url, size]) => [url, await size] as const))
    // Data is as large as the realm's activity.
    const isFile = ([url]: readonly [string, number]) => /\/console\/(assets|r)\//.test(url)
    const sum = (end: RegExp, among = read.filter(isFile)) =>
      among.reduce((all, [url, size]) => all + (end.test(url) ? size : 0), 0)
    const bytes = sum(/./)
    const parts = `scripts ${sum(/\.js$/)}, styles ${sum(/\.css$/)}, fonts ${sum(/\.woff2$/)}`
    console.log(`${bytes} bytes of files: ${parts}; ${sum(/./, read) - bytes} bytes of data`)
    assert.ok(sum(/\.js$/) > 100_000, 'scripts were not counted')
    assert.ok(bytes <= most, `${bytes} bytes in ${read.map(([url]) => url).join(', ')}`)
    await close()
  })
})
