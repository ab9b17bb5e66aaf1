import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manager, poor, rich } from '../../tests/support/fixture.ts'
import { operatorToken } from '../../tests/support/process.ts'
import { suite } from '../../tests/support/suite.ts'
import { commandLine, realmWithKey } from './support/realm.ts'
import { folder } from './support/run.ts'

let cli: ReturnType<typeof commandLine>
const here = folder()
suite({}, async ({ app }) => {
  const realm = await realmWithKey(app.url, { name: 'Guild', point: { id: 'gold', name: 'Gold' } })
  const at = { baseUrl: app.url, token: operatorToken }
  const members = [{ id: rich }, { id: poor }]
  await manager(at, 'POST', { path: `/realms/${realm.id}/members`, body: { members } })
  await manager(at, 'PUT', { path: `/realms/${realm.id}/members/${rich}/identities/shop:9f1c`, body: {} })
  cli = commandLine(app.url, realm)
})

type Award = { readonly awardId: string; readonly status: string; readonly grantAt: string | null }

describe('awards', () => {
  it('are created, listed, shown, granted and cancelled', async () => {
    const made = await cli.run(`awards create ${rich} 40 --reference order-17`)
    assert.deepEqual([made.code, made.out], [0, `40 points are promised to ${rich}.\n`])
    const [, id = ''] = /^Award (\d+)\. .* exchequer awards grant \1\n$/.exec(made.err) ?? []
    assert.match((await cli.run('awards list')).out, new RegExp(`^${id} +${rich} +40 +gold`, 'm'))
    assert.equal((await cli.json<Award[]>(`awards list --member ${rich}`)).length, 1)
    assert.equal((await cli.run(`awards list --member ${poor}`)).err, 'There are no pending awards.\n')
    assert.match((await cli.run(`awards grant ${id} --dry-run`)).out, /^40 points would be granted/)
    assert.match((await cli.run(`awards show ${id}`)).out, /^status +pending$/m)
    const granted = await cli.run(`awards grant ${id} --reason kept`)
    assert.equal(granted.out, '40 points are granted; the balance is 40.\n')
    assert.equal((await cli.json<Award>(`awards show ${id}`)).status, 'granted')
    const second = await cli.json<Award>(`awards create ${rich} 20 --grant-at 2030-01-31T12:00:00Z`)
    assert.equal(second.grantAt, '2030-01-31T12:00:00.000Z')
    const cancelled = await cli.run(`awards cancel ${second.awardId}`)
    assert.equal(cancelled.out, 'The promise of 20 points is cancelled.\n')
    assert.equal((await cli.run(`awards cancel ${second.awardId}`)).code, 1)
  })

  it('are created once under a key', async () => {
    const line = `awards create ${rich} 5 --idempotency-key cart-9`
    const [first, second] = [await cli.json<Award>(line), await cli.json<Award>(line)]
    assert.deepEqual(first, second)
  })
})

describe('an exported realm', () => {
  it('with pending awards and identities is verified', async () => {
    const { code, out, err } = await cli.run('export realm')
    assert.equal(code, 0, err)
    assert.match(out, /"award":\{/)
    const file = here.file('realm.ndjson', out)
    const verified = await cli.run(`verify ${file}`)
    assert.equal(verified.code, 0, verified.err)
    const missing = here.file('missing.ndjson', out.replace(/"tokens":"?5"?(?=,"grantUs")/, '"tokens":"4"'))
    assert.match(
      (await cli.run(`verify ${missing}`)).err,
      /5 gold are pending, but its pending awards add up to 4/,
    )
  })
})
