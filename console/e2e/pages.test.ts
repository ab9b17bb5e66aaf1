import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { settled, violations } from './support/axe.ts'
import { pages } from './support/pages.ts'
import { demo, play } from './support/stage.ts'

const made = play()
const looks = [
  { theme: 'light', width: 1280, height: 800 },
  { theme: 'dark', width: 1280, height: 800 },
  { theme: 'light', width: 390, height: 800 },
  { theme: 'dark', width: 390, height: 800 },
] as const

describe('every page', { concurrency: 2 }, () => {
  for (const { theme, width, height } of looks) {
    it(`has no axe violations and fits: ${theme}, ${width} wide`, async () => {
      const { page, close } = await made.signedIn('operator', demo, {
        colorScheme: theme,
        viewport: { width, height },
      })
      for (const { name, path } of pages) {
        await page.goto(`/console${path}`)
        await settled(page)
        const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
        assert.ok(over <= 0, `${name} is ${over} pixels too wide`)
        if (made.stage.screenshots) {
          const file = `${made.stage.screenshots}/${name}-${theme}${width < 500 ? '-phone' : ''}.png`
          await page.screenshot({ path: file })
        }
        assert.deepEqual(await violations(page), [], name)
      }
      await close()
    })
  }

  it('has no axe violations before signing in: sign-in and link pages', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, close } = await made.visit({ colorScheme })
      for (const path of ['/console/', '/console/#link=exl_nothing']) {
        await page.goto('about:blank')
        await page.goto(path)
        await settled(page)
        assert.deepEqual(await violations(page), [], path)
      }
      await close()
    }
  })
})
