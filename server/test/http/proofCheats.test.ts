import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rowsOf } from '../../../tests/support/books.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { proving, refused } from '../../../tests/support/proving.ts'
import { evmSigner, type Signer, solanaSigner } from '../../../tests/support/signers.ts'
import { suite } from '../../../tests/support/suite.ts'

/** Forged proofs are rejected, even if signed. Contracts and chains: tests/web3/proofs.test.ts. */

let realm: ManagedRealm
let other: ManagedRealm
const made = suite({ PUBLIC_URL: 'https://points.example.com/base', BASE_PATH: '/base' }, async (suited) => {
  realm = await managed(suited)
  other = await managed(suited)
  for (const one of [realm, other]) await one.send('POST /members', { members: [{ id: 1 }, { id: 2 }] })
})

const { challenge, present, prove, walletsOf } = proving(() => realm)
const byNumber = (a: number, b: number) => a - b

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
    'other line endings': { text: (text) => text.replaceAll('\n', '\r\n'), words: /the domain/ },
    'no nonce': { text: replaced(/Nonce: .+/, 'Nonce: 12345678'), words: /no nonce/ },
    'an unknown nonce': {
      text: replaced(/Nonce: .+/, `Nonce: ${'0'.repeat(32)}`),
      words: /challenge does not exist/,
    },
  }
  for (const [title, { text, words }] of Object.entries(cheats))
    it(`${title} is rejected, though signed`, async () => refused(await prove(evmSigner(), { text }), words))

  it('another member’s challenge is rejected', async () => {
    const signer = evmSigner()
    const { message } = await challenge(signer.address, { member: 2 })
    refused(await present(signer, message), /another member/)
  })

  it('another realm’s challenge is rejected', async () => {
    const signer = evmSigner()
    const { message } = await challenge(signer.address, { of: other })
    refused(await present(signer, message), /challenge does not exist/)
    assert.equal((await present(signer, message, { of: other })).status, 201)
  })

  it('another wallet’s challenge is rejected', async () => {
    const { message } = await challenge(evmSigner().address)
    refused(await present(evmSigner(), message), /another wallet/)
  })

  it('an expired challenge is rejected, and one from the future', async () => {
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

  it('a nonce that is used twice is rejected', async () => {
    const signer = evmSigner()
    const { message } = await challenge(signer.address)
    assert.equal((await present(signer, message)).status, 201)
    refused(await present(signer, message), /used before/)
  })

  it('of eight concurrent uses of a nonce, seven are rejected', async () => {
    const signer = evmSigner()
    const { message } = await challenge(signer.address)
    const answers = await Promise.all(Array.from({ length: 8 }, () => present(signer, message)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(byNumber), [201, ...Array(7).fill(422)])
  })

  it('a replay after unlinking is rejected', async () => {
    const signer = evmSigner()
    const { message } = await challenge(signer.address)
    assert.equal((await present(signer, message)).status, 201)
    await realm.send(`DELETE /members/1/wallets/${signer.address}`)
    refused(await present(signer, message), /used before/)
    assert.ok(!(await walletsOf(1)).some(({ address }) => address === signer.address))
  })

  it('a second attempt with a text whose first was wrong is rejected', async () => {
    const signer = evmSigner()
    const { message } = await challenge(signer.address)
    refused(await present({ ...signer, sign: () => `0x${'11'.repeat(65)}` }, message), /has no endpoint/)
    refused(await present(signer, message), /used before/)
  })

  it('a signature with any byte changed is rejected', async () => {
    const signer = evmSigner()
    for (const place of [2, 40, 66, 100, 128]) {
      const sign = (text: string) => {
        const made = signer.sign(text)
        const digit = made[place] === '0' ? '1' : '0'
        return made.slice(0, place) + digit + made.slice(place + 1)
      }
      refused(await prove({ ...signer, sign }), /not a valid signature/)
    }
  })

  it('a signature with a high s is rejected', async () => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const signer = evmSigner()
    const sign = (text: string) => {
      const made = signer.sign(text)
      const s = order - BigInt(`0x${made.slice(66, 130)}`)
      return made.slice(0, 66) + s.toString(16).padStart(64, '0') + (made.endsWith('1b') ? '1c' : '1b')
    }
    refused(await prove({ ...signer, sign }), /not a valid signature/)
  })

  it('a signature by another key, of another form, or of another kind of chain is rejected', async () => {
    const signer = evmSigner()
    const as = (sign: Signer['sign']) => prove({ ...signer, sign })
    refused(await as(evmSigner().sign), /not a valid signature/)
    refused(await as(() => 'zz'), /hex digits/)
    refused(await as((text) => signer.sign(text).slice(0, -2)), /not a valid signature/)
    const solana = solanaSigner()
    refused(await prove({ ...solana, sign: solanaSigner().sign }), /not a valid signature/)
    refused(await prove({ ...solana, sign: signer.sign }), /not a valid signature/)
  })
})
