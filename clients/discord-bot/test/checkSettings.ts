import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runBot } from './botProcess.ts'
import { guildId } from './interactions.ts'
import type { Place } from './place.ts'
import type { Checks } from './run.ts'
import { applicationId } from './standIn.ts'

type Command = { readonly name: string; readonly default_member_permissions?: string }

export async function checkSettings(place: Place, { check }: Checks): Promise<void> {
  const { env, folder, discord } = place

  await check('register sends the commands of each server, award and undo for managers only', async () => {
    const [call] = discord.callsOf('PUT', `/applications/${applicationId}/guilds/${guildId}/commands`)
    const commands = call?.body as Command[]
    const names = commands.map(({ name }) => name).sort()
    assert.deepEqual(names, ['award', 'balance', 'history', 'leaderboard', 'link', 'shop', 'tip', 'undo'])
    const forManagers = commands
      .filter((one) => one.default_member_permissions === '32')
      .map(({ name }) => name)
    assert.deepEqual(forManagers, ['award', 'undo'])
  })

  await check('settings that are not valid are listed, each with its place, and no secret', async () => {
    const file = join(folder, 'wrong.json')
    const guild = {
      realm: '',
      shop: [{ id: 'a b', name: 'x', price: 0.5 }],
      roles: [{ roleId: 7 }],
      extra: 1,
    }
    writeFileSync(file, JSON.stringify({ applicationId: 1, publicKey: 'abc', guilds: { 12: guild } }))
    const { DISCORD_BOT_TOKEN_FILE: _, ...others } = env
    const { code, err } = await runBot('start', { ...others, BOT_CONFIG: file, PORT: 'x' })
    assert.equal(code, 1)
    const named = [
      'applicationId',
      'publicKey',
      'guilds.12:',
      'guilds.12.url',
      'guilds.12.realm',
      'DISCORD_BOT_TOKEN',
    ]
    named.push('shop[0].id', 'shop[0].price', 'roles[0].roleId', 'roles[0].tokens', 'guilds.12.extra', 'PORT')
    for (const name of named) assert.ok(err.includes(name), `${name} is not in:\n${err}`)
    assert.ok(!err.includes(env['EXCHEQUER_KEY'] ?? ''))
    assert.doesNotMatch(err, /\n {4}at /)
  })

  await check('a rejection by Discord ends register with its reason', async () => {
    discord.trouble({ status: 401 })
    const { code, err } = await runBot('register', env)
    assert.equal(code, 1)
    assert.match(err, /^The server \d+: Discord answered 401 stand-in\. Is the token right\?\n$/)
  })
}
