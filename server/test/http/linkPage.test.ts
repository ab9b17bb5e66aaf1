import assert from 'node:assert/strict'
import { hash as digest } from 'node:crypto'
import { describe, it } from 'node:test'
import { rowsOf } from '../../../tests/support/books.ts'
import { type Answer, call } from '../../../tests/support/call.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { evmSigner, type Signer } from '../../../tests/support/signers.ts'
import { suite } from '../../../tests/support/suite.ts'

let realm: ManagedRealm
const made = suite({ PUBLIC_URL: 'https://points.example.com' }, async (suited) => {
  realm = await managed(suited, { name: 'Gold & <b>Silver</b>' })
  await realm.send('POST /members', { members: [{ id: 1, username: 'ann' }] })
})

/** The path of a new link. */
async function newLink(body?: object): Promise<string> {
  const { status, json, text } = await realm.send('POST /members/1/wallets/links', body)
  assert.equal(status, 200, text)
  assert.ok(json.url.startsWith(`https://points.example.com/link/${realm.id}.`))
  assert.ok(Math.abs(Date.parse(json.expiresAt) - Date.now() - 15 * 60_000) < 30_000)
  return new URL(json.url).pathname
}
const send = (method: string, path: string, body?: object): Promise<Answer> =>
  call(method, made.app.url + path, body === undefined ? {} : { body })

async function linkThrough(path: string, signer: Signer): Promise<Answer> {
  const asked = await send('POST', `${path}/challenges`, { address: signer.address })
  if (asked.status !== 200) return asked
  const { message, address } = asked.json
  return send('POST', `${path}/wallets`, { address, message, signature: signer.sign(message) })
}
const byNumber = (a: number, b: number) => a - b
const isGone = ({ status, json }: Answer) => assert.deepEqual([status, json.code], [404, 'link_not_found'])

describe('200', () => {
  it('the page is the same for every link, and only its own scripts can run', async () => {
    const { status, headers, text } = await send('GET', await newLink())
    assert.equal(status, 200)
    const policy = String(headers['content-security-policy'])
    const parts = new Map(policy.split('; ').map((part) => part.split(/ (.*)/) as [string, string]))
    assert.equal(parts.get('default-src'), "'none'")
    assert.equal(parts.get('frame-ancestors'), "'none'")
    assert.doesNotMatch(policy, /unsafe|https?:|\*/)
    for (const [name, tag] of [
      ['script-src', 'script'],
      ['style-src', 'style'],
    ] as const) {
      const [, inline = ''] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text) ?? []
      assert.ok(inline.length > 500)
      assert.equal(parts.get(name), `'sha256-${digest('sha256', inline, 'base64')}'`)
    }
    assert.doesNotMatch(text, /(src|href)=|@import|url\(|innerHTML|eval/)
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal((await send('GET', '/link/nothing')).text, text)
  })

  it('a link shows its member, links a wallet once, and returns the return URL', async () => {
    const returnUrl = 'https://discord.com/channels/1'
    const path = await newLink({ returnUrl })
    const { expiresAt: _, ...shown } = (await send('GET', `${path}/details`)).json
    assert.deepEqual(shown, {
      realmId: realm.id,
      realmName: 'Gold & <b>Silver</b>',
      member: '1',
      memberName: 'ann',
      returnUrl,
    })
    const signer = evmSigner()
    const { status, json } = await linkThrough(path, signer)
    assert.deepEqual([status, json], [200, { address: signer.address, returnUrl }])
    const { data: wallets, acts } = (await realm.send('GET /members/1/wallets')).json
    assert.deepEqual([wallets[0].address, wallets[0].verified], [signer.address, true])
    assert.equal(acts[0].by, 'member 1')
    isGone(await send('GET', `${path}/details`))
    isGone(await linkThrough(path, evmSigner()))
  })

  it('a failed attempt does not use up the link', async () => {
    const path = await newLink()
    const signer = evmSigner()
    const { status } = await linkThrough(path, { ...signer, sign: evmSigner().sign })
    assert.equal(status, 422)
    assert.equal((await linkThrough(path, signer)).status, 200)
  })

  it('a member who loses a wallet does not learn to whom: that member may be erased', async () => {
    const signer = evmSigner()
    await realm.send('POST /members', { members: [{ id: 2 }] })
    await realm.send('POST /members/2/wallets', { address: signer.address })
    assert.equal((await linkThrough(await newLink(), signer)).status, 200)
    const acts = async (member: number) => {
      const { json } = await realm.send(`GET /members/${member}/wallets`)
      return json.acts.map(({ act, by }: { act: string; by: string }) => `${act} by ${by}`)[0]
    }
    assert.deepEqual([await acts(1), await acts(2)], ['proved by member 1', 'taken by another member'])
  })
})

describe('404', () => {
  it('an unknown or expired link, or another realm’s, grants no access', async () => {
    const path = await newLink()
    const other = await managed(made)
    for (const wrong of [
      '/link/x',
      `/link/${realm.id}.${'A'.repeat(43)}`,
      path.replace(realm.id, other.id),
      path.replace(realm.id, 'nowhere'),
      path.slice(0, -1),
    ]) {
      isGone(await send('GET', `${wrong}/details`))
      isGone(await linkThrough(wrong, evmSigner()))
    }
    await rowsOf(made.database.superuserUrl, `update page_links set expires_at = now() - interval '1 s'`)
    isGone(await send('GET', `${path}/details`))
    isGone(await linkThrough(path, evmSigner()))
  })

  it('of two concurrent wallets through one link one is linked', async () => {
    for (let round = 0; round < 5; round++) {
      const path = await newLink()
      const answers = await Promise.all([linkThrough(path, evmSigner()), linkThrough(path, evmSigner())])
      assert.deepEqual(answers.map(({ status }) => status).toSorted(byNumber), [200, 404])
    }
  })

  it('a link can request at most twenty challenges', async () => {
    const path = await newLink()
    const { address } = evmSigner()
    for (let count = 0; count < 20; count++)
      assert.equal((await send('POST', `${path}/challenges`, { address })).status, 200)
    isGone(await send('POST', `${path}/challenges`, { address }))
  })
})
