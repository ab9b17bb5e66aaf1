import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'

/** What a task takes. A shortcut is one key; characters are what is typed into a field. */
export type Effort = {
  readonly clicks: number
  readonly keys: number
  /** How many of the keys are Tab. */
  readonly tabs: number
  readonly characters: number
}
export type UploadedFile = { readonly name: string; readonly mimeType: string; readonly buffer: Buffer }
type Role = Parameters<Page['getByRole']>[0]
type Name = string | RegExp

const patienceMs = 10_000
const typable = 'input:focus, textarea:focus'

/** The hands and eyes of a person: the tasks use a page only through them, so that everything is counted. */
export class Hands {
  readonly #page: Page
  #clicks = 0
  #keys = 0
  #tabs = 0
  #characters = 0

  constructor(page: Page) {
    this.#page = page
  }

  get effort(): Effort {
    return { clicks: this.#clicks, keys: this.#keys, tabs: this.#tabs, characters: this.#characters }
  }

  #find(role: Role, name: Name): Locator {
    return this.#page.getByRole(role, { name, exact: true }).filter({ visible: true })
  }

  /** Clicks the only element with this role and name, or the one in a row of a table. */
  async click(role: Role, name: Name, inRow?: string): Promise<void> {
    const row = this.#page.getByRole('row').filter({ hasText: inRow ?? '' })
    await (inRow === undefined ? this.#find(role, name) : row.getByRole(role, { name })).click()
    this.#clicks += 1
  }

  async press(key: string): Promise<void> {
    await this.#page.keyboard.press(key)
    this.#keys += 1
    if (key === 'Tab') this.#tabs += 1
  }

  /** Types into the field that has the focus. */
  async type(text: string): Promise<void> {
    assertNoId(text)
    await this.#page.locator(typable).waitFor()
    await this.#page.keyboard.type(text)
    this.#characters += Array.from(text).length
  }

  /** Pastes what was copied elsewhere. */
  async paste(text: string): Promise<void> {
    assertNoId(text)
    await this.#page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
    await this.press('Control+v')
  }

  /** Opens the highlighted result of the finder. */
  async choose(result: string): Promise<void> {
    await this.#page.locator('[data-highlighted]', { hasText: result }).waitFor()
    await this.press('Enter')
  }

  /** Clicks a button, and a file in the window of the operating system: two clicks. */
  async pickFile(button: string, file: UploadedFile): Promise<void> {
    const opened = this.#page.waitForEvent('filechooser')
    await this.click('button', button)
    await (await opened).setFiles(file)
    this.#clicks += 1
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
