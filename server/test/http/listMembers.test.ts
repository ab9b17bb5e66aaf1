import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { evmWallet } from '../../../tests/support/fixture.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'

let realm: ManagedRealm

const people = [
  { id: '9007199254740993', username: 'Ada', displayName: 'Countess' },
  { id: '12', username: 'adam', displayName: 'Adam', hidden: true },
  { id: '13', username: 'bob', displayName: 'Adamantine', frozen: true },
  { id: '14', username: null, displayName: 'ÄDA' },
  { id: '15' },
  { id: '16', username: '100%_\\' },
  { id: '17', username: 'ada' },
]

const made = suite({}, async (suited) => {
  realm = await managed(suited)
  await realm.send('POST /members', { members: people })
  await realm.send(`PATCH /members/12/tokenBalance`, { tokens: 7 })
  await realm.send(`POST /members/13/wallets`, { address: evmWallet })
  // Another realm has members of the same names, which must not appear here.
  const other = await managed(suited)
  await other.send('POST /members', { members: [{ id: '99', username: 'ada' }] })
})

const list = (query = '') => realm.send(`GET /members${query}`)
const idsOf = ({ json }: { json: { data: { id: string }[] } }) => json.data.map(({ id }) => id)
const found = async (query: string) => idsOf(await list(query))

const first = async (query: string): Promise<string> => (await list(query)).json.nextCursor

/** All pages, one after the other. */
async function pages(query: string): Promise<string[]> {
  const ids: string[] = []
  let cursor = ''
  for (let page = 0; page < 20; page++) {
    const answer = await list(`${query}${cursor}`)
    assert.equal(answer.status, 200, answer.text)
    ids.push(...idsOf(answer))
    if (answer.json.nextCursor === null) return ids
    cursor = `&cursor=${answer.json.nextCursor}`
  }
  throw new Error('the list does not end')
}

describe('200', () => {
  it('members are listed in the order in which they joined, each as when read alone', async () => {
    const answer = await list()
    assert.deepEqual(
      idsOf(answer),
      people.map(({ id }) => id),
    )
    assert.equal(answer.json.nextCursor, null)
    for (const member of answer.json.data)
      assert.deepEqual(member, (await realm.send(`GET /members/${member.id}`)).json)
    const marked = answer.json.data.filter(
      (one: { hidden: boolean; frozen: boolean }) => one.hidden || one.frozen,
    )
    assert.deepEqual(
      marked.map((one: { id: string }) => one.id),
      ['12', '13'],
    )
  })

  it('pages follow each other without a gap, and the last has no cursor', async () => {
    for (const limit of [1, 2, 3, 7, 1000])
      assert.deepEqual(
        await pages(`?limit=${limit}`),
        people.map(({ id }) => id),
      )
  })

  it('names are found by case-insensitive prefix, in the order of names, each member once', async () => {
    const expected = ['9007199254740993', '17', '12', '13', '14']
    for (const search of ['ada', 'ADA', 'aD']) assert.deepEqual(await found(`?search=${search}`), expected)
    for (const limit of [1, 2, 3]) assert.deepEqual(await pages(`?search=ada&limit=${limit}`), expected)
    assert.deepEqual(await found('?search=adama'), ['13'])
    assert.deepEqual(await found(`?search=${encodeURIComponent('ÄDA')}`), [
      '14',
      '9007199254740993',
      '12',
      '13',
      '17',
    ])
  })

  it('a member found by both names is listed once, wherever a page ends', async () => {
    const other = await managed(made)
    const members = Array.from({ length: 40 }, (_, index) => ({
      id: String(100 + index),
      username: index % 3 === 0 ? `fox${index}` : `Fox ${index}`,
      displayName: index % 5 === 0 ? `fox${index}` : `FOX-${99 - index}`,
    }))
    await other.send('POST /members', { members })
    for (const limit of [1, 7, 40, 100]) {
      const ids: string[] = []
      for (let cursor = '', page = 0; page < 100; page += 1) {
        const answer = await other.send(`GET /members?search=fox&limit=${limit}${cursor}`)
        ids.push(...idsOf(answer))
        if (answer.json.nextCursor === null) break
        cursor = `&cursor=${answer.json.nextCursor}`
      }
      assert.deepEqual(
        ids.toSorted(),
        members.map(({ id }) => id),
      )
    }
  })

  it('a search has no wildcards', async () => {
    assert.deepEqual(await found(`?search=${encodeURIComponent('100%_\\')}`), ['16'])
    for (const search of ['%', '_', '\\', '.*', "' or '1'='1"])
      assert.deepEqual(await found(`?search=${encodeURIComponent(search)}`), [])
  })

  it('a member is found by its exact id or its wallet, in any case', async () => {
    assert.deepEqual(await found('?id=9007199254740993'), ['9007199254740993'])
    assert.deepEqual(await found('?id=9007199254740992'), [])
    assert.deepEqual(await found(`?wallet=${evmWallet.toLowerCase()}`), ['13'])
    assert.deepEqual(await found('?wallet=unlinked'), [])
  })

  it('an unseen id of an open realm is not listed', async () => {
    const open = await managed(made, { unknownMembers: 'create' })
    assert.deepEqual((await open.send('GET /members?id=5')).json, { data: [], nextCursor: null })
    assert.deepEqual((await open.send('GET /members')).json, { data: [], nextCursor: null })
  })
})

describe('400', () => {
  it('an invalid limit, id or search is rejected', async () => {
    for (const limit of ['0', '1001', '-1', 'x', '1.5', ''])
      assertInvalid(await list(`?limit=${limit}`), 'query:limit')
    assertInvalid(await list('?id=0'), 'query:id')
    assertInvalid(await list('?search='), 'query:search')
    assertInvalid(await list(`?search=${'x'.repeat(101)}`), 'query:search')
    assertInvalid(await list('?search=%00'), 'query:search')
    assertInvalid(await list('?wallet='), 'query:wallet')
    assertInvalid(await list('?search=a&id=1'), 'query:search')
  })

  it('a made-up cursor, or one of another list, is rejected', async () => {
    const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const [own] = JSON.parse(String(Buffer.from(await first('?limit=1'), 'base64url')))
    const [named] = JSON.parse(String(Buffer.from(await first('?search=ada&limit=1'), 'base64url')))
    const strange = [[0, null], [2 ** 31, null], [1.5, null], ['1', null], [1], [1, 5], [1, '\0']]
    for (const text of ['x', '', '!', cursor({}), cursor([1, null])])
      assertInvalid(await list(`?cursor=${text}`), 'query:cursor')
    for (const values of strange) {
      assertInvalid(await list(`?cursor=${cursor([own, ...values])}`), 'query:cursor')
      assertInvalid(await list(`?search=ada&cursor=${cursor([named, ...values])}`), 'query:cursor')
    }
    assertInvalid(await list(`?search=ada&cursor=${await first('?limit=1')}`), 'query:cursor')
    assertInvalid(await list(`?search=adam&cursor=${await first('?search=ada&limit=1')}`), 'query:cursor')
  })
})

describe('403', () => {
  it('members:read is needed', async () => {
    assertProblem(await (await realm.without('members:read'))('GET /members'), 403, 'insufficient_scope')
  })

  it('a search by wallet needs wallets:read', async () => {
    const send = await realm.without('wallets:read')
    assert.equal((await send('GET /members')).status, 200)
    assertProblem(await send('GET /members?wallet=0xabc'), 403, 'insufficient_scope')
  })
})
