import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { rowsOf } from '../../tests/support/books.ts'
import { suite } from '../../tests/support/suite.ts'
import { type ForgedSnapshot, forge } from './support/forge.ts'
import { commandLine, realmWithKey } from './support/realm.ts'
import { folder } from './support/run.ts'

const here = folder()
const chain = 'eip155:8453'
const at = (name: string) => join(here.path, name)

let cli: ReturnType<typeof commandLine>
let realmId: string
suite({}, async ({ app, database }) => {
  const realm = await realmWithKey(app.url, { point: { id: 'gold', name: 'Gold' } })
  realmId = realm.id
  cli = commandLine(app.url, realm)
  const rows = [1, 2, 3, 4, 5].map((id) => `${id},m${id},${id * 10}`)
  await cli.run(`import ${here.file('a.csv', `id,username,balance\n${rows.join('\n')}\n`)}`)
  await rowsOf(
    database.superuserUrl,
    `insert into wallets (realm, match, account, address, chain, verified_at)
      select realm, a.text, account, a.text, 'eip155', now() from members
      cross join lateral (select '0x' || left(encode(sha256(id::text::bytea), 'hex'), 40)) a (text)
      where id < 5 and realm = (select realm from realms where id = $1)`,
    [realmId],
  )
  await cli.run(`export realm -o ${at('before.ndjson')}`)
})

async function written(id: string): Promise<string> {
  const { code, out, err } = await cli.run(`snapshots export ${id}`)
  assert.equal(code, 0, err)
  return out
}

describe('a snapshot', () => {
  it('is created after a dry run, listed and shown', async () => {
    const tried = await cli.run(`snapshots create s1 --chain ${chain} --claimable --dry-run`)
    assert.match(tried.out, /points +100 gold of 4 members\nwithout wallet +1 member with 50/, tried.err)
    assert.match(tried.err, /nothing was changed/)
    const first = await cli.run(`snapshots create s0 --chain ${chain}`)
    assert.equal(first.code, 0, first.err)
    const taken = await cli.run(`snapshots create s1 --chain ${chain} --claimable --yes`)
    assert.match(taken.out, /claimable +yes: the points were deducted/, taken.err)
    assert.equal((await cli.json<unknown[]>('snapshots list')).length, 2)
    assert.match((await cli.run('snapshots show s1')).out, /root +0x[0-9a-f]{64}/)
  })

  it('is verified offline with the realm’s export, claimable or not', async () => {
    assert.equal((await cli.run(`export realm -o ${at('realm.ndjson')}`)).code, 0)
    for (const id of ['s0', 's1']) {
      writeFileSync(at(`${id}.json`), await written(id))
      const { code, out, err } = await cli.run(
        `snapshots verify ${at(`${id}.json`)} --export ${at('realm.ndjson')}`,
      )
      assert.equal(code, 0, err)
      assert.match(out, /ok 0x[0-9a-f]{64}/)
      assert.match(err, /4 members with 100 points match the journal; 1 not in the tree\./)
    }
  })

  it('that is wrong is detected: an amount, a node, an export without it', async () => {
    const right = await written('s1')
    const tree = JSON.parse(right) as { tree: string[]; values: { value: string[] }[] }
    const check = (name: string, exported = 'realm.ndjson') =>
      cli.run(`snapshots verify ${at(name)} --export ${at(exported)}`)
    writeFileSync(at('node.json'), right.replace(tree.tree[3] ?? '', `0x${'0'.repeat(64)}`))
    writeFileSync(at('amount.json'), right.replace('"40"', '"41"'))
    assert.match((await check('node.json')).err, /WRONG at the tree/)
    assert.match((await check('amount.json')).err, /WRONG at value/)
    const early = await check('s1.json', 'before.ndjson')
    assert.deepEqual([early.code, /the export is older/.test(early.err)], [1, true], early.err)
    assert.match((await check('realm.ndjson')).err, /WRONG at the tree: this is not a tree/)
  })

  it('that is forged is detected, even if its tree matches its lines', async () => {
    assert.equal((await cli.run('points award 1 7')).code, 0)
    assert.equal((await cli.run(`snapshots create s3 --chain ${chain} --claimable --yes`)).code, 0)
    assert.equal((await cli.run(`export realm -o ${at('all.ndjson')}`)).code, 0)
    const first = ({ claimants }: ForgedSnapshot) => claimants[0] ?? assert.fail()
    const cases: [id: string, change: (forged: ForgedSnapshot) => unknown, expected: RegExp][] = [
      ['s1', () => {}, /4 members with 100 points/],
      [
        's1',
        (all) => all.claimants.push({ ...first(all), address: `0x${'1'.repeat(40)}` }),
        /WRONG at account \d: it is in the snapshot twice/,
      ],
      [
        's1',
        (all) => Object.assign(all.claimants[1] ?? {}, { address: first(all).address }),
        /WRONG at 0x[0-9a-f]{40}: it is in the snapshot twice/,
      ],
      [
        's1',
        (all) => Object.assign(first(all), { leaf: '1'.repeat(64), address: null }),
        /WRONG at account \d: it has the leaf of an erased member/,
      ],
      [
        's0',
        (all) => Object.assign(first(all), { frozen: true }),
        /WRONG at account \d: it is left out as frozen/,
      ],
      ['s3', (all) => all.include(all.of('s1')), /WRONG at entry \d+: it is not part of a claim/],
      ['s1', (all) => all.rename('s9'), /WRONG at entry \d+: it was deducted for s1, not for s9/],
      ['s1', (all) => all.rename('s9', { unsaid: true }), /no longer says for which snapshot/],
      [
        's1',
        (all) => all.rename('s9', { unsaid: true, beside: true }),
        /WRONG at snapshot s9: the same points were deducted for s1/,
      ],
      ['s1', (all) => all.cut(), /WRONG at entry \d+: it belongs to this claim too/],
      [
        's1',
        (all) => all.say('101'),
        /WRONG at snapshot s1: its sum is 101 in the export, but 100 in the tree/,
      ],
    ]
    const missed: string[] = []
    for (const [id, change, expected] of cases) {
      forge(here.path, id, change)
      const { err } = await cli.run(`snapshots verify ${at('forged.json')} --export ${at('forged.ndjson')}`)
      if (!expected.test(err)) missed.push(`${expected}: ${err}`)
    }
    assert.deepEqual(missed, [])
  })
})
