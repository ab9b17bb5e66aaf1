import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'
import { someone, writeCrowd } from '../../bench/crowd.ts'
import { Realm } from '../../sdk/src/index.ts'
import { environment, runCommand } from '../../tests/support/process.ts'
import { Play, type Stage } from './support/stage.ts'

/** The slowest request allowed while scrolling and searching the list. */
const boundMs = 100
const realm = 'crowded'
const screens = 300
const searches = 200

type Timed = { readonly what: string; readonly path: string; readonly ms: number }

/** The duration of each API request, by activity. */
class Watch {
  readonly timed: Timed[] = []
  #what = ''
  #open = 0

  constructor(page: Page) {
    page.on('request', (request) => {
      if (isApi(request)) this.#open += 1
    })
    page.on('requestfinished', (request) => this.#ended(request))
    page.on('requestfailed', (request) => this.#ended(request))
  }

  #ended(request: Request): void {
    if (!isApi(request)) return
    this.#open -= 1
    const { requestStart, responseEnd } = request.timing()
    const { pathname, search } = new URL(request.url())
    // A request aborted by further typing has no end.
    if (responseEnd >= 0)
      this.timed.push({ what: this.#what, path: pathname + search, ms: responseEnd - requestStart })
  }

  doing(what: string): void {
    this.#what = what
  }

  /** Waits until no request is open and none starts for a moment. */
  async calm(page: Page): Promise<void> {
    do await page.waitForTimeout(60)
    while (this.#open > 0)
  }
}

const isApi = (request: Request): boolean => request.url().includes('/api/v4/')

/** Starts of names, from one letter to the full name, IDs, wallets, and texts without a match. */
function searchOf(index: number): string {
  const { id, username, displayName, wallet } = someone((index * 7_919_830) % 1_000_000)
  const begun = username.slice(0, 1 + (index % username.length))
  return (
    [begun, displayName, String(id), wallet || displayName.slice(0, 6), `unknown ${index}`][index % 5] ?? ''
  )
}

async function scroll(page: Page, watch: Watch): Promise<void> {
  const list = page.getByRole('region', { name: 'Members' })
  await list.getByRole('listitem').first().waitFor()
  await watch.calm(page)
  watch.doing('scrolling')
  for (let screen = 0; screen < screens; screen += 1) {
    await list.evaluate((box: { scrollTop: number; scrollHeight: number }) => {
      box.scrollTop = box.scrollHeight
    })
    await watch.calm(page)
  }
}

async function search(page: Page, watch: Watch): Promise<void> {
  watch.doing('searching')
  const field = page.getByRole('searchbox')
  for (let index = 0; index < searches; index += 1) {
    await field.fill(searchOf(index))
    // The page waits for a pause in the typing.
    await page.waitForTimeout(200)
    await watch.calm(page)
  }
}

/** The other pages of such a realm. */
async function look(page: Page, watch: Watch): Promise<void> {
  for (const path of ['', '/leaderboard', `/members/${someone(777_777).id}`, '/journal']) {
    watch.doing(path === '' ? 'overview' : path.split('/').slice(0, 2).join(''))
    await page.goto(`/console/r/${realm}${path}`)
    await page.locator('main h1').waitFor()
    await watch.calm(page)
  }
}

const longTasks = `window.longTasks = []; new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) window.longTasks.push(duration)
}).observe({ type: 'longtask', buffered: true })`

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

function report({ timed }: Watch): void {
  for (const [what, some] of Map.groupBy(timed, ({ what }) => what)) {
    const ms = some.map((one) => one.ms).sort((a, b) => a - b)
    const figures = [0.5, 0.99, 1].map((share) => percentile(ms, share).toFixed(1))
    console.log(
      `${what}: ${ms.length} requests, ms: median ${figures[0]}, 99 % ${figures[1]}, worst ${figures[2]}`,
    )
  }
}

async function bringIn(play: Play, rows: number): Promise<void> {
  await play.operate('POST', '/realms', { id: realm, name: 'The Crowd', point: { id: 'gold', name: 'Gold' } })
  await play.manage('POST', `/realms/${realm}/points`, { id: 'silver', name: 'Silver' })
  const file = join(tmpdir(), `exchequer-crowd-${process.pid}.csv`)
  try {
    writeCrowd(file, rows)
    const startMs = performance.now()
    const { code, err } = await runCommand(['import', file, '--realm', realm], environment(play.stage.urls))
    if (code !== 0) throw new Error(`the import ended with ${code}: ${err}`)
    console.log(`${rows} members, imported in ${((performance.now() - startMs) / 1000).toFixed(0)} s`)
  } finally {
    rmSync(file, { force: true })
  }
}

/** Waits until the leaderboards include the import: this happens once, and would slow the pages meanwhile. */
async function settled(play: Play, rows: number): Promise<void> {
  const { key } = (await play.operate('POST', `/realms/${realm}/keys`, { name: 'watch' })) as { key: string }
  const client = new Realm({ url: play.stage.url, realm, key })
  const startMs = performance.now()
  // One gold entry per member, and one silver entry for every third.
  const entries = rows + Math.ceil(rows / 3)
  while (Number((await client.statistics()).seq) < entries) await sleep(1_000)
  console.log(`folded in ${((performance.now() - startMs) / 1000).toFixed(0)} s more`)
}

/** Scrolls and searches a list of a million members in the browser, timing every request. */
export async function millionMembers(stage: Stage, rows: number): Promise<void> {
  const play = new Play()
  await play.start(stage)
  try {
    await bringIn(play, rows)
    await settled(play, rows)
    const { page, close } = await play.signedIn('manager', realm)
    const watch = new Watch(page)
    await page.addInitScript(longTasks)
    watch.doing('opening the list')
    await page.goto(`/console/r/${realm}/members`)
    await scroll(page, watch)
    await search(page, watch)
    const tasks = await page.evaluate<number[]>('window.longTasks')
    const listed = watch.timed.length
    await look(page, watch)
    report(watch)
    console.log(`the page itself was busy for at most ${Math.max(0, ...tasks).toFixed(0)} ms at a time`)
    const slow = watch.timed.slice(0, listed).filter(({ ms }) => ms > boundMs)
    for (const { path, ms } of slow.slice(0, 20)) console.log(`slow: ${ms.toFixed(1)} ms, ${path}`)
    if (slow.length > 0) process.exitCode = 1
    console.log(`${listed - slow.length} passed, ${slow.length} failed`)
    await close()
  } finally {
    await play.stop()
  }
}
