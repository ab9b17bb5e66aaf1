import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { Realm } from '../../../sdk/src/index.ts'
import { scopes } from '../../../server/src/keys/scopes.ts'
import { violations } from './axe.ts'
import { Play, type Role, type Visit } from './stage.ts'

/** The role and display options of a visit. */
export type Look = {
  readonly role?: Role
  readonly theme?: 'light' | 'dark'
  readonly phone?: boolean
  readonly german?: boolean
}

/** A realm for one test file, a client with all scopes, and browser windows on its pages. */
export class Guild {
  readonly play = new Play()
  readonly #visits: Visit[] = []
  realm = {} as Realm

  async start(): Promise<void> {
    await this.play.start()
    const id = await this.play.makeRealm()
    const body = { name: 'The bot', scopes }
    const { key } = (await this.play.operate('POST', `/realms/${id}/keys`, body)) as { key: string }
    this.realm = new Realm({ url: this.url, realm: id, key })
  }

  async stop(): Promise<void> {
    try {
      for (const visit of this.#visits) await visit.close()
    } finally {
      await this.play.stop()
    }
  }

  get url(): string {
    return this.play.stage.url
  }
  get screenshots(): string | undefined {
    return this.play.stage.screenshots
  }

  addressOf(path: string): string {
    return `${this.url}/console/r/${this.realm.id}/${path}`
  }

  /** A window with Ann Archer signed in, on a page of the realm. */
  async open(path: string, { role = 'owner', theme = 'light', phone, german }: Look = {}): Promise<Page> {
    const viewport = phone ? { width: 390, height: 844 } : { width: 1280, height: 860 }
    const visit = await this.play.signedIn(role, this.realm.id, { colorScheme: theme, viewport })
    this.#visits.push(visit)
    if (german) await visit.page.evaluate("localStorage.setItem('exchequer.language', 'de')")
    await visit.page.goto(this.addressOf(path))
    await visit.page.locator('main h1').waitFor()
    return visit.page
  }
}

/** For the tests of one file. */
export function guild(): Guild {
  const made = new Guild()
  before(() => made.start())
  after(() => made.stop())
  return made
}

const patienceMs = 10_000

/** Polls until the condition holds. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + patienceMs; !(await isSo()); await sleep(50))
    assert.ok(Date.now() < end, `not within ${patienceMs} ms`)
}

/** Asserts that axe finds no violation and that nothing is wider than the window. */
export async function looksRight(page: Page, name: string, folder?: string): Promise<void> {
  // Content that is fading in has too little contrast.
  await page.waitForTimeout(300)
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: !name.includes('dialog') })
  assert.deepEqual(await violations(page), [], name)
  const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  assert.equal(beyond, 0, `${name} is wider than the window`)
}
