import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { command, guildId, type Person } from '../../clients/discord-bot/test/interactions.ts'
import { applicationId, botToken, DiscordStandIn } from '../../clients/discord-bot/test/standIn.ts'
import { Realm } from '../../sdk/src/index.ts'
import { freePort } from '../../server/src/dev/postgres.ts'
import { Box, type Image } from './box.ts'
import { type ImageServer, inFolder, withServer } from './imageServer.ts'

const scopes = 'members:read,members:write,points:write,journal:read,wallets:write'
const manager: Person = { id: '1190194345295483777', username: 'mia', isManager: true }
const member: Person = { id: '1190194345295482952', username: 'ann' }

/** The bot's image beside the server's: `/award` from a stand-in for Discord changes the balance. */
export const checkBot = (serverImage: Image, botImage: Image): Promise<void> =>
  withServer(serverImage, (server) =>
    inFolder(async (folder) => {
      server.exchequer('realms', 'create', 'guild', '--name', 'Guild')
      const issued = ['--realm', 'guild', '--name', 'bot', '--scopes', scopes]
      const key = server.exchequer('keys', 'create', ...issued).trim()
      const discord = await DiscordStandIn.start()
      try {
        await runBot(botImage, { server, discord, key, secrets: join(folder, 'secrets') })
      } finally {
        discord.stop()
      }
    }),
  )

type Place = {
  readonly server: ImageServer
  readonly discord: DiscordStandIn
  readonly key: string
  readonly secrets: string
}

async function runBot(image: Image, { server, discord, key, secrets }: Place): Promise<void> {
  const { publicKey, url: discordUrl } = discord
  const guilds = { [guildId]: { url: server.url, realm: 'guild' } }
  mkdirSync(secrets)
  chmodSync(secrets, 0o755)
  const files = { 'bot.json': JSON.stringify({ applicationId, publicKey, guilds }), token: botToken, key }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(secrets, name), `${text}\n`)
  const port = String(await freePort())
  const paths = Object.keys(files).map((name) => join(secrets, name))
  const box = new Box(image, paths, {
    HOST: '127.0.0.1',
    PORT: port,
    BOT_CONFIG: '/run/secrets/bot.json',
    DISCORD_BOT_TOKEN_FILE: '/run/secrets/token',
    EXCHEQUER_KEY_FILE: '/run/secrets/key',
    DISCORD_API_URL: discordUrl,
  })
  const url = `http://127.0.0.1:${port}`
  const process = box.start()
  try {
    await process.ready(`${url}/healthz`)
    box.checkHealth()
    box.expectReadOnly()
    const interaction = command(manager, 'award', { member, amount: 5, reason: 'Helped' })
    const sent = [await discord.send(url, interaction), await discord.send(url, interaction)]
    const realm = new Realm({ url: server.url, realm: 'guild', key })
    const { tokenBalance } = await realm.member(member.id).get()
    const found = [
      ...discord.problems,
      ...sent.filter(({ status }) => status !== 200).map(({ text }) => text),
    ]
    if (tokenBalance !== 5 || found.length > 0)
      throw new Error(`after /award 5, sent twice, the balance is ${tokenBalance}: ${found.join()}`)
    console.log(`  the bot's process holds ${process.memory()} MiB`)
    await process.stop()
  } finally {
    process.kill()
  }
}
