import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { moreApps } from '../../../tests/support/apps.ts'
import { assertBooks, rowsOf } from '../../../tests/support/books.ts'
import type { Answer } from '../../../tests/support/call.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { asRealm } from '../../../tests/support/operator.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { evmSigner } from '../../../tests/support/signers.ts'
import { suite } from '../../../tests/support/suite.ts'

const anotherApp = moreApps()
const made = suite()
const chain = 'eip155:8453'
const rows = (text: string, values: unknown[] = []) => rowsOf(made.database.superuserUrl, text, values)

/** Four members with points: two have proved a wallet, one has not, one is frozen. */
async function peopled(): Promise<ManagedRealm & { readonly wallets: readonly string[] }> {
  const realm = await managed(made)
  await realm.send('POST /members', { members: [1, 2, 3, 4, 5].map((id) => ({ id })) })
  for (const [id, tokens] of [100, 50, 7, 30].entries())
    await realm.send(`PATCH /members/${id + 1}/tokenBalance`, { tokens })
  const wallets = [await prove(realm, '1'), await prove(realm, '2'), await prove(realm, '4')]
  await prove(realm, '1')
  await realm.send('POST /members/3/wallets', { address: evmSigner().address })
  await realm.send('PUT /members/4', { frozen: true })
  return { ...realm, wallets }
}

async function prove({ send }: ManagedRealm, member: string): Promise<string> {
  const { address, sign } = evmSigner()
  const { message } = (await send(`POST /members/${member}/wallets/challenges`, { address, chain })).json
  const linked = await send(`POST /members/${member}/wallets`, { address, message, signature: sign(message) })
  assert.equal(linked.status, 201, linked.text)
  return address
}

const right = (answer: Answer) => {
  assert.ok(answer.status < 300, answer.text)
  return answer.json
}
const keccak = (...parts: Uint8Array[]) => Buffer.from(keccak_256(Buffer.concat(parts)))
const bytes = (hex: string) => Buffer.from(hex.slice(2), 'hex')

/** Like a contract does it, implemented independently. */
function rootOf(wallet: string, amount: number, proof: readonly string[]): string {
  const word = (hex: string) => Buffer.from(hex.padStart(64, '0'), 'hex')
  const leaf = keccak(keccak(word(wallet.slice(2)), word(BigInt(amount).toString(16))))
  const up = (node: Buffer, sibling: Buffer) =>
    node.compare(sibling) < 0 ? keccak(node, sibling) : keccak(sibling, node)
  return `0x${proof.map(bytes).reduce(up, leaf).toString('hex')}`
}

const balance = async ({ send }: ManagedRealm, member: number) =>
  (await send(`GET /members/${member}`)).json.tokenBalance as number

describe('200', () => {
  it('a snapshot changes nothing, and proves the balance of each proved wallet at an entry', async () => {
    const realm = await peopled()
    const { head } = right(await realm.send('GET /journal'))
    const taken = right(await realm.send('POST /snapshots', { id: 'now', chain }))
    assert.deepEqual([taken.seq, taken.hash, taken.firstSeq], [head.seq, head.hash, null])
    assert.deepEqual([taken.members, taken.tokens, taken.claimable], [3, '180', false])
    assert.deepEqual(taken.apart.withoutWallet, { members: 1, tokens: '7' })
    for (const [member, wallet, amount] of [
      [1, realm.wallets[0], 100],
      [2, realm.wallets[1], 50],
      [4, realm.wallets[2], 30],
    ] as const) {
      const own = right(await realm.send(`GET /snapshots/now/members/${member}`))
      assert.deepEqual([own.wallet, own.tokens, own.apart], [wallet, amount, null])
      assert.equal(rootOf(own.wallet, own.tokens, own.proof), taken.root)
      assert.notEqual(rootOf(own.wallet, amount + 1, own.proof), taken.root)
    }
    assert.equal(right(await realm.send('GET /journal')).head.seq, head.seq)
  })

  it('of a past entry, whatever followed it', async () => {
    const realm = await peopled()
    const { seq } = right(await realm.send('GET /journal')).head
    await realm.send('PATCH /members/1/tokenBalance', { tokens: -99 })
    await realm.send('PATCH /members/2/tokenBalance', { tokens: 1000 })
    const then = right(await realm.send('POST /snapshots', { id: 'then', chain, seq }))
    assert.equal(then.tokens, '180')
    assert.equal(right(await realm.send('GET /snapshots/then/members/1')).tokens, 100)
    const first = right(await realm.send('POST /snapshots', { id: 'first', chain, seq: '1' }))
    assert.deepEqual([first.members, first.tokens], [1, '100'])
  })

  it('a claimable one deducts the points first, and shows them as claimed', async () => {
    const realm = await peopled()
    const tried = right(await realm.send('POST /snapshots?dryRun=true', { id: 's1', chain, claimable: true }))
    assert.deepEqual([tried.members, tried.tokens, tried.claimable, tried.root], [2, '150', true, null])
    assert.equal(await balance(realm, 1), 100)
    const taken = right(await realm.send('POST /snapshots', { id: 's1', chain, claimable: true }))
    assert.deepEqual([taken.members, taken.tokens, taken.claimable], [2, '150', true])
    assert.deepEqual(taken.apart, {
      withoutWallet: { members: 1, tokens: '7' },
      frozen: { members: 1, tokens: '30' },
    })
    assert.deepEqual(await Promise.all([1, 2, 3, 4].map((id) => balance(realm, id))), [0, 0, 7, 30])
    assertProblem(
      await realm.send('PATCH /members/1/tokenBalance', { tokens: -1 }),
      422,
      'insufficient_points',
    )
    const own = right(await realm.send('GET /snapshots/s1/members/2'))
    assert.equal(rootOf(own.wallet, own.tokens, own.proof), taken.root)
    const { data: entries, head } = right(await realm.send('GET /journal'))
    assert.deepEqual([taken.seq, taken.hash], [head.seq, head.hash])
    const claims = entries.filter(({ type }: { type: string }) => type === 'claim')
    assert.deepEqual(
      claims.map(({ seq, fromAccount, toAccount, tokens, toBalance, link }: Record<string, unknown>) => [
        seq,
        fromAccount,
        toAccount,
        tokens,
        toBalance,
        link,
      ]),
      [
        [taken.firstSeq, 1, 2147483647, 100, null, null],
        [taken.seq, 2, 2147483647, 50, null, taken.firstSeq],
      ],
    )
    const [entry] = right(await realm.send('GET /members/2/history')).data
    assert.deepEqual([entry.type, entry.tokens, entry.newBalance, entry.reference], ['claim', -50, 0, 's1'])
    const { supply } = right(await realm.send('GET /statistics'))
    assert.deepEqual([supply[0].claimed, supply[0].spent, supply[0].circulation], ['150', '0', '37'])
    await assertBooks(made.database)
  })

  it('created again with its id it is the same, and deducts nothing a second time', async () => {
    const realm = await peopled()
    const ask = () => realm.send('POST /snapshots', { id: 's1', chain, claimable: true })
    const answers = await Promise.all([ask(), ask(), ask()])
    await realm.send('PATCH /members/1/tokenBalance', { tokens: 5 })
    for (const answer of [...answers, await ask()])
      assert.deepEqual(right(answer), right(answers[0] as Answer))
    assert.equal(await balance(realm, 1), 5)
    assert.equal(right(await realm.send('GET /snapshots')).data.length, 1)
  })

  it('a tree that was not built because its process ended is built on demand', async () => {
    const realm = await peopled()
    const { root } = right(await realm.send('POST /snapshots', { id: 's1', chain, claimable: true }))
    await rows(`update snapshots set tree = null where realm = (select realm from realms where id = $1)`, [
      realm.id,
    ])
    const own = right(await realm.send('GET /snapshots/s1/members/1'))
    assert.equal(rootOf(own.wallet, own.tokens, own.proof), root)
  })

  it('lists included and excluded members, page by page', async () => {
    const realm = await peopled()
    await realm.send('POST /snapshots', { id: 's1', chain, claimable: true })
    const list = async (query: string) => right(await realm.send(`GET /snapshots/s1/members${query}`))
    const apart = await list('?apart=true')
    assert.deepEqual(
      apart.data.map(({ id, apart: why, tokens }: Record<string, unknown>) => [id, why, tokens]),
      [
        ['3', 'no_wallet', 7],
        ['4', 'frozen', 30],
      ],
    )
    const one = await list('?limit=1')
    const rest = await list(`?cursor=${one.nextCursor}`)
    assert.deepEqual([one.data[0].id, rest.data.length, rest.nextCursor], ['1', 3, null])
  })

  it('the complete tree is returned in the format that OpenZeppelin’s library loads', async () => {
    const realm = await peopled()
    const { root, ...taken } = right(await realm.send('POST /snapshots', { id: 's1', chain }))
    const dump = right(await realm.send('GET /snapshots/s1/tree.json'))
    assert.deepEqual([dump.format, dump.leafEncoding], ['standard-v1', ['address', 'uint256']])
    assert.deepEqual([dump.tree.length, dump.tree[0], dump.values.length], [5, root, 3])
    for (const { value, treeIndex } of dump.values)
      assert.equal(rootOf(value[0], value[1], []), dump.tree[treeIndex])
    assert.deepEqual(
      [dump.snapshot.realmId, dump.snapshot.seq, dump.snapshot.hash],
      [realm.id, taken.seq, taken.hash],
    )
  })

  it('an erased member is a node without a value: proofs of others stay valid', async () => {
    const realm = await peopled()
    const { root } = right(await realm.send('POST /snapshots', { id: 's1', chain, claimable: true }))
    right(await realm.send('POST /members/1/erasure'))
    await rows(`update snapshots set tree = null where realm = (select realm from realms where id = $1)`, [
      realm.id,
    ])
    const dump = right(await realm.send('GET /snapshots/s1/tree.json'))
    assert.deepEqual([dump.tree[0], dump.values.length], [root, 1])
    assert.ok(!JSON.stringify(dump).includes(realm.wallets[0] ?? ''))
    const own = right(await realm.send('GET /snapshots/s1/members/2'))
    assert.equal(rootOf(own.wallet, own.tokens, own.proof), root)
    assertProblem(await realm.send('GET /snapshots/s1/members/1'), 404, 'member_not_found')
  })

  it('a contract wallet counts only on its own chain', async () => {
    const realm = await peopled()
    await rows(
      `update wallets set chain = 'eip155:10' where address = $2
        and realm = (select realm from realms where id = $1)`,
      [realm.id, realm.wallets[1]],
    )
    assert.equal(right(await realm.send('POST /snapshots', { id: 'here', chain })).members, 2)
    assert.equal(right(await realm.send('POST /snapshots', { id: 'there', chain: 'eip155:10' })).members, 3)
  })

  it('one that deducted nothing can be deleted', async () => {
    const realm = await peopled()
    await realm.send('POST /snapshots', { id: 's1', chain })
    right(await realm.send('DELETE /snapshots/s1'))
    assertProblem(await realm.send('GET /snapshots/s1'), 404, 'snapshot_not_found')
  })
})

describe('claims under concurrent writes', () => {
  it('a concurrent debit comes before it, or finds no points: two processes', async () => {
    const realm = await peopled()
    const other = await anotherApp(made)
    const { key } = realm
    const spend = (url: string) =>
      asRealm(url, { id: realm.id, key }, { line: 'PATCH /members/1/tokenBalance', body: { tokens: -1 } })
    const spending: Promise<Answer>[] = []
    for (let n = 0; n < 60; n++) spending.push(spend(n % 2 ? made.app.url : other.url))
    const taken = right(await realm.send('POST /snapshots', { id: 's1', chain, claimable: true }))
    for (let n = 0; n < 20; n++) spending.push(spend(n % 2 ? made.app.url : other.url))
    const answers = await Promise.all(spending)
    const spent = answers.filter(({ status }) => status === 200).length
    for (const answer of answers.filter(({ status }) => status !== 200))
      assertProblem(answer, 422, 'insufficient_points')
    const own = (await realm.send('GET /snapshots/s1/members/1')).json
    const claimed = Number(own.tokens ?? 0)
    assert.equal(claimed + spent, 100)
    assert.equal(await balance(realm, 1), 0)
    assert.ok(taken.root)
    await assertBooks(made.database)
  })
})

describe('rejected', () => {
  it('400: a claimable one of the past, a chain that is not EVM, an unknown entry', async () => {
    const { send } = await peopled()
    for (const body of [
      { id: 'a', chain, claimable: true, seq: '1' },
      { id: 'a', chain: 'solana:mainnet' },
      { id: 'a b', chain },
      { id: 'a', chain, seq: '999' },
    ])
      assertProblem(await send('POST /snapshots', body), 400, 'invalid_request')
  })

  it('403: creating one needs realm:admin, reading wallets:read', async () => {
    const realm = await peopled()
    const user = await realm.without('realm:admin')
    assertProblem(await user('POST /snapshots', { id: 'a', chain }), 403, 'insufficient_scope')
    const blind = await realm.without('wallets:read')
    assertProblem(await blind('GET /snapshots'), 403, 'insufficient_scope')
  })

  it('404: an unknown snapshot, an unknown point type', async () => {
    const { send } = await peopled()
    for (const line of ['GET /snapshots/a', 'GET /snapshots/a/tree.json', 'DELETE /snapshots/a'])
      assertProblem(await send(line), 404, 'snapshot_not_found')
    const body = { id: 'a', chain, realmPointId: 'lead' }
    assertProblem(await send('POST /snapshots', body), 404, 'point_not_found')
  })

  it('409: an id of another snapshot', async () => {
    const { send } = await peopled()
    await send('POST /snapshots', { id: 'a', chain })
    const body = { id: 'a', chain, claimable: true }
    const { status, json } = await send('POST /snapshots', body)
    assert.deepEqual([status, json.code], [409, 'already_exists'])
  })

  it('422: no member has a proved wallet; claimed points can’t be reversed', async () => {
    const empty = await managed(made)
    await empty.send('POST /members', { members: [{ id: 1 }] })
    await empty.send('PATCH /members/1/tokenBalance', { tokens: 5 })
    for (const claimable of [true, false])
      assertProblem(await empty.send('POST /snapshots', { id: 'a', chain, claimable }), 422, 'empty_snapshot')
    const { send } = await peopled()
    const { seq } = right(await send('POST /snapshots', { id: 'a', chain, claimable: true }))
    assertProblem(await send(`POST /entries/${seq}/reverse`, {}), 422, 'not_reversible')
    assertProblem(await send('DELETE /snapshots/a'), 422, 'snapshot_claimable')
  })
})
