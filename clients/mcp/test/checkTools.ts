import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import {
  ann,
  bob,
  type Connected,
  call,
  envOf,
  type KeyName,
  keyScopes,
  type Place,
  refusal,
  start,
} from './place.ts'
import type { Checks } from './run.ts'

/** Which tools each key has, and that each of them works. */

const ofMembers = [
  'get_realm',
  'list_point_types',
  'find_members',
  'get_member',
  'get_balance',
  'get_leaderboard',
  'get_statistics',
  'list_holds',
  'list_pending_awards',
]
const ofJournal = ['list_entries', 'get_entry', 'verify_journal', 'get_checkpoint']
export const ofWrites = ['plan_change', 'apply_plan']

/** What is listed without the flag, and what the flag adds. */
export const listed: Readonly<Record<KeyName, readonly [readonly string[], readonly string[]]>> = {
  viewer: [[...ofMembers, ...ofJournal], []],
  manager: [[...ofMembers, ...ofJournal], ofWrites],
  owner: [[...ofMembers, ...ofJournal], ofWrites],
  plain: [ofMembers, ofWrites],
  auditor: [ofJournal, []],
  poster: [[], []],
}

export const namesOf = async ({ client }: Connected) =>
  (await client.listTools()).tools.map(({ name }) => name).sort()

export async function checkLists(place: Place, { check, isQuick }: Checks): Promise<void> {
  for (const key of Object.keys(keyScopes) as KeyName[])
    for (const flags of [[], ['--allow-writes']]) {
      const [usual, more] = listed[key]
      const wanted = flags.length > 0 ? [...usual, ...more] : usual
      await check(`tools/list: ${key} ${flags.join('')}: ${wanted.length} tools`, async () => {
        const connected = isQuick
          ? await place.link({ key, allowWrites: flags.length > 0 })
          : await place.connect(key, flags)
        try {
          assert.deepEqual(await namesOf(connected), [...wanted].sort())
          for (const name of ofWrites.filter((one) => !wanted.includes(one)))
            await assert.rejects(connected.client.callTool({ name, arguments: {} }), /not found/)
        } finally {
          await connected.close()
        }
      })
    }
}

export async function checkForms(place: Place, { check }: Checks): Promise<void> {
  await check('each tool says what it reads and changes, in words that no data is in', async () => {
    const connected = await place.connect('owner', ['--allow-writes'])
    const { tools } = await connected.client.listTools()
    await connected.close()
    for (const { name, description = '', inputSchema, outputSchema, annotations } of tools) {
      assert.ok(description.length > 40 && description.length < 400, name)
      assert.equal(inputSchema['additionalProperties'], false, name)
      assert.equal(outputSchema?.['additionalProperties'], false, name)
      assert.equal(annotations?.readOnlyHint, name !== 'apply_plan', name)
    }
    assert.doesNotMatch(JSON.stringify(tools), new RegExp(`Guild|${place.realmId}`))
  })

  await check('the same tools by the protocol of 2026, and by the command line', async () => {
    const modern = await place.connect('owner', ['--allow-writes'], { modern: true })
    const env = { ...envOf(place, place.keys.owner), HOME: place.folder }
    const cli = fileURLToPath(new URL('../../../cli/src/main.ts', import.meta.url))
    const other = await start([cli, 'mcp', '--allow-writes'], env)
    try {
      const names = await namesOf(modern)
      assert.equal(names.length, 15)
      assert.deepEqual(await namesOf(other), names)
      assert.deepEqual(await call(modern, 'get_realm'), await call(other, 'get_realm'))
    } finally {
      await Promise.all([modern.close(), other.close()])
    }
  })
}

/** What each reading tool is called with. */
export const calls = (transactionId: string): Readonly<Record<string, object>> => ({
  get_realm: {},
  list_point_types: {},
  find_members: {},
  get_member: { memberId: ann },
  get_balance: { memberId: ann },
  list_entries: { memberId: ann },
  get_entry: { transactionId },
  get_leaderboard: {},
  get_statistics: {},
  list_holds: {},
  list_pending_awards: {},
  verify_journal: {},
  get_checkpoint: {},
})

export async function checkReads(place: Place, { check }: Checks): Promise<void> {
  const { realm, pointId } = place
  const connected = await place.connect('viewer')
  const { transactionId } = await realm.member(ann).adjust(40, { reason: 'a quest', reference: 'quest 7' })
  const { holdId } = (await realm.member(ann).hold(30)).data
  const { tokenBalance } = await realm.member(ann).get()

  await check('every tool that reads answers, and changes nothing', async () => {
    const before = await place.entries()
    // A checkpoint is of an entry that is ten seconds old.
    for (const [name, args] of Object.entries(calls(transactionId)))
      if (name !== 'get_checkpoint')
        assert.ok(Object.keys(await call(connected, name, { ...args })).length > 0, name)
    assert.equal(await place.entries(), before)
  })

  await check('members: found by a part of the name, with what they have', async () => {
    const { data } = (await call(connected, 'find_members', { search: 'an' })) as { data: { id: string }[] }
    assert.deepEqual(
      data.map(({ id }) => id),
      [ann],
    )
    const member = await call(connected, 'get_member', { memberId: ann })
    assert.deepEqual(member['balances'], [{ realmPointId: pointId, tokens: tokenBalance }])
    assert.deepEqual(member['held'], [{ realmPointId: pointId, tokens: 30 }])
    assert.equal(member['displayName'], 'Ann')
    const now = await call(connected, 'get_balance', { memberId: ann })
    assert.deepEqual([now['tokens'], now['held'], now['pending']], [tokenBalance, 30, 0])
    const then = await call(connected, 'get_balance', { memberId: ann, at: '2020-01-01T00:00:00Z' })
    assert.equal(then['tokens'], 0)
  })

  await check('entries: with their reasons, page by page', async () => {
    const first = await call(connected, 'list_entries', { memberId: ann, limit: 2 })
    const [hold, quest] = first['data'] as { holdId: string; reason: string; reference: string }[]
    assert.equal(hold?.holdId, holdId)
    assert.deepEqual([quest?.reason, quest?.reference], ['a quest', 'quest 7'])
    const args = { memberId: ann, limit: 2, cursor: first['nextCursor'] }
    const second = await call(connected, 'list_entries', args)
    assert.equal((second['data'] as { reason: string }[])[0]?.reason, 'a start')
    const entry = await call(connected, 'get_entry', { transactionId })
    assert.deepEqual([entry['toId'], entry['tokens'], entry['reason']], [ann, 40, 'a quest'])
  })

  await check('rankings, holds and awards', async () => {
    await realm.member(bob).adjust(7)
    const { data } = (await call(connected, 'get_leaderboard', { limit: 1 })) as { data: { id: string }[] }
    assert.equal(data[0]?.id, ann)
    const { data: holds } = (await call(connected, 'list_holds', { memberId: ann })) as { data: object[] }
    assert.equal(holds.length, 1)
    const statistics = await call(connected, 'get_statistics')
    assert.equal(statistics['members'], 2)
    const { data: awards } = (await call(connected, 'list_pending_awards')) as { data: object[] }
    assert.deepEqual(awards, [])
  })

  await connected.close()
}

export async function checkInputs(place: Place, { check }: Checks): Promise<void> {
  const connected = await place.connect('viewer')

  await check('a call that is not valid is refused, and one of an unknown member too', async () => {
    const wrong = [
      ['get_member', { memberId: 'a b' }],
      ['get_member', { memberId: 7 }],
      ['get_member', { memberId: ann, more: 1 }],
      ['find_members', { limit: 101 }],
      ['get_entry', { transactionId: '../keys' }],
      ['get_balance', { memberId: ann, at: 'yesterday' }],
    ] as const
    for (const [name, args] of wrong) assert.ok((await refusal(connected, name, args))['text'], name)
    const unknown = await refusal(connected, 'get_member', { memberId: '77' })
    assert.deepEqual([unknown['code'], unknown['status']], ['member_not_found', 404])
    const time = await refusal(connected, 'get_balance', { memberId: ann, at: '2020-99-01T00:00:00Z' })
    assert.equal(time['code'], 'invalid_time')
  })
  await connected.close()
}
