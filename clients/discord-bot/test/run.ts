import assert from 'node:assert/strict'
import { withWhole } from '../../../tests/support/whole.ts'
import { runBot } from './botProcess.ts'
import { checkChanges, checkPermissions, checkReads, checkShop, checkUndo } from './checkCommands.ts'
import { checkDown, checkSlow } from './checkOutages.ts'
import { checkCrashes, checkRetries } from './checkRetries.ts'
import { checkRoles } from './checkRoles.ts'
import { checkSettings } from './checkSettings.ts'
import { checkSignatures } from './checkSignatures.ts'
import { checkGatewayAwards, checkGatewayTwo } from './gateway/checkAwards.ts'
import {
  checkGatewayCrashes,
  checkGatewayOutages,
  checkGatewayRules,
  checkGatewaySessions,
} from './gateway/checkLosses.ts'
import { checkGatewaySettings } from './gateway/checkSettings.ts'
import { checkGatewayVoice } from './gateway/checkVoice.ts'
import { command } from './interactions.ts'
import { ann, bob, contentOf, makePlace, mia, type Place } from './place.ts'

/**
 * npm run bot: the Discord bot as a process, a real Exchequer server on a real PostgreSQL, and a stand-in for
 * Discord on loopback (standIn.ts), which checks the form of all that the bot sends.
 */

export type Checks = { readonly check: (what: string, work: () => Promise<void>) => Promise<void> }

let passed = 0
let failed = 0
const checks: Checks = {
  check: async (what, work) => {
    try {
      await work()
      passed += 1
      console.log(`  ok     ${what}`)
    } catch (error) {
      failed += 1
      const said = error instanceof Error ? (error.stack ?? error.message) : String(error)
      console.log(
        `  FAILED ${what}\n${said.split('\n').slice(0, 30).join('\n').replaceAll(/^/gm, '         ')}`,
      )
    }
  },
}

/** From a configured bot that never ran to a tip that was answered. */
async function checkFirstTip({ bot, env, realm, send, balance }: Place): Promise<void> {
  await checks.check('from a fresh start to /tip answered, in seconds', async () => {
    await realm.members.put([ann, bob, mia].map(({ id }) => ({ id })))
    await realm.member(ann.id).adjust(5)
    const startedMs = performance.now()
    const { code, out, err } = await runBot('register', env)
    assert.equal(code, 0, err)
    assert.match(out, /^8 commands for the server \d+\n$/)
    await bot.start()
    const content = contentOf(await send(command(ann, 'tip', { member: bob, amount: 5 })))
    const seconds = (performance.now() - startedMs) / 1000
    assert.equal(content, `<@${ann.id}> gave 5 coins to <@${bob.id}>.`)
    assert.equal(await balance(bob), 5)
    console.log(`         2 commands (register, start), /tip answered after ${seconds.toFixed(1)} s`)
  })
}

async function checkForms({ discord, bot }: Place): Promise<void> {
  await checks.check(
    `the stand-in found nothing wrong with ${discord.arrived} requests of the bot`,
    async () => {
      assert.ok(discord.arrived > 0)
      assert.deepEqual(discord.problems, [])
      assert.doesNotMatch(bot.said.err, /TypeError|ERR_|UnhandledPromise/)
    },
  )
}

/** In this order; `npm run bot -- NAME` runs those whose name contains it. */
const parts = [
  checkSettings,
  checkChanges,
  checkReads,
  checkUndo,
  checkShop,
  checkPermissions,
  checkSignatures,
  checkRetries,
  checkCrashes,
  checkSlow,
  checkDown,
  checkRoles,
  checkGatewaySettings,
  checkGatewayAwards,
  checkGatewayTwo,
  checkGatewayCrashes,
  checkGatewayOutages,
  checkGatewaySessions,
  checkGatewayRules,
  checkGatewayVoice,
]

await withWhole({ extra: { WEBHOOK_ALLOW: '127.0.0.0/8' } }, async ({ baseUrl }) => {
  const place = await makePlace(baseUrl)
  try {
    await checkFirstTip(place)
    const [only = ''] = process.argv.slice(2)
    for (const part of parts.filter(({ name }) => name.toLowerCase().includes(only.toLowerCase()))) {
      await place.setBalance(ann, 90)
      await place.setBalance(bob, 9)
      await part(place, checks)
    }
    await checkForms(place)
  } finally {
    await place.stop()
  }
})
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
