import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rowsOf } from '../../../tests/support/books.ts'
import type { Answer } from '../../../tests/support/call.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { proving, refused } from '../../../tests/support/proving.ts'
import { evmSigner, solanaSigner } from '../../../tests/support/signers.ts'
import { suite } from '../../../tests/support/suite.ts'

let realm: ManagedRealm
const made = suite({ PUBLIC_URL: 'https://points.example.com/base', BASE_PATH: '/base' }, async (suited) => {
  realm = await managed(suited)
  await realm.send('POST /members', { members: [{ id: 1 }, { id: 2 }] })
})

const { challenge, present, prove, walletsOf } = proving(() => realm)
const byNumber = (a: number, b: number) => a - b

describe('200', () => {
  it('a challenge is ERC-4361’s text, with our domain and the member’s URI', async () => {
    const { address } = evmSigner()
    const { message, chain, expiresAt } = await challenge(address.toLowerCase())
    const [, nonce, issued] = /Nonce: (\w+)\nIssued At: (.+)/.exec(message) ?? []
    assert.match(nonce ?? '', /^[0-9a-f]{32}$/)
    assert.equal(chain, 'eip155:1')
    assert.equal(Date.parse(expiresAt) - Date.parse(issued ?? ''), 5 * 60_000)
    assert.equal(
      message,
      `points.example.com wants you to sign in with your Ethereum account:\n${address}\n\n` +
        `Link this wallet to member 1 of the realm ${realm.id}. This costs nothing and moves nothing.\n\n` +
        `URI: https://points.example.com/base/api/v4/realms/${realm.id}/members/1\nVersion: 1\n` +
        `Chain ID: 1\nNonce: ${nonce}\nIssued At: ${issued}\nExpiration Time: ${expiresAt}`,
    )
  })

  it('a Solana challenge names its cluster', async () => {
    const { address } = solanaSigner()
    const { message } = await challenge(address)
    assert.ok(
      message.startsWith(`points.example.com wants you to sign in with your Solana account:\n${address}`),
    )
    assert.match(message, /\nChain ID: mainnet\n/)
    const devnet = await challenge(address, { chain: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1' })
    assert.match(devnet.message, /\nChain ID: devnet\n/)
  })

  it('a signature links the wallet as proved, and the audit log records it', async () => {
    for (const signer of [evmSigner(), solanaSigner()]) {
      const answer = await prove(signer)
      assert.equal(answer.status, 201, answer.text)
      assert.deepEqual([answer.json.address, answer.json.verified], [signer.address, true])
      assert.ok(answer.json.verifiedAt)
      await realm.send(`DELETE /members/1/wallets/${signer.address}`)
      const { acts } = (await realm.send('GET /members/1/wallets')).json
      assert.deepEqual(
        acts.slice(0, 2).map(({ act, address }: { act: string; address: string }) => [act, address]),
        [
          ['unlinked', signer.address],
          ['proved', signer.address],
        ],
      )
      assert.match(acts[0].by, /^key \d+/)
    }
  })

  it('a proof takes over a wallet that was linked without one, also the member’s own', async () => {
    const signer = evmSigner()
    await realm.send('POST /members/2/wallets', { address: signer.address })
    assert.equal((await prove(signer)).status, 201)
    assert.deepEqual(await walletsOf(2), [])
    const { acts } = (await realm.send('GET /members/2/wallets')).json
    assert.deepEqual([acts[0].act, acts[1].act], ['taken', 'linked'])
    const own = evmSigner()
    await realm.send('POST /members/1/wallets', { address: own.address })
    assert.equal((await prove(own)).status, 201)
    assert.equal((await walletsOf(1)).find(({ address }) => address === own.address)?.verified, true)
  })

  it('removing a member deletes its challenges and links', async () => {
    await realm.send('PUT /members/9', {})
    await challenge(evmSigner().address, { member: 9 })
    await realm.send('POST /members/9/wallets/links')
    await realm.send('POST /members/9/wallets', { address: evmSigner().address })
    const counts = `select (select count(*) from challenges c join heads h using (realm)
        where c.account not in (select account from members m where m.realm = c.realm))
      + (select count(*) from page_links l where l.account not in
        (select account from members m where m.realm = l.realm))
      + (select count(*) from wallet_acts a where a.account not in
        (select account from members m where m.realm = a.realm)) as left`
    await realm.send('DELETE /members/9')
    assert.deepEqual(await rowsOf(made.database.superuserUrl, counts), [{ left: '0' }])
  })

  it('of many challenges the newest twenty are open', async () => {
    const signer = evmSigner()
    const texts = []
    for (let count = 0; count < 22; count++) texts.push((await challenge(signer.address)).message)
    refused(await present(signer, texts[0] ?? ''), /challenge does not exist/)
    assert.equal((await present(signer, texts[5] ?? '')).status, 201)
  })
})

describe('400', () => {
  it('a wallet that can’t sign, or an incomplete proof, is rejected', async () => {
    const ask = (body: object) => realm.send('POST /members/1/wallets/challenges', body)
    assertInvalid(await ask({ address: '0x00' }), '/address')
    assertInvalid(await ask({ address: 'x', chain: 'cosmos' }), '/chain')
    assertInvalid(await ask({ address: solanaSigner().address, chain: 'solana:nowhere' }), '/chain')
    const { address } = evmSigner()
    assertInvalid(await realm.send('POST /members/1/wallets', { address, message: 'x' }), '/signature')
    assertInvalid(await realm.send('POST /members/1/wallets', { address, signature: '0x' }), '/message')
    assertInvalid(
      await realm.send('POST /members/1/wallets/links', { returnUrl: 'javascript:1' }),
      '/returnUrl',
    )
  })
})

describe('403', () => {
  it('wallets:write is needed', async () => {
    const send = await realm.without('wallets:write')
    for (const line of [
      'POST /members/1/wallets/challenges',
      'POST /members/1/wallets/links',
      'GET /members/1/wallets',
    ])
      assertProblem(await send(line, { address: 'x' }), 403, 'insufficient_scope')
  })
})

describe('404', () => {
  it('an unknown member gets no challenge', async () => {
    const { address } = evmSigner()
    const challenge = await realm.send('POST /members/404/wallets/challenges', { address })
    assertProblem(challenge, 404, 'member_not_found')
    assertProblem(await realm.send('POST /members/404/wallets/links', {}), 404, 'member_not_found')
    assertProblem(await realm.send('GET /members/404/wallets'), 404, 'member_not_found')
  })
})

describe('409', () => {
  const taken = ({ status, json }: Answer) => assert.deepEqual([status, json.code], [409, 'already_exists'])

  it('a proved wallet is never taken over, with or without a proof', async () => {
    const signer = evmSigner()
    assert.equal((await prove(signer)).status, 201)
    taken(await prove(signer, { member: 2 }))
    taken(await realm.send('POST /members/2/wallets', { address: signer.address }))
    assert.equal((await prove(signer)).status, 201, 'its owner may prove it again')
  })

  it('of two members who prove one wallet concurrently exactly one gets it', async () => {
    for (let round = 0; round < 10; round++) {
      const signer = evmSigner()
      const texts = await Promise.all([challenge(signer.address), challenge(signer.address, { member: 2 })])
      const answers = await Promise.all(
        texts.map(({ message }, index) => present(signer, message, { member: index + 1 })),
      )
      assert.deepEqual(answers.map(({ status }) => status).toSorted(byNumber), [201, 409])
      const owners = [...(await walletsOf(1)), ...(await walletsOf(2))]
      assert.equal(owners.filter(({ address }) => address === signer.address).length, 1)
    }
  })
})
