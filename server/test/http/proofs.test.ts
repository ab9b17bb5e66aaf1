import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rowsOf } from '../support/books.ts'
import { type Managed, managed } from '../support/manager.ts'
import { assertInvalid, assertProblem } from '../support/problem.ts'
import { evmSigner, type Signer, solanaSigner } from '../support/signers.ts'
import { suite } from '../support/suite.ts'

let realm: Managed
let other: Managed
const made = suite({ PUBLIC_URL: 'https://points.example.com/base', BASE_PATH: '/base' }, async (suited) => {
  realm = await managed(suited)
  other = await managed(suited)
  for (const one of [realm, other]) await one.send('POST /members', { members: [{ id: 1 }, { id: 2 }] })
})

const challenge = async (address: string, { member = 1, chain, of = realm }: Asking = {}) => {
  const answer = await of.send(`POST /members/${member}/wallets/challenges`, { address, chain })
  assert.equal(answer.status, 200, answer.text)
  return answer.json as { message: string; chain: string; address: string; expiresAt: string }
}
type Asking = { readonly member?: number; readonly chain?: string; readonly of?: Managed }

/** Asks, changes what is asked for, signs it and sends it. */
async function prove(signer: Signer, changed: Asking & { readonly text?: (text: string) => string } = {}) {
  const { message } = await challenge(signer.address, changed)
  return present(signer, changed.text?.(message) ?? message, changed)
}

function present(signer: Signer, message: string, { member = 1, of = realm }: Asking = {}) {
  const signed = { address: signer.address, message, signature: signer.sign(message) }
  return of.send(`POST /members/${member}/wallets`, signed)
}

const byNumber = (a: number, b: number) => a - b
const walletsOf = async (member: number) =>
  (await realm.send(`GET /web3/members/${member}`)).json.wallets as { address: string; verified: boolean }[]
const refused = (answer: Awaited<ReturnType<typeof prove>>, words: RegExp) => {
  assertProblem(answer, 422, 'proof_refused')
  assert.match(answer.json.detail, words)
}

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

  it('who signs has the wallet, proved, and it is told who linked what when', async () => {
    for (const signer of [evmSigner(), solanaSigner()]) {
      const answer = await prove(signer)
      assert.equal(answer.status, 200, answer.text)
      const wallet = answer.json.wallets.find((one: { address: string }) => one.address === signer.address)
      assert.equal(wallet.verified, true)
      assert.ok(wallet.verifiedAt)
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

  it('who proves takes a wallet that was linked without proof, also their own', async () => {
    const signer = evmSigner()
    await realm.send('POST /members/2/wallets', { address: signer.address })
    assert.equal((await prove(signer)).status, 200)
    assert.deepEqual(await walletsOf(2), [])
    const { acts } = (await realm.send('GET /members/2/wallets')).json
    assert.deepEqual([acts[0].act, acts[1].act], ['taken', 'linked'])
    const own = evmSigner()
    await realm.send('POST /members/1/wallets', { address: own.address })
    assert.equal((await prove(own)).status, 200)
    assert.equal((await walletsOf(1)).find(({ address }) => address === own.address)?.verified, true)
  })

  it('a member who leaves takes challenges and links along', async () => {
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
    refused(await present(signer, texts[0] ?? ''), /no such challenge/)
    assert.equal((await present(signer, texts[5] ?? '')).status, 200)
  })
})

describe('400', () => {
  it('what is no wallet that can sign, or half a proof, is refused', async () => {
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
  it('who is no member is asked for nothing', async () => {
    const { address } = evmSigner()
    for (const line of ['POST /members/404/wallets/challenges', 'POST /members/404/wallets/links'])
      assertProblem(await realm.send(line, { address }), 404, 'member_not_found')
    assertProblem(await realm.send('GET /members/404/wallets'), 404, 'member_not_found')
  })
})

describe('409', () => {
  const taken = ({ status, json }: Awaited<ReturnType<typeof prove>>) =>
    assert.deepEqual([status, json.code], [409, 'already_exists'])

  it('a proved wallet is never taken, by proof or by word', async () => {
    const signer = evmSigner()
    assert.equal((await prove(signer)).status, 200)
    taken(await prove(signer, { member: 2 }))
    taken(await realm.send('POST /members/2/wallets', { address: signer.address }))
    assert.equal((await prove(signer)).status, 200, 'its owner may prove it again')
  })

  it('of two members who prove one wallet at once exactly one has it', async () => {
    for (let round = 0; round < 10; round++) {
      const signer = evmSigner()
      const texts = await Promise.all([challenge(signer.address), challenge(signer.address, { member: 2 })])
      const answers = await Promise.all(
        texts.map(({ message }, index) => present(signer, message, { member: index + 1 })),
      )
      assert.deepEqual(answers.map(({ status }) => status).toSorted(byNumber), [200, 409])
      const owners = [...(await walletsOf(1)), ...(await walletsOf(2))]
      assert.equal(owners.filter(({ address }) => address === signer.address).length, 1)
    }
  })
})

describe('422', () => {
  const replaced = (from: RegExp, to: string) => (text: string) => text.replace(from, to)
  const cheats: Record<string, { text: (text: string) => string; words: RegExp }> = {
    'another domain': { text: replaced(/^[^ ]+/, 'evil.example'), words: /the domain/ },
    'another URI': { text: replaced(/URI: .+/, 'URI: https://evil.example/'), words: /the URI/ },
    'another chain': { text: replaced(/Chain ID: 1/, 'Chain ID: 10'), words: /the chain id/ },
    'another version': { text: replaced(/Version: 1/, 'Version: 2'), words: /the version/ },
    'another statement': { text: replaced(/Link this/, 'Give me this'), words: /the statement/ },
    'a text of the future': { text: replaced(/Issued At: 20/, 'Issued At: 21'), words: /the time of issue/ },
    'a later expiry': { text: replaced(/Time: 20/, 'Time: 21'), words: /the time of expiry/ },
    'an address in another case': {
      text: (text) => text.replace(/0x\w+/, (all) => all.toLowerCase()),
      words: /the address/,
    },
    'a byte more': { text: (text) => `${text} `, words: /the time of expiry/ },
    'a line more': { text: (text) => `${text}\nResources:\n- https://evil.example`, words: /the form/ },
    'lines that end otherwise': { text: (text) => text.replaceAll('\n', '\r\n'), words: /the domain/ },
    'no nonce': { text: replaced(/Nonce: .+/, 'Nonce: 12345678'), words: /no nonce/ },
    'a nonce of nobody': {
      text: replaced(/Nonce: .+/, `Nonce: ${'0'.repeat(32)}`),
      words: /no such challenge/,
    },
  }
  for (const [title, { text, words }] of Object.entries(cheats))
    it(`${title} is refused, though signed`, async () => refused(await prove(evmSigner(), { text }), words))

  it('another member’s challenge is refused', async () => {
    const signer = evmSigner()
    const { message } = await challenge(signer.address, { member: 2 })
    refused(await present(signer, message), /another member/)
  })

  it('another realm’s challenge is refused', async () => {
    const signer = evmSigner()
    const { message } = await challenge(signer.address, { of: other })
    refused(await present(signer, message), /no such challenge/)
    assert.equal((await present(signer, message, { of: other })).status, 200)
  })

  it('another wallet’s challenge is refused', async () => {
    const { message } = await challenge(evmSigner().address)
    refused(await present(evmSigner(), message), /another wallet/)
  })

  it('an expired challenge is refused, and one from the future', async () => {
    for (const [shift, words] of [
      ['-301 s', /has expired/],
      ['1 h', /has expired/],
    ] as const) {
      const signer = evmSigner()
      const { message } = await challenge(signer.address)
      const [, nonce] = /Nonce: (\w+)/.exec(message) ?? []
      const shifted = `update challenges set issued_at = issued_at + $1::interval,
        expires_at = expires_at + $1::interval where nonce = $2 returning issued_at, expires_at`
      const [row] = await rowsOf(made.database.superuserUrl, shifted, [shift, nonce])
      const text = message
        .replace(/Issued At: .+/, `Issued At: ${row.issued_at.toISOString()}`)
        .replace(/Expiration Time: .+/, `Expiration Time: ${row.expires_at.toISOString()}`)
      refused(await present(signer, text), words)
    }
  })

  it('a text is used once: not twice, not by two at once, not after a failed try or unlinking', async () => {
    const signer = evmSigner()
    const { message } = await challenge(signer.address)
    const answers = await Promise.all(Array.from({ length: 8 }, () => present(signer, message)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(byNumber), [200, ...Array(7).fill(422)])
    refused(await present(signer, message), /used before/)
    await realm.send(`DELETE /members/1/wallets/${signer.address}`)
    refused(await present(signer, message), /used before/)
    assert.ok(!(await walletsOf(1)).some(({ address }) => address === signer.address))
    const second = await challenge(signer.address)
    refused(
      await present({ ...signer, sign: () => `0x${'11'.repeat(65)}` }, second.message),
      /knows no endpoint/,
    )
    refused(await present(signer, second.message), /used before/)
  })

  it('a signature by another key, of another form, or of another kind of chain is refused', async () => {
    const signer = evmSigner()
    const as = (sign: Signer['sign']) => prove({ ...signer, sign })
    refused(await as(evmSigner().sign), /not one of this text/)
    refused(await as(() => 'zz'), /hex digits/)
    refused(await as((text) => signer.sign(text).slice(0, -2)), /not one of this text/)
    const solana = solanaSigner()
    refused(await prove({ ...solana, sign: solanaSigner().sign }), /not one of this text/)
    refused(await prove({ ...solana, sign: signer.sign }), /not one of this text/)
  })
})
