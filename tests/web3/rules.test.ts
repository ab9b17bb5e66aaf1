import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ManagedRealm, managed } from '../support/manager.ts'
import { asRealm } from '../support/operator.ts'
import { evmSigner } from '../support/signers.ts'
import { type Suite, suite } from '../support/suite.ts'
import { asOperator } from '../support/v4.ts'
import { callData, contracts, startNode } from './node.ts'

const node = await startNode(31337)
const code = contracts('Tokens.sol')
const chain = 'eip155:31337'
after(() => node.stop())

let realm: ManagedRealm
let key: string
let card: string
/** How many cards each member has, by id; the last one's wallet is not proved. */
const cards = [5, 1, 3, 0, 2, 9]

const made: Suite = suite({ CHAINS: `${chain}=${node.url}`, HOLDINGS_EVERY_SECONDS: '1' }, async (suited) => {
  realm = await managed(suited)
  const body = { scopes: ['members:read', 'wallets:read', 'points:write'] }
  key = (await asOperator(suited, 'POST', { path: `/realms/${realm.id}/keys`, body })).key
  await realm.send('POST /members', { members: cards.map((_, index) => ({ id: index + 1 })) })
  card = await node.deploy(code.get('Card'))
  for (const [index, count] of cards.entries()) {
    const signer = evmSigner()
    if (count > 0) await mint(signer.address, count)
    const path = `/members/${index + 1}/wallets`
    const { message } = (await realm.send(`POST ${path}/challenges`, { address: signer.address })).json
    const proof = { message, signature: signer.sign(message) }
    const proved = index < cards.length - 1
    await realm.send(`POST ${path}`, { address: signer.address, ...(proved ? proof : {}) })
  }
  await realm.send('PUT /web3/collections/card', { chain, standard: 'erc721', address: card })
  await read()
})

const mint = (to: string, count: number) =>
  node.send({ to: card, data: callData('mint(address,uint256)', [BigInt(to), BigInt(count)]) })

/** Waits until the newest block is the one reported. */
async function read(): Promise<string> {
  const block = String(Number(await node.rpc<string>('eth_blockNumber')))
  for (let tries = 0; tries < 200; tries++) {
    const [known] = (await realm.send('GET /web3/collections')).json.data
    if (known?.block === block) return block
    await sleep(50)
  }
  throw new Error('the chain was not read')
}

const ids = (json: { data: { id: string }[] }) => json.data.map(({ id }) => id)
const award = (body: object, { dry = false, retry = '' } = {}) =>
  asRealm(
    made.app.url,
    { id: realm.id, key },
    {
      line: `POST /web3/awards${dry ? '?dryRun=true' : ''}`,
      body: { collection: 'card', atLeast: '2', tokens: 10, ...body },
      headers: retry === '' ? {} : { 'idempotency-key': retry },
    },
  )
const balances = async () => {
  const { data } = (await realm.send('GET /members')).json
  return data.map((one: { tokenBalance: number }) => one.tokenBalance)
}

describe('members who hold enough', () => {
  it('are listed at one block, counting only proved wallets', async () => {
    const block = await read()
    const { json } = await realm.send('GET /members?holding=card:2')
    assert.deepEqual(ids(json), ['1', '3', '5'])
    assert.equal(json.at.block, block)
    assert.deepEqual(ids((await realm.send('GET /members?holding=card:1')).json), ['1', '2', '3', '5'])
    assert.deepEqual(ids((await realm.send('GET /members?holding=card:6')).json), [])
  })

  it('are listed in pages, and a cursor expires when the chain was read again', async () => {
    await read()
    const first = (await realm.send('GET /members?holding=card:1&limit=2')).json
    assert.deepEqual(ids(first), ['1', '2'])
    const path = `GET /members?holding=card:1&limit=2&cursor=${first.nextCursor}`
    assert.deepEqual(ids((await realm.send(path)).json), ['3', '5'])
    await mint(evmSigner().address, 1)
    await read()
    const { status, json } = await realm.send(path)
    assert.deepEqual([status, json.code], [412, 'precondition_failed'])
  })

  it('are returned only to a key that may read wallets', async () => {
    const send = await realm.without('wallets:read')
    assert.equal((await send('GET /members?holding=card:1')).json.code, 'insufficient_scope')
    const { status, json } = await realm.send('GET /members?holding=nothing:1')
    assert.deepEqual([status, json.code], [404, 'collection_not_found'])
  })

  it('are awarded once, as in a dry run, at its block', async () => {
    const block = await read()
    const asked = await award({})
    assert.deepEqual([asked.status, asked.json.errors[0].pointer], [400, '/block'])
    const tried = (await award({}, { dry: true })).json
    assert.deepEqual([tried.memberIds, tried.at.block, tried.dryRun], [['1', '3', '5'], block, true])
    assert.equal(Object.hasOwn(tried, 'transactionId'), false)
    assert.deepEqual(await balances(), [0, 0, 0, 0, 0, 0])
    const done = await award({ block }, { retry: 'first' })
    assert.deepEqual([done.status, done.json.awarded, done.json.nextCursor], [200, 3, null], done.text)
    assert.deepEqual(await balances(), [10, 0, 10, 0, 10, 0])
    await award({ block }, { retry: 'first' })
    await mint(evmSigner().address, 1)
    await read()
    const again = await award({ block }, { retry: 'first' })
    assert.equal(again.headers['idempotent-replayed'], 'true', again.text)
    assert.deepEqual([again.json.awarded, again.json.transactionId], [3, done.json.transactionId])
    const late = await award({ block }, { retry: 'second' })
    assert.deepEqual([late.status, late.json.code], [412, 'precondition_failed'])
    assert.deepEqual(await balances(), [10, 0, 10, 0, 10, 0])
  })

  it('an award for no matching member changes nothing', async () => {
    const block = await read()
    const { json } = await award({ block, atLeast: '100' })
    assert.deepEqual([json.awarded, json.transactionId], [0, null])
  })
})
