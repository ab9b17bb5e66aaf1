import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import { dialogOf } from '../support/doing.ts'
import { idle } from '../support/requests.ts'

/** What the hands did: a click, a character typed into a field, or another key or shortcut by its name. */
export type Action = 'click' | 'character' | (string & {})
export type UploadedFile = { readonly name: string; readonly mimeType: string; readonly buffer: Buffer }
type Role = Parameters<Page['getByRole']>[0]
type Name = string | RegExp

const patienceMs = 30_000
const typable = 'input:not([type=checkbox], [type=radio]):focus, textarea:focus'

/** The hands and eyes of a person: the tasks use a page only through them, so that everything is counted. */
export class Hands {
  readonly #page: Page
  readonly actions: Action[] = []

  constructor(page: Page) {
    this.#page = page
  }

  #find(role: Role, name: Name): Locator {
    return this.#page.getByRole(role, { name, exact: true }).filter({ visible: true })
  }

  /** Clicks the only element with this role and name, or the one in a row of a table. */
  async click(role: Role, name: Name, inRow?: string): Promise<void> {
    const row = this.#page.getByRole('row').filter({ hasText: inRow ?? '' })
    await (inRow === undefined ? this.#find(role, name) : row.getByRole(role, { name })).click()
    this.actions.push('click')
  }

  async press(key: string): Promise<void> {
    await this.#page.keyboard.press(key)
    this.actions.push(key)
  }

  /** Types into the field that has the focus. */
  async type(text: string): Promise<void> {
    assertNoId(text)
    await this.#page.locator(typable).waitFor()
    await this.#page.keyboard.type(text)
    this.actions.push(...Array.from(text, () => 'character'))
  }

  /** Pastes what was copied elsewhere. */
  async paste(text: string): Promise<void> {
    assertNoId(text)
    await this.#page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
    await this.press('Control+v')
  }

  /** Opens the highlighted result of the finder, once all results are there. */
  async choose(result: string): Promise<void> {
    await idle(this.#page)
    await this.#page.locator('[data-highlighted]', { hasText: result }).waitFor()
    await this.press('Enter')
  }

  /** Clicks a button, and a file in the window of the operating system: two clicks. */
  async pickFile(button: string, file: UploadedFile): Promise<void> {
    const opened = this.#page.waitForEvent('filechooser')
    await this.click('button', button)
    await (await opened).setFiles(file)
    this.actions.push('click')
  }

  /** Waits until an element is shown and enabled. */
  async sees(role: Role, name: Name): Promise<void> {
    await this.#page
      .getByRole(role, { name, exact: true, disabled: false })
      .filter({ visible: true })
      .first()
      .waitFor()
  }

  async reads(text: string): Promise<void> {
    await this.#page.getByText(text).filter({ visible: true }).first().waitFor()
  }

  /** Waits until the dialog is closed. */
  async seesPage(): Promise<void> {
    await dialogOf(this.#page).waitFor({ state: 'detached' })
  }

  /** Waits until the focus is on an element: without a click or Tab it is only where the page has put it. */
  async hasFocus(role: Role, name: Name): Promise<void> {
    await this.#find(role, name).and(this.#page.locator(':focus')).waitFor()
  }

  /** Waits until a name is the first in a list. */
  async seesFirst(list: string, name: string): Promise<void> {
    const first = this.#find('list', list).getByRole('listitem').first()
    await first.getByRole('link', { name, exact: true }).waitFor()
  }

  /** What the page has put into the clipboard. */
  async copied(pattern: RegExp): Promise<string> {
    for (const end = Date.now() + patienceMs; ; await sleep(50)) {
      const text = await this.#page.evaluate<string>('navigator.clipboard.readText()')
      if (pattern.test(text)) return text
      assert.ok(Date.now() < end, `the clipboard has no text like ${pattern}, but: ${text.slice(0, 200)}`)
    }
  }

  /** After a task that failed, the next one starts on a fresh page. */
  async startAgain(path: string): Promise<void> {
    await this.#page.goto(path)
    await this.#find('heading', /./).first().waitFor()
  }
}

/** People know neither IDs nor entry numbers by heart. */
const assertNoId = (text: string): void => assert.doesNotMatch(text, /\d{3}/, `an ID typed by hand: ${text}`)
