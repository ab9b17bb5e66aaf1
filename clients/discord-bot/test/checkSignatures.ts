import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { command, ping } from './interactions.ts'
import { ann, bob, type Place } from './place.ts'
import type { Checks } from './run.ts'

const inSeconds = (offset: number): string => String(Math.floor(Date.now() / 1000) + offset)

export async function checkSignatures(place: Place, { check }: Checks): Promise<void> {
  const { bot, discord, entries } = place
  const post = async (path: string, init: RequestInit) => {
    const answer = await fetch(bot.url + path, { method: 'POST', ...init })
    return { status: answer.status, text: await answer.text() }
  }
  const interaction = () => JSON.stringify(command(ann, 'tip', { member: bob, amount: 1 }))

  await check('a signed PING is answered with PONG', async () => {
    const body = JSON.stringify(ping())
    const { status, text } = await post('/interactions', { headers: discord.signed(body), body })
    assert.deepEqual([status, JSON.parse(text)], [200, { type: 1 }])
  })

  await check('a forged, altered, missing or old signature is 401, and changes nothing', async () => {
    const before = await entries()
    const body = interaction()
    const other = generateKeyPairSync('ed25519').privateKey
    const good = discord.signed(body)
    const { 'x-signature-ed25519': signature, 'x-signature-timestamp': timestamp, ...unsigned } = good
    // R is the identity and s is 0: verifies any message under a key of small order.
    const small = `01${'00'.repeat(63)}`
    const forged: Record<string, string>[] = [
      discord.signed(body, undefined, other),
      discord.signed(`${body} `),
      discord.signed(body, inSeconds(-310)),
      discord.signed(body, inSeconds(310)),
      unsigned,
      { ...unsigned, 'x-signature-ed25519': signature },
      { ...unsigned, 'x-signature-timestamp': timestamp },
      { ...good, 'x-signature-timestamp': inSeconds(-1) },
      { ...good, 'x-signature-timestamp': `${timestamp}.0` },
      { ...good, 'x-signature-ed25519': `0${signature.slice(1, 126)}` },
      { ...good, 'x-signature-ed25519': small },
      { ...good, 'x-signature-ed25519': 'x'.repeat(128) },
    ]
    for (const headers of forged)
      assert.equal((await post('/interactions', { headers, body })).status, 401, JSON.stringify(headers))
    const altered = body.replace('"value":1', '"value":9')
    assert.notEqual(altered, body)
    assert.equal((await post('/interactions', { headers: good, body: altered })).status, 401)
    assert.equal(await entries(), before)
    assert.equal((await post('/interactions', { headers: good, body })).status, 200)
    assert.equal(await entries(), before + 1)
  })

  await check('a request that is too long, of another path or method, or not JSON is rejected', async () => {
    const long = 'x'.repeat(200_000)
    assert.equal((await post('/interactions', { headers: discord.signed(long), body: long })).status, 413)
    assert.equal((await post('/interactions', { headers: discord.signed('{'), body: '{' })).status, 400)
    assert.equal((await post('/other', { body: '' })).status, 404)
    assert.equal((await fetch(`${bot.url}/interactions`)).status, 405)
    const health = await fetch(`${bot.url}/healthz`)
    assert.deepEqual([health.status, await health.json()], [200, { status: 'ok' }])
  })
}
