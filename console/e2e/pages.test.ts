import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inThemes, settled, violations } from './support/axe.ts'
import { pages } from './support/pages.ts'
import { demo, play } from './support/stage.ts'

const made = play()

describe('every page', { concurrency: 2 }, () => {
  for (const width of [1280, 390]) {
    it(`has no axe violations in either theme and fits, ${width} wide`, async () => {
      const { page, close } = await made.signedIn('operator', demo, { viewport: { width, height: 800 } })
      for (const { name, path } of pages) {
        await page.goto(`/console${path}`)
        await settled(page)
        const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
        assert.ok(over <= 0, `${name} is ${over} pixels too wide`)
        await inThemes(page, async (theme) => {
          if (made.stage.screenshots) {
            const file = `${made.stage.screenshots}/${name}-${theme}${width < 500 ? '-phone' : ''}.png`
            await page.screenshot({ path: file })
          }
          assert.deepEqual(await violations(page), [], `${name}, ${theme}`)
        })
      }
      await close()
    })
  }

  it('has no axe violations before signing in: sign-in and link pages', async () => {
    const { page, close } = await made.visit()
    for (const path of ['/console/', '/console/#link=exl_nothing']) {
      await page.goto('about:blank')
      await page.goto(path)
      await settled(page)
      await inThemes(page, async (theme) => {
        assert.deepEqual(await violations(page), [], `${path}, ${theme}`)
      })
    }
    await close()
  })
})
