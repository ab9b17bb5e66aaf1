import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, describe, it } from 'node:test'
import { rowsOf } from '../support/books.ts'
import { type ManagedRealm, managed } from '../support/manager.ts'
import { evmSigner } from '../support/signers.ts'
import { suite } from '../support/suite.ts'
import { callData, contracts, startNode } from './node.ts'

const { StandardMerkleTree } = createRequire(import.meta.url)('@openzeppelin/merkle-tree') as Library

/** Only the part used here. */
type Dump = {
  readonly tree: readonly string[]
  readonly values: readonly { readonly value: readonly [string, string]; readonly treeIndex: number }[]
}
type Tree = { readonly root: string; validate(): void; getProof(index: number): string[]; dump(): Dump }
type Library = {
  readonly StandardMerkleTree: {
    of(values: readonly (readonly string[])[], types: readonly string[]): Tree
    load(dump: Dump): Tree
    verify(
      root: string,
      types: readonly string[],
      value: readonly string[],
      proof: readonly string[],
    ): boolean
  }
}

const count = 10_000
const chain = 'eip155:31337'
const types = ['address', 'uint256']
const node = await startNode(31337)
const made = contracts('Distributor.sol', 'Tokens.sol')

let realm: ManagedRealm
let taken: { root: string; members: number; tokens: string }
let dump: Dump
let tree: Tree
let distributor: string
let coin: string

suite({}, async (suited) => {
  realm = await managed(suited, { unknownMembers: 'create' })
  await link(suited.database.superuserUrl)
  await take()
})
after(() => node.stop())

/** The first are linked by signature, the others in the database: ten thousand signatures are not tested. */
async function link(superuserUrl: string): Promise<void> {
  for (let from = 1; from <= count; from += 1_000) {
    const ids = Array.from({ length: 1_000 }, (_, index) => from + index)
    const entries = ids.map((id) => ({ memberId: String(id), tokens: id * 3 }))
    assert.equal((await realm.send('PATCH /members/tokenBalance', { entries })).status, 200)
  }
  for (const member of [1, 2, 3]) {
    const { address, sign } = evmSigner()
    const at = `/members/${member}/wallets`
    const { message } = (await realm.send(`POST ${at}/challenges`, { address, chain })).json
    const answer = await realm.send(`POST ${at}`, { address, message, signature: sign(message) })
    assert.equal(answer.status, 201, answer.text)
  }
  await rowsOf(
    superuserUrl,
    `insert into wallets (realm, match, account, address, chain, verified_at)
      select m.realm, a.text, m.account, a.text, 'eip155', now() from members m
      cross join lateral (select '0x' || left(encode(sha256(m.id::text::bytea), 'hex'), 40)) a (text)
      where m.realm = (select realm from realms where id = $1) and m.id > 3`,
    [realm.id],
  )
}

async function take(): Promise<void> {
  const answer = await realm.send('POST /snapshots', { id: 'season-1', chain, claimable: true })
  assert.equal(answer.status, 201, answer.text)
  taken = answer.json
  dump = (await realm.send('GET /snapshots/season-1/tree.json')).json
  coin = await node.deploy(made.get('Coin'))
  distributor = await node.deploy(made.get('Distributor'), [BigInt(coin), BigInt(taken.root)])
  await node.send({
    to: coin,
    data: callData('mint(address,uint256)', [BigInt(distributor), BigInt(taken.tokens)]),
  })
}

type Own = { readonly wallet: string; readonly tokens: number; readonly proof: readonly string[] }

async function ownOf(member: number): Promise<Own> {
  const { status, json, text } = await realm.send(`GET /snapshots/season-1/members/${member}`)
  assert.equal(status, 200, text)
  return json
}

const claimOf = ({ wallet, tokens, proof }: Own): { to: string; data: string } => {
  const words = [BigInt(wallet), BigInt(tokens), 96n, BigInt(proof.length), ...proof.map(BigInt)]
  return { to: distributor, data: callData('claim(address,uint256,bytes32[])', words) }
}

/** eth_call returns the reason, and the transaction is reverted. */
async function refused(own: Own, why: RegExp): Promise<void> {
  await assert.rejects(node.rpc('eth_call', claimOf(own), 'latest'), why)
  await assert.rejects(node.send(claimOf(own)), /reverted/)
}

const has = async (wallet: string): Promise<bigint> =>
  BigInt(await node.call(coin, 'balanceOf(address)', [BigInt(wallet)]))

/** The first, the last, and some in between. */
const sample = [1, 2, 3, count, ...Array.from({ length: 46 }, (_, index) => 7 + index * 211)]

describe(`a snapshot of ${count} wallets`, () => {
  it('equals the tree of OpenZeppelin’s library, node by node', () => {
    assert.deepEqual([taken.members, taken.tokens], [count, String((3 * count * (count + 1)) / 2)])
    const theirs = StandardMerkleTree.of(
      dump.values.map(({ value }) => value),
      types,
    )
    assert.equal(theirs.root, taken.root)
    assert.deepEqual(theirs.dump().tree, dump.tree)
    assert.deepEqual(theirs.dump().values, dump.values)
    tree = StandardMerkleTree.load(dump)
    tree.validate()
  })

  it('has a valid proof for every wallet, checked by the library', () => {
    for (const [index, { value }] of dump.values.entries())
      assert.ok(StandardMerkleTree.verify(taken.root, types, value, tree.getProof(index)), value[0])
  })

  it('returns the same proof as the library to a member', async () => {
    for (const member of sample) {
      const own = await ownOf(member)
      const index = dump.values.findIndex(({ value }) => value[0] === own.wallet)
      assert.deepEqual([String(own.tokens), own.proof], [dump.values[index]?.value[1], tree.getProof(index)])
    }
  })
})

describe('a distributor on chain', () => {
  it(`pays ${sample.length} wallets their members’ balances, by their proofs`, async () => {
    for (const member of sample) {
      const own = await ownOf(member)
      assert.equal(own.tokens, member * 3)
      await node.send(claimOf(own))
      assert.equal(await has(own.wallet), BigInt(own.tokens))
    }
  })

  it('rejects a changed amount, another wallet’s proof, and a second claim', async () => {
    const [own, other] = [await ownOf(1_000), await ownOf(1_001)]
    for (const wrong of [
      { ...own, tokens: own.tokens + 1 },
      { ...own, wallet: other.wallet },
      { ...own, proof: other.proof },
      { ...own, proof: own.proof.slice(1) },
    ])
      await refused(wrong, /not in the tree/)
    await node.send(claimOf(own))
    await refused(own, /claimed already/)
    assert.equal(await has(own.wallet), BigInt(own.tokens))
  })

  it('claimed points cannot be spent', async () => {
    const spent = await realm.send('PATCH /members/1000/tokenBalance', { tokens: -1 })
    assert.deepEqual([spent.status, spent.json.code], [422, 'insufficient_points'])
  })
})
