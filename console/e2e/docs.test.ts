import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { demo, play } from './support/stage.ts'

const made = play()
const adjust = '#tag/points/PATCH/api/v4/realms/{realmID}/members/{memberID}/tokenBalance'

/** The reference, opened by an owner signed in to the console; and the hosts it contacted. */
async function reference(width: number) {
  const { page, faults, close } = await made.signedIn('owner', demo)
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  await page.setViewportSize({ width, height: 900 })
  await page.goto(`${made.stage.url}/docs${adjust}`)
  await page.getByRole('heading', { name: 'Add or subtract points' }).first().waitFor()
  hosts.delete('')
  return { page, faults, close, hosts }
}

describe('the reference', () => {
  for (const width of [1440, 390])
    it(`shows a recorded example ${width} pixels wide, fits, and contacts no other host`, async () => {
      const { page, close, hosts } = await reference(width)
      const sent = page.getByText('"Won the quiz"').first()
      await sent.waitFor()
      await sent.scrollIntoViewIfNeeded()
      assert.ok(await sent.isVisible())
      assert.deepEqual([...hosts], [new URL(made.stage.url).host])
      assert.ok(((await page.evaluate('document.documentElement.scrollWidth')) as number) <= width)
      await close()
    })

  it('can call the API, but not the console’s session or window', async () => {
    const { page, faults } = await reference(1440)
    const tried = (path: string) => page.evaluate(`fetch('${path}').then((a) => a.status, () => 'kept out')`)
    assert.equal(await tried('/healthz'), 200)
    assert.deepEqual(faults, [])
    assert.equal(await tried('/console/session'), 'kept out')
    assert.equal(await tried('/console/'), 'kept out')
    assert.equal(await page.evaluate("window.open('/console/')"), null)
    assert.ok(faults.length > 0, 'the browser names the policy')
    await page.context().close()
  })
})
