import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before } from 'node:test'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { manager as asManager, operator as asOperator } from '../../../tests/support/fixture.ts'
import { operatorToken } from '../../../tests/support/process.ts'
import type { Urls } from './database.ts'
import { watchRequests } from './requests.ts'

/** What run.ts has started, passed to each test file in the environment. */
export type Stage = {
  readonly url: string
  /** Where Chromium listens. */
  readonly engine: string
  readonly urls: Urls
  readonly screenshots: string | undefined
}
export const stageVariable = 'EXCHEQUER_E2E_STAGE'

export const chromiumArguments = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** The demo realm, with 90 days of history. */
export const demo = 'demo'
export type Role = 'owner' | 'manager' | 'viewer' | 'operator'

export type Visit = {
  readonly page: Page
  /** Errors and CSP violations in the page. */
  readonly faults: readonly string[]
  readonly close: () => Promise<void>
}

function handed(): Stage {
  const text = process.env[stageVariable]
  assert.ok(text, 'run the tests with npm run e2e: they need a server and a browser')
  return JSON.parse(text) as Stage
}

/** A test's access to the server and the browser. Errors in a page fail the test that opened it. */
export class Play {
  stage = {} as Stage
  #browser: Browser | undefined

  async start(stage = handed()): Promise<void> {
    this.stage = stage
    this.#browser = await chromium.connect(this.stage.engine)
  }

  async stop(): Promise<void> {
    await this.#browser?.close()
  }

  /** Calls the operator API. */
  operate(method: string, path: string, body: object = {}): Promise<unknown> {
    return asOperator({ baseUrl: this.stage.url, token: operatorToken }, method, { path, body })
  }

  /** Calls the API with a key of the realm in the path. */
  manage(method: string, path: string, body: object = {}): Promise<unknown> {
    return asManager({ baseUrl: this.stage.url, token: operatorToken }, method, { path, body })
  }

  /** Creates a realm with a point type called Gold. */
  async makeRealm(): Promise<string> {
    const id = `e2e-${randomBytes(4).toString('hex')}`
    await this.operate('POST', '/realms', { id, name: 'The Guild', point: { id: 'gold', name: 'Gold' } })
    return id
  }

  /** A one-time link, as a path of the server. */
  async link(role: Role, realm: string): Promise<string> {
    const name = 'Ann Archer'
    const invited =
      role === 'operator'
        ? this.operate('POST', '/invitations', { name })
        : this.manage('POST', `/realms/${realm}/invitations`, { name, role })
    const { link } = (await invited) as { link: string }
    const { pathname, hash } = new URL(link)
    return pathname + hash
  }

  async visit(options: BrowserContextOptions = {}, at = this.stage.url): Promise<Visit> {
    assert.ok(this.#browser)
    const context = await this.#browser.newContext({ locale: 'en-GB', baseURL: at, ...options })
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    watchRequests(page)
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => {
      if (/Content.Security.Policy/i.test(message.text())) faults.push(message.text())
    })
    const close = async () => {
      await context.close()
      assert.deepEqual(faults, [])
    }
    return { page, faults, close }
  }

  /** A person who has signed in by a link, on a page of a realm. */
  async signedIn(
    role: Role,
    realm: string,
    options: BrowserContextOptions & { path?: string } = {},
  ): Promise<Visit> {
    const { path = '', ...rest } = options
    const visit = await this.visit(rest)
    await visit.page.goto(await this.link(role, realm))
    await visit.page.getByRole('button', { name: 'Sign in with this link' }).click()
    await visit.page
      .getByRole('navigation')
      .or(visit.page.getByRole('button', { name: 'Menu' }))
      .first()
      .waitFor()
    await visit.page.goto(`/console/r/${realm}${path}`)
    return visit
  }
}

/** The open form. Toasts have the role dialog too, but no form. */
export const formOf = (page: Page) => page.getByRole('dialog').filter({ has: page.locator('form') })

/** For the tests of one file. */
export function play(): Play {
  const made = new Play()
  before(() => made.start())
  after(() => made.stop())
  return made
}
