import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runBot } from '../botProcess.ts'
import type { Place } from '../place.ts'
import type { Checks } from '../run.ts'

type Manifest = { readonly peerDependencies: { readonly 'discord.js': string } }

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export async function checkGatewaySettings({ env }: Place, { check }: Checks): Promise<void> {
  await check('gateway: settings that are not valid are listed', async () => {
    const wrong = {
      MESSAGE_POINTS: '-1',
      MESSAGE_COOLDOWN_SECONDS: '0',
      MESSAGE_POINTS_PER_DAY: 'x',
      VOICE_POINTS: '9',
      VOICE_POINTS_PER_DAY: '8',
      VOICE_PERIOD_SECONDS: '90000',
      IGNORED_CHANNELS: '12',
      IGNORED_ROLES: 'staff',
    }
    const { code, err } = await runBot('gateway', { ...env, ...wrong, EXCHEQUER_KEY: '' })
    assert.equal(code, 1)
    for (const name of [...Object.keys(wrong), 'EXCHEQUER_KEY'])
      assert.ok(err.includes(name), `${name}: ${err}`)
    const none = await runBot('gateway', { ...env, MESSAGE_POINTS: '0', VOICE_POINTS: '0' })
    assert.equal(none.code, 1)
    assert.match(none.err, /the gateway would award nothing/)
  })

  await check('gateway: without discord.js it says how to install it, and the bot runs without', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'exchequer-discord-bot-'))
    try {
      cpSync(file('../../src'), join(folder, 'src'), { recursive: true })
      cpSync(file('../../package.json'), join(folder, 'package.json'))
      mkdirSync(join(folder, 'node_modules/@exchequer'), { recursive: true })
      symlinkSync(file('../../../../sdk'), join(folder, 'node_modules/@exchequer/sdk'))
      const main = join(folder, 'src/main.ts')
      const { code, err } = await runBot('gateway', env, main)
      assert.equal(code, 1)
      assert.match(err, /^The gateway needs discord\.js: npm install .+ discord\.js@\d+\.\d+\.\d+\n$/)
      const pinned = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
      assert.ok(err.includes(`discord.js@${pinned.peerDependencies['discord.js']}\n`), err)
      assert.equal((await runBot('--version', env, main)).code, 0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
}
