import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Health } from '../../sdk/src/index.ts'
import { Link } from '../../tests/support/link.ts'
import { environment, runCommand, startServerProcess } from '../../tests/support/process.ts'
import { formatOf } from '../src/format.ts'
import { judge, type State, worstOf } from '../src/pages/health/judge.ts'
import { en } from '../src/words/en.ts'
import { violations } from './support/axe.ts'
import { change } from './support/database.ts'
import { dialogOf, rowOf } from './support/doing.ts'
import { guild } from './support/guild.ts'
import { play } from './support/stage.ts'

const made = play()
const crooked = guild()

describe('realms', () => {
  it('are created by an operator, found by part of the name, and opened', async () => {
    const { page, close } = await made.signedIn('operator', await made.makeRealm())
    await page.goto('/console/')
    await page.getByRole('button', { name: 'Create a realm' }).click()
    const dialog = dialogOf(page)
    await dialog.getByRole('button', { name: 'Create a realm' }).click()
    await dialog.getByText('Enter a name.').waitFor()
    await dialog.getByLabel('Name').fill('Harbour of Lights')
    await dialog.getByLabel('Currency').fill('Shells')
    await dialog.getByRole('button', { name: 'Create a realm' }).click()
    await page.getByRole('heading', { name: 'Harbour of Lights', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Currencies', exact: true }).click()
    await rowOf(page, 'Shells').getByText('Default').waitFor()
    await page.getByRole('link', { name: 'Realms' }).click()
    await page.getByLabel('Find a realm').fill('harbour')
    const found = page.getByRole('listitem').filter({ hasText: 'Harbour of Lights' })
    await found.getByRole('link').click()
    await page.getByRole('heading', { name: 'Harbour of Lights', exact: true }).waitFor()
    await page.goto('/console/?all=true&q=no+such+realm')
    await page.getByText('No realm found for “no such realm”').waitFor()
    await close()
  })
})

describe('health', () => {
  it('shows an operator the state of the installation and what to do', async () => {
    const { page, close } = await made.signedIn('operator', await made.makeRealm())
    await page.getByRole('link', { name: 'Health' }).click()
    await page.getByText('PostgreSQL responds.').waitFor()
    await page.getByText('Serving requests.').waitFor()
    await page
      .getByText('Up to date.')
      .or(page.getByText(/s behind, in/))
      .first()
      .waitFor()
    const { code, out } = await runCommand(['verify', '--hurry'], environment(made.stage.urls))
    assert.equal(code, 0, out)
    // The verification result may be 15 seconds old.
    await page.getByText('every entry, balance and hash is correct').waitFor({ timeout: 40_000 })
    await page.getByText('All systems operational').waitFor()
    await close()
  })

  it('shows that verification failed, for as long as it does', async () => {
    const { id: realm } = crooked.realm
    await crooked.realm.import('id,username,balance\n7,ada,5\n', { name: 'all' })
    const page = await crooked.open('', { role: 'operator' })
    await page.getByRole('link', { name: 'Health' }).click()
    const forge = (by: number) => {
      const text = `update balances set balance = balance + $2
        where realm = (select realm from realms where id = $1)`
      return change(made.stage.urls, text, [realm, by])
    }
    const verify = () => runCommand(['verify', '--hurry'], environment(made.stage.urls))
    await forge(1)
    assert.notEqual((await verify()).code, 0)
    await page.getByText(/Stop writing to that realm, keep a copy/).waitFor({ timeout: 40_000 })
    await page.getByRole('heading', { name: 'Something is wrong' }).waitFor()
    assert.deepEqual(await violations(page), [])
    await forge(-1)
    assert.equal((await verify()).code, 0)
    await page.getByRole('heading', { name: 'All systems operational' }).waitFor({ timeout: 40_000 })
  })

  it('shows when the database is unreachable and when it is back', async (t) => {
    const cable = await Link.to(made.stage.urls.serverUrl)
    t.after(() => cable.close())
    const env = environment({ ...made.stage.urls, serverUrl: cable.url }, { LOG_LEVEL: 'info' })
    const server = await startServerProcess(env)
    t.after(() => server.stop())
    const { page, close } = await made.visit({}, server.baseUrl)
    await page.goto(await made.link('operator', ''))
    await page.getByRole('button', { name: 'Sign in with this link' }).click()
    await page.getByRole('link', { name: 'Health' }).click()
    await page.getByText('PostgreSQL responds.').waitFor()
    cable.cut()
    await page.getByRole('alert').first().waitFor()
    assert.equal(await page.getByText('PostgreSQL responds.').count(), 0)
    cable.repair()
    await page.getByText('PostgreSQL responds.').waitFor({ timeout: 40_000 })
    await close()
  })

  it('rates each part on its own, and the whole by the worst', () => {
    const format = formatOf('en-GB')
    const at = new Date().toISOString()
    const well: Health = {
      version: '1',
      startedAt: at,
      ready: true,
      why: null,
      durability: 'database',
      connections: 1,
      writes: { waiting: 0 },
      database: { up: true, standbys: 1, standbyNeeded: true },
      standings: { lagMs: 0, realmsBehind: 0 },
      verified: { at, ok: true },
    }
    const bad: [State, Partial<Health>, RegExp][] = [
      ['good', {}, /Up to date/],
      ['bad', { ready: false, why: 'It is ending.' }, /It is ending/],
      ['bad', { database: { ...well.database, up: false } }, /does not respond/],
      ['bad', { database: { ...well.database, standbys: 0 } }, /Bring one back/],
      ['good', { database: { up: true, standbys: 0, standbyNeeded: false } }, /No standby has a copy/],
      ['good', { database: { ...well.database, standbys: null } }, /pg_read_all_stats/],
      ['warn', { standings: { lagMs: 20_000, realmsBehind: 3 } }, /20 s behind, in 3 realms/],
      ['warn', { verified: null }, /Not verified/],
      ['warn', { verified: { at: '2020-01-01T00:00:00Z', ok: true } }, /every night/],
      ['bad', { verified: { at, ok: false } }, /Stop writing/],
    ]
    for (const [state, change, said] of bad) {
      const judged = judge({ ...well, ...change }, en.health, format)
      assert.equal(worstOf(judged), state, String(said))
      assert.match(judged.map(({ text }) => text).join('\n'), said)
    }
  })

  it('is denied to an owner', async () => {
    const { page, close } = await made.signedIn('owner', await made.makeRealm())
    for (const path of ['health', 'operators', 'audit']) {
      await page.goto(`/console/${path}`)
      await page.getByText('Only operators of the installation can open this page').waitFor()
    }
    assert.equal(await page.getByRole('link', { name: 'Health' }).count(), 0)
    await close()
  })
})
