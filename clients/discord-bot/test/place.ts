import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Realm } from '@exchequer/sdk'
import type { APIInteraction, APIInteractionResponse } from 'discord-api-types/v10'
import { freePort } from '../../../server/src/dev/postgres.ts'
import { makeRealm, managerKey, operator } from '../../../tests/support/fixture.ts'
import { operatorToken } from '../../../tests/support/process.ts'
import { BotProcess } from './botProcess.ts'
import { guildId, type Person } from './interactions.ts'
import { SlowServer } from './slowServer.ts'
import { applicationId, botToken, DiscordStandIn, type Sent } from './standIn.ts'

/** A real Exchequer server, the stand-in for Discord, and the bot between them. */

/** What README.md says that the bot's key needs. */
const scopes = ['members:read', 'members:write', 'points:write', 'journal:read', 'wallets:write']

export const ann: Person = { id: '1190194345295482952', username: 'ann', globalName: 'Ann', avatar: 'a1b2' }
export const bob: Person = { id: '1190194345295483000', username: 'bob', nick: 'Bobby' }
export const mia: Person = { id: '1190194345295483777', username: 'mia', isManager: true }
export const robot: Person = { id: '1190194345295483888', username: 'robot', isBot: true }

export const roles = { regular: '1190000000000000101', veteran: '1190000000000000102' }

const guild = (url: string, realm: string) => ({
  url,
  realm,
  pointNames: { one: 'coin', many: 'coins' },
  shop: [
    { id: 'hat', name: 'A *red* hat', price: 30, description: 'Warm' },
    { id: 'yacht', name: 'A yacht', price: 1_000_000 },
  ],
  roles: [
    { roleId: roles.regular, tokens: 500 },
    { roleId: roles.veteran, tokens: 5_000 },
  ],
})

export type Place = {
  readonly discord: DiscordStandIn
  readonly server: SlowServer
  readonly bot: BotProcess
  /** With every scope. */
  readonly realm: Realm
  readonly env: Record<string, string>
  readonly webhookId: string
  readonly webhookSecret: string
  readonly folder: string
  readonly send: (interaction: APIInteraction) => Promise<Sent>
  readonly balance: (person: Person) => Promise<number>
  readonly setBalance: (person: Person, tokens: number) => Promise<void>
  /** How many entries the journal has. */
  readonly entries: () => Promise<number>
  readonly stop: () => Promise<void>
}

export async function makePlace(baseUrl: string): Promise<Place> {
  const access = { baseUrl, token: operatorToken }
  const { id, pointId } = await makeRealm(access, { name: 'Guild' })
  const issued = { path: `/realms/${id}/keys`, body: { name: 'the Discord bot', scopes } }
  const { key } = (await operator(access, 'POST', issued)) as { key: string }
  const realm = new Realm({ url: baseUrl, realm: id, key: await managerKey(access, id) })
  const [discord, server] = [await DiscordStandIn.start(), new SlowServer(baseUrl)]
  await server.start()
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-discord-bot-'))
  const port = await freePort()
  const thresholds = [500, 5_000].map((tokens) => ({ realmPointId: pointId, tokens }))
  const hook = { url: `http://127.0.0.1:${port}/exchequer`, types: ['balance.crossed' as const], thresholds }
  const { id: webhookId, secret } = await realm.webhooks.create(hook)
  assert.ok(secret)
  const config = { applicationId, publicKey: discord.publicKey, guilds: { [guildId]: guild(server.url, id) } }
  writeFileSync(join(folder, 'bot.json'), JSON.stringify(config))
  writeFileSync(join(folder, 'token'), `${botToken}\n`)
  const env = {
    PATH: process.env['PATH'] ?? '',
    BOT_CONFIG: join(folder, 'bot.json'),
    DISCORD_BOT_TOKEN_FILE: join(folder, 'token'),
    DISCORD_API_URL: discord.url,
    EXCHEQUER_KEY: key,
    [`EXCHEQUER_WEBHOOK_SECRET_${guildId}`]: secret,
    SEEN_FILE: join(folder, 'seen'),
    PORT: String(port),
  }
  const bot = new BotProcess(env)
  const balance = async (person: Person) => (await realm.member(person.id).get()).tokenBalance
  return {
    discord,
    server,
    bot,
    realm,
    env,
    webhookId,
    webhookSecret: secret,
    folder,
    send: (interaction) => discord.send(bot.url, interaction),
    balance,
    setBalance: async (person, tokens) => {
      const had = await balance(person)
      if (had !== tokens) await realm.member(person.id).adjust(tokens - had)
    },
    entries: async () => Number((await realm.head()).seq),
    stop: async () => {
      await bot.end()
      server.stop()
      discord.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Message = {
  readonly content?: string
  readonly flags?: number
  readonly components?: readonly unknown[]
}

export const messageOf = (response: APIInteractionResponse | undefined): Message =>
  ((response as { readonly data?: Message } | undefined)?.data ?? {}) as Message

export const contentOf = ({ response, status, text }: Sent): string => {
  assert.equal(status, 200, text)
  return messageOf(response).content ?? ''
}

/** The ids of the buttons of a response. */
export function buttonsOf({ response }: Sent): string[] {
  const rows = (messageOf(response).components ?? []) as { components: { custom_id?: string }[] }[]
  return rows.flatMap(({ components }) => components.map(({ custom_id: id = '' }) => id))
}
