import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { empty, evmWallet, poor, rich, solanaWallet, unknownMember } from '../../../tests/support/fixture.ts'
import { asRealm, manage } from '../../../tests/support/operator.ts'
import { suite } from '../../../tests/support/suite.ts'

const made = suite()
const at = (member: string, realm = made.fixture.realm.id) => `/realms/${realm}/members/${member}/wallets`
const link = (member: string, body: object) => manage(made.app.url, `POST ${at(member)}`, body)
const unlink = (member: string, address: string) =>
  manage(made.app.url, `DELETE ${at(member)}/${encodeURIComponent(address)}`)
const walletsOf = async (member: string) =>
  (await asRealm(made.app.url, made.fixture.realm, { line: `GET /web3/members/${member}` })).json.wallets
const ownerOf = async (wallet: string) => {
  const request = { line: 'POST /members/includes', body: { wallets: [wallet] } }
  return (await asRealm(made.app.url, made.fixture.realm, request)).json.wallets[0].memberId
}
const addresses = (wallets: { address: string }[]) => wallets.map((wallet) => wallet.address)

/** The examples of EIP-55. */
const eip55 = [
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
]
const upper = (address: string) => `0x${address.slice(2).toUpperCase()}`

describe('200', () => {
  it('an EVM wallet is returned in EIP-55 form, however it was written', async () => {
    const [first = '', second = '', third = ''] = eip55
    const linked = await link(empty, { address: first.toLowerCase() })
    assert.equal(linked.status, 201)
    assert.deepEqual(
      { ...linked.json, linkedAt: '' },
      {
        address: first,
        chain: 'eip155',
        verified: false,
        verifiedAt: null,
        linkedAt: '',
      },
    )
    await link(empty, { address: upper(second) })
    await link(empty, { address: third })
    assert.deepEqual(addresses(await walletsOf(empty)), eip55)
  })

  it('an EVM wallet is found and unlinked in any case', async () => {
    const [first = '', second = ''] = eip55
    for (const form of [first, first.toLowerCase(), upper(first)]) assert.equal(await ownerOf(form), empty)
    const left = await unlink(empty, upper(first))
    assert.equal(left.status, 204)
    assert.deepEqual(addresses(await walletsOf(empty)), eip55.slice(1))
    assert.equal(await ownerOf(first), null)
    assert.equal(await ownerOf(second.toLowerCase()), empty)
  })

  it('linking again for the same member, in another case, changes nothing', async () => {
    const before = await walletsOf(rich)
    const again = await link(rich, { address: upper(evmWallet) })
    assert.equal(again.status, 201)
    assert.deepEqual(await walletsOf(rich), before)
  })

  it('a wallet that was unlinked can be linked to another member', async () => {
    const address = '0x52908400098527886E0F7030069857D2E4169EE7'
    await link(rich, { address })
    assert.equal((await unlink(rich, address)).status, 204)
    assert.equal((await link(poor, { address })).status, 201)
    assert.equal(await ownerOf(address), poor)
  })

  it('a wallet of another chain is stored and found as it was written', async () => {
    const address = 'cosmos1vqpjljwsynsn58dugz0w8ut7kun7t8ls2qkmsq'
    const linked = await link(rich, { address, chain: 'cosmos:cosmoshub-4' })
    assert.deepEqual([linked.json.address, linked.json.chain], [address, 'cosmos:cosmoshub-4'])
    assert.equal(await ownerOf(address), rich)
    assert.equal(await ownerOf(address.toUpperCase()), null)
  })

  it('an EVM address is one wallet on every EVM chain', async () => {
    const address = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
    assert.equal((await link(rich, { address, chain: 'polygon' })).status, 201)
    assert.equal(await ownerOf(address.toLowerCase()), rich)
    assert.equal((await link(poor, { address })).status, 409)
    assert.equal((await unlink(rich, address)).status, 204)
  })

  it('the same wallet may belong to another member in another realm', async () => {
    const { other } = made.fixture
    await manage(made.app.url, `PUT /realms/${other.id}/members/5`, {})
    const linked = await manage(made.app.url, `POST ${at('5', other.id)}`, { address: evmWallet })
    assert.equal(linked.status, 201)
    assert.equal(await ownerOf(evmWallet), rich)
  })
})

describe('400', () => {
  const wrong: [what: string, body: object, pointer: string][] = [
    ['no address', {}, '/address'],
    ['an empty address', { address: '' }, '/address'],
    ['an address of 129 characters', { address: 'a'.repeat(129), chain: 'other' }, '/address'],
    ['an EVM address that is one digit short', { address: evmWallet.slice(0, -1) }, '/address'],
    ['a base58 string that is not 32 bytes', { address: '1'.repeat(33) }, '/address'],
    ['an EVM address on Solana', { address: evmWallet, chain: 'solana' }, '/address'],
    ['a Solana address on an EVM chain', { address: solanaWallet, chain: 'eip155:1' }, '/address'],
    ['an address with a space', { address: 'a b', chain: 'other' }, '/address'],
    ['a chain that is no CAIP-2 id', { address: 'abc', chain: 'Bitcoin!' }, '/chain'],
  ]
  for (const [what, body, pointer] of wrong) {
    it(`${what} is rejected with its location`, async () => {
      const { status, json } = await link(rich, body)
      assert.equal(status, 400, JSON.stringify(json))
      assert.equal(json.errors[0].pointer, pointer)
    })
  }
})

describe('404', () => {
  it('an unknown member has and gets no wallet', async () => {
    const address = '0x27b1fdb04752bbc536007a920d24acb045561c26'
    assert.equal((await link(unknownMember, { address })).json.code, 'member_not_found')
    assert.equal((await unlink(unknownMember, address)).json.code, 'member_not_found')
    assert.equal(await ownerOf(address), null)
  })

  it('a wallet of no member, or of another one, can’t be unlinked', async () => {
    assert.equal((await unlink(rich, eip55[0] ?? '')).json.code, 'wallet_not_found')
    const refused = await unlink(rich, solanaWallet)
    assert.equal(refused.status, 404)
    assert.equal(refused.json.code, 'wallet_not_found')
    assert.equal(await ownerOf(solanaWallet), poor)
  })

  it('a Solana wallet in another case is another wallet', async () => {
    const other = solanaWallet.toLowerCase()
    assert.equal((await unlink(poor, other)).json.code, 'wallet_not_found')
    assert.equal(await ownerOf(other), null)
  })
})

describe('409', () => {
  it('another member’s wallet can’t be linked, in any case', async () => {
    for (const address of [evmWallet, evmWallet.toLowerCase(), upper(evmWallet)]) {
      const { status, json } = await link(poor, { address })
      assert.equal(status, 409)
      assert.equal(json.code, 'already_exists')
    }
    assert.equal(await ownerOf(evmWallet), rich)
    assert.ok(!addresses(await walletsOf(poor)).includes(evmWallet))
  })

  it('of many members who link a wallet concurrently one gets it', async () => {
    const address = '0xde709f2102306220921060314715629080e2fb77'
    const claims = Array.from({ length: 20 }, (_, index) =>
      link(index % 2 === 0 ? rich : poor, { address }).then(({ status }) => ({ status, index })),
    )
    const owner = (await Promise.all(claims)).filter(({ status }) => status === 201)
    assert.equal(new Set(owner.map(({ index }) => index % 2)).size, 1)
    assert.equal(await ownerOf(address), (owner[0]?.index ?? 0) % 2 === 0 ? rich : poor)
  })
})
