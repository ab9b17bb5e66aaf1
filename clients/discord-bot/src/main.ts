#!/usr/bin/env node
import { definitionsOf } from './commands/index.ts'
import { Discord, DiscordError } from './discord.ts'
import { startGateway } from './gateway/index.ts'
import { readGatewaySettings } from './gateway/settings.ts'
import { startServer } from './server.ts'
import { readSettings, SettingsError } from './settings.ts'
import { version } from './version.ts'

const help = `exchequer-discord-bot, the Discord bot of Exchequer

  exchequer-discord-bot register    sends the slash commands to Discord, for every server in the settings
  exchequer-discord-bot start       receives commands and webhooks until it is stopped
  exchequer-discord-bot gateway     awards messages and voice time until it is stopped; it needs discord.js

BOT_CONFIG names the file of the settings, bot.json by default. The README describes it, and the variables.`

const log = (text: string): void => console.error(`${new Date().toISOString()} ${text}`)

async function register(): Promise<void> {
  const settings = readSettings(process.env)
  const discord = new Discord({ ...settings, url: settings.discordUrl })
  for (const guild of settings.guilds.values()) {
    const commands = definitionsOf(guild)
    try {
      await discord.register(guild.id, commands)
    } catch (error) {
      if (!(error instanceof DiscordError)) throw error
      const hint = error.status === 401 ? 'Is the token right?' : 'Is the bot invited to this server?'
      throw new SettingsError([`The server ${guild.id}: Discord answered ${error.message}. ${hint}`])
    }
    console.log(`${commands.length} commands for the server ${guild.id}`)
  }
}

/** Ends the process in order when it is asked to. */
function untilStopped(stop: () => Promise<void>): void {
  let isStopping = false
  const end = () => {
    if (isStopping) return
    isStopping = true
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log(String(error))
        process.exit(1)
      },
    )
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
}

async function start(): Promise<void> {
  const settings = readSettings(process.env)
  const running = await startServer(settings, log)
  console.log(`listening on ${running.url}, for ${settings.guilds.size} Discord servers`)
  untilStopped(() => running.stop())
}

async function gateway(): Promise<void> {
  const settings = readGatewaySettings(process.env)
  const running = await startGateway(settings, { log, onLost: () => process.exit(1) })
  console.log(`connected as ${running.name}, for ${settings.bot.guilds.size} Discord servers`)
  untilStopped(() => running.stop())
}

async function run(command: string | undefined): Promise<number> {
  if (command === 'register') await register()
  else if (command === 'start') await start()
  else if (command === 'gateway') await gateway()
  else if (command === '--version') console.log(version)
  else {
    console.log(help)
    return command === undefined || command === 'help' || command === '--help' ? 0 : 2
  }
  return 0
}

try {
  process.exitCode = await run(process.argv[2])
} catch (error) {
  // What the operator can correct is shown without a stack.
  console.error(error instanceof SettingsError ? error.message : error)
  process.exitCode = 1
}
