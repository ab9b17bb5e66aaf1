import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from './botProcess.ts'
import { guildId, type Person } from './interactions.ts'
import { ann, bob, mia, type Place, roles } from './place.ts'
import type { Checks } from './run.ts'

const pathOf = ({ id }: Person, role: string) => `/guilds/${guildId}/members/${id}/roles/${role}`

type Hook = { readonly id: string; readonly body: string; readonly secret?: string; readonly at?: number }

/** A webhook as Exchequer signs it, or not. */
async function post({ bot, webhookSecret }: Place, { id, body, secret = webhookSecret, at = 0 }: Hook) {
  const timestamp = String(Math.floor(Date.now() / 1000) + at)
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
  return fetch(`${bot.url}/exchequer`, { method: 'POST', headers, body })
}

/** Sends every event of the realm again, and waits until all are answered. */
async function replay({ realm, webhookId }: Place): Promise<void> {
  const { seq } = await realm.head()
  await realm.webhooks.replay(webhookId, { from: '1', to: String(BigInt(seq) + 1n) })
  await until(
    async () => (await realm.webhooks.get(webhookId)).replay === null,
    () => 'the replay did not end',
  )
}

/** Waits until every event so far was accepted. */
async function settle({ realm, webhookId }: Place): Promise<void> {
  await until(
    async () => {
      const { behind, parked } = await realm.webhooks.get(webhookId)
      return behind === 0 && parked === 0
    },
    () => 'some events were not accepted',
  )
}

function crossingOf({ realm }: Place, person: Person, threshold: number): string {
  const data = { realmId: realm.id, memberId: person.id, threshold, realmPointId: 'x', direction: 'up' }
  return JSON.stringify({ type: 'balance.crossed', timestamp: new Date().toISOString(), data })
}

export async function checkRoles(place: Place, checks: Checks): Promise<void> {
  const { discord, bot } = place
  const { check } = checks
  const gave = (person: Person, role: string) => discord.callsOf('PUT', pathOf(person, role)).length
  const took = (person: Person, role: string) => discord.callsOf('DELETE', pathOf(person, role)).length
  const reaches = (read: () => number, count: number) =>
    until(
      () => read() >= count,
      () => `${read()} calls instead of ${count}: ${bot.said.err}`,
    )

  await check(
    'a role is given when a balance reaches its threshold, and taken when it falls below',
    async () => {
      await place.setBalance(bob, 10)
      await place.setBalance(bob, 6_000)
      await reaches(() => gave(bob, roles.regular), 1)
      await reaches(() => gave(bob, roles.veteran), 1)
      await place.setBalance(bob, 600)
      await reaches(() => took(bob, roles.veteran), 1)
      assert.equal(took(bob, roles.regular), 0)
    },
  )

  await check('a webhook that arrives again changes nothing, also after the bot was killed', async () => {
    await settle(place)
    const before = discord.calls.filter(({ path }) => path.includes('/roles/')).length
    assert.ok(before >= 3)
    await replay(place)
    await bot.restart()
    await replay(place)
    assert.equal(discord.calls.filter(({ path }) => path.includes('/roles/')).length, before)
  })

  await check('one webhook ten times at once: Discord is called once', async () => {
    await place.setBalance(mia, 10)
    const before = took(mia, roles.regular)
    const body = crossingOf(place, mia, 500)
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(place, { id: 'evt_ten', body })))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([204]))
    assert.equal(took(mia, roles.regular), before + 1)
  })

  await check('a forged or old webhook is 401, and Discord is not called', async () => {
    const before = discord.arrived
    const body = crossingOf(place, mia, 500)
    const wrong = `whsec_${Buffer.alloc(32).toString('base64')}`
    assert.equal((await post(place, { id: 'evt_forged', body, secret: wrong })).status, 401)
    assert.equal((await post(place, { id: 'evt_old', body, at: -400 })).status, 401)
    const unsigned = await fetch(`${bot.url}/exchequer`, { method: 'POST', body })
    assert.equal(unsigned.status, 401)
    assert.equal(discord.arrived, before)
  })
  await checkDiscordTrouble(place, checks, { gave, reaches })
}

type Counts = {
  readonly gave: (person: Person, role: string) => number
  readonly reaches: (read: () => number, count: number) => Promise<void>
}

async function checkDiscordTrouble(
  place: Place,
  { check }: Checks,
  { gave, reaches }: Counts,
): Promise<void> {
  const { discord, bot } = place

  await check('a rate limit of Discord (429) is waited for, and the role is given once', async () => {
    await place.setBalance(ann, 100)
    await sleep(300)
    const [before, arrived] = [gave(ann, roles.regular), discord.arrived]
    discord.trouble(
      { status: 429, retryAfterSeconds: 0.7 },
      { status: 429, retryAfterSeconds: 0.4, isGlobal: true },
    )
    await place.setBalance(ann, 700)
    await reaches(() => gave(ann, roles.regular), before + 1)
    await sleep(300)
    assert.equal(gave(ann, roles.regular), before + 1)
    assert.equal(discord.arrived, arrived + 3)
  })

  await check('a failure of Discord is tried again, by the bot and then by Exchequer', async () => {
    await place.setBalance(ann, 100)
    await sleep(300)
    const before = gave(ann, roles.regular)
    discord.trouble(...Array.from({ length: 6 }, () => ({ status: 502 })))
    await place.setBalance(ann, 700)
    await reaches(() => gave(ann, roles.regular), before + 1)
    assert.match(bot.said.err, /A role of member \d+ could not be changed: DiscordError: 502/)
    assert.equal(gave(ann, roles.regular), before + 1)
  })

  await check('a role that the bot may not give is reported with what to do', async () => {
    await place.setBalance(mia, 10)
    discord.trouble({ status: 403 })
    const answer = await post(place, { id: 'evt_forbidden', body: crossingOf(place, mia, 500) })
    assert.equal(answer.status, 503)
    assert.match(await answer.text(), /Move the role of the bot above the roles that it gives/)
  })
}
