import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { evmWallet, solanaWallet } from '../../../tests/support/fixture.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'

let realm: ManagedRealm

const people = [
  { id: '118639000000000001', username: 'pixel_lemur', displayName: 'Élodie' },
  { id: '42', username: 'Lemur', displayName: 'Zoë Ångström' },
  { id: '4211863', username: 'cedar.lemur', displayName: 'LEMUR King' },
  { id: '999118639', displayName: '𝓐𝓭𝓪 Straße' },
  { id: '7', username: 'Łukasz', displayName: 'Søren Æbele' },
  { id: '8' },
  { id: '9', username: '田中太郎', displayName: '100%_\\' },
  { id: '10', username: 'Павел Иванов' },
]

const made = suite({}, async (suited) => {
  realm = await managed(suited)
  await realm.send('POST /members', { members: people })
  await realm.send('POST /members/42/wallets', { address: evmWallet })
  await realm.send('POST /members/7/wallets', { address: solanaWallet })
  // Another realm has a member of the same name, id and wallet, which must not appear here.
  const other = await managed(suited)
  await other.send('POST /members', { members: [{ id: '118639000000000001', username: 'Lemur of others' }] })
  await other.send('POST /members/118639000000000001/wallets', { address: evmWallet })
})

const list = (query: Record<string, string>) =>
  realm.send(`GET /members?${String(new URLSearchParams(query))}`)
type Answer = { status: number; text: string; json: { data: { id: string }[]; nextCursor: string | null } }
const idsOf = ({ json }: Answer) => json.data.map(({ id }) => id)
const found = async (query: Record<string, string>) => idsOf(await list(query))

/** All pages of a list, one after the other. */
async function pages(query: Record<string, string>, send = realm.send): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = '', page = 0; cursor !== null && page < 400; page++) {
    const asked = String(new URLSearchParams({ ...query, ...(cursor && { cursor }) }))
    const answer: Answer = await send(`GET /members?${asked}`)
    assert.equal(answer.status, 200, answer.text)
    ids.push(...idsOf(answer))
    cursor = answer.json.nextCursor
  }
  return ids
}

describe('200', () => {
  it('a text is found anywhere in a name: first names that begin with it, then the others', async () => {
    const lemurs = ['42', '4211863', '118639000000000001']
    for (const search of ['lemur', 'LEMUR']) assert.deepEqual(await found({ search }), lemurs)
    for (const limit of ['1', '2', '3']) assert.deepEqual(await pages({ search: 'lemur', limit }), lemurs)
    assert.deepEqual(await found({ search: 'emu' }), ['118639000000000001', '42', '4211863'])
    for (const limit of ['1', '2'])
      assert.deepEqual(await pages({ search: 'emu', limit }), ['118639000000000001', '42', '4211863'])
  })

  it('accents, styled letters and separators do not matter', async () => {
    const expected: Record<string, string> = {
      elodie: '118639000000000001',
      LODIÉ: '118639000000000001',
      'pixel lem': '118639000000000001',
      'cedar-lemur': '4211863',
      zoe: '42',
      angstr: '42',
      ada: '999118639',
      strasse: '999118639',
      lukasz: '7',
      soren: '7',
      aebele: '7',
      ПАВЕЛ: '10',
      иванов: '10',
      中太郎: '9',
    }
    for (const [search, id] of Object.entries(expected))
      assert.deepEqual(await found({ search }), [id], search)
  })

  it('two letters are found where a word begins, one where a name does', async () => {
    assert.deepEqual(await found({ search: 'an' }), ['42'])
    assert.deepEqual(await found({ search: 'mu' }), [])
    assert.deepEqual(await found({ search: 'p' }), ['118639000000000001'])
    assert.deepEqual(await found({ search: '%' }), [])
    assert.deepEqual(await found({ search: '0%_\\' }), ['9'])
    assert.deepEqual(await found({ search: '%%%' }), [])
  })

  it('a text over the border of two names is not found', async () => {
    assert.deepEqual(await found({ search: 'lemur zoe' }), [])
    assert.deepEqual(await found({ search: 'lemur elodie' }), [])
  })

  it('a name that changes is found by what it is now', async () => {
    const other = await managed(made)
    await other.send('PUT /members/1', { username: 'old walnut' })
    const ids = async (search: string) => idsOf(await other.send(`GET /members?search=${search}`))
    assert.deepEqual(await ids('walnut'), ['1'])
    await other.send('PUT /members/1', { username: 'new chestnut' })
    assert.deepEqual([await ids('walnut'), await ids('chestnut')], [[], ['1']])
  })

  it('members of more than one range of accounts are found, in pages without a gap', async () => {
    const large = await managed(made)
    const ids: string[] = []
    for (let page = 0; page < 20; page++) {
      const members = Array.from({ length: 500 }, (_, index) => {
        const number = page * 500 + index + 1
        return { id: String(number), username: `m${number} ${number % 1000 === 7 ? 'heron' : 'walnut'}` }
      })
      ids.push(...members.filter(({ username }) => username.endsWith('heron')).map(({ id }) => id))
      await large.send('POST /members', { members })
    }
    assert.equal(ids.length, 10)
    for (const limit of ['3', '10', '100'])
      assert.deepEqual(await pages({ search: 'heron', limit }, large.send), ids, limit)
    assert.equal((await pages({ search: 'alnut', limit: '1000' }, large.send)).length, 9990)
  })

  it('ids are found by their first digits, then by any digits', async () => {
    assert.deepEqual(await found({ idPart: '118639' }), ['118639000000000001', '999118639'])
    assert.deepEqual(await found({ idPart: '11863' }), ['118639000000000001', '4211863', '999118639'])
    for (const limit of ['1', '2', '3'])
      assert.deepEqual(await pages({ idPart: '11863', limit }), [
        '118639000000000001',
        '4211863',
        '999118639',
      ])
    assert.deepEqual(await found({ idPart: '421' }), ['4211863'])
    assert.deepEqual(await found({ idPart: '00000' }), ['118639000000000001'])
    assert.deepEqual(await found({ idPart: '555' }), [])
  })

  it('a wallet is found by its start, and by its start and end', async () => {
    for (const walletPart of [
      evmWallet.slice(0, 8).toLowerCase(),
      evmWallet.slice(0, 6).toUpperCase().replace('0X', '0x'),
      evmWallet,
      `${evmWallet.slice(0, 6)}…${evmWallet.slice(-4)}`,
    ])
      assert.deepEqual(await found({ walletPart }), ['42'], walletPart)
    assert.deepEqual(await found({ walletPart: `${evmWallet.slice(0, 6)}…0123` }), [])
    assert.deepEqual(await found({ walletPart: solanaWallet.slice(0, 5) }), ['7'])
    assert.deepEqual(await found({ walletPart: evmWallet.slice(4, 12) }), [])
  })
})

describe('400', () => {
  it('parts that are too short or of another form, and several filters, are rejected', async () => {
    for (const idPart of ['12', '1'.repeat(19), 'abc', ''])
      assertInvalid(await list({ idPart }), 'query:idPart')
    for (const walletPart of ['0x5', 'a b c d', '']) {
      assertInvalid(await list({ walletPart }), 'query:walletPart')
    }
    assertInvalid(await list({ idPart: '123', search: 'a' }), 'query:search')
  })

  it('a cursor that names no id is rejected', async () => {
    const answer = await list({ idPart: '11863', limit: '1' })
    const [bound] = JSON.parse(String(Buffer.from(answer.json.nextCursor, 'base64url')))
    for (const values of [
      [1, null],
      [1, 'x'],
      [2, '-1'],
    ]) {
      const cursor = Buffer.from(JSON.stringify([bound, ...values])).toString('base64url')
      assertInvalid(await list({ idPart: '11863', cursor }), 'query:cursor')
    }
  })
})

describe('403', () => {
  it('a part of a wallet needs wallets:read', async () => {
    const send = await realm.without('wallets:read')
    assertProblem(await send('GET /members?walletPart=0xabc'), 403, 'insufficient_scope')
    assert.equal((await send('GET /members?idPart=118')).status, 200)
  })
})
