import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Place } from '../place.ts'
import type { Checks } from '../run.ts'
import { channels } from './events.ts'
import { newPerson, type Scene, withGateway, withTwo } from './scene.ts'

const settings = { VOICE_POINTS: '2', VOICE_PERIOD_SECONDS: '1', VOICE_POINTS_PER_DAY: '6' }
const { lounge, study, afk } = channels

/** Voice time, in periods of a second. */
export async function checkGatewayVoice(place: Place, { check }: Checks): Promise<void> {
  await check('gateway: voice time earns points for those who talk with others, up to the cap of a day', () =>
    withGateway(place, settings, async (scene) => {
      const talkers = [newPerson(), newPerson()]
      const silent = fill(scene)
      for (const one of talkers) scene.speak(one, lounge)
      for (const one of talkers) await scene.untilPoints(one, 6)
      await sleep(2_500)
      for (const one of talkers) {
        assert.equal(await scene.points(one), 6)
        const [award] = await scene.awards(one)
        assert.equal(award?.reason, 'voice time')
      }
      for (const [what, one] of silent) assert.equal(await scene.points(one), 0, what)
      // The day's cap is the ledger's, not the process's.
      await scene.bot.restart()
      const newcomer = newPerson()
      scene.speak(newcomer, lounge)
      await scene.untilPoints(newcomer, 2)
      for (const one of talkers) scene.speak(one, null)
      await scene.finish()
      for (const one of talkers) assert.equal(await scene.points(one), 6)
      const had = await scene.points(newcomer)
      assert.ok(had === 2 || had === 4 || had === 6, String(had))
    }),
  )

  const many = { ...settings, VOICE_POINTS: '1', VOICE_POINTS_PER_DAY: '1000' }
  await check('gateway: two processes award each period of voice time once', () =>
    withTwo(place, many, async (scene) => {
      const talkers = [newPerson(), newPerson()]
      const startedMs = Date.now()
      for (const one of talkers) scene.speak(one, study)
      for (const one of talkers) await scene.untilPoints(one, 4)
      for (const one of talkers) scene.speak(one, null)
      await scene.finish()
      const seconds = (Date.now() - startedMs) / 1000
      for (const one of talkers) {
        const periods = (await scene.awards(one)).map(({ reference }) => reference?.split(':').at(-1))
        assert.equal(new Set(periods).size, periods.length)
        assert.ok(periods.length <= seconds, `${periods.length} periods in ${seconds} s`)
      }
    }),
  )

  await check('gateway: no voice time while the connection is lost', () =>
    withGateway(place, many, async (scene) => {
      const talkers = [newPerson(), newPerson()] as const
      for (const one of talkers) scene.speak(one, study)
      await scene.untilPoints(talkers[0], 1)
      scene.discord.isAway = true
      scene.discord.drop()
      await sleep(1_500)
      const before = await scene.points(talkers[0])
      await sleep(3_000)
      assert.equal(await scene.points(talkers[0]), before)
      scene.discord.isAway = false
      await scene.untilPoints(talkers[0], before + 1)
      await scene.finish()
    }),
  )
}

/** Members in voice channels who earn nothing. */
function fill(scene: Scene) {
  const silent = {
    'muted by itself': newPerson(),
    'muted by a manager': newPerson(),
    'deafened by itself': newPerson(),
    'deafened by a manager': newPerson(),
    alone: newPerson(),
    'a bot beside the one who is alone': newPerson({ isBot: true }),
    'in the AFK channel': newPerson(),
    'in the AFK channel too': newPerson(),
  }
  scene.speak(silent['muted by itself'], lounge, { self_mute: true })
  scene.speak(silent['muted by a manager'], lounge, { mute: true })
  scene.speak(silent['deafened by itself'], lounge, { self_deaf: true })
  scene.speak(silent['deafened by a manager'], lounge, { deaf: true })
  scene.speak(silent.alone, study)
  scene.speak(silent['a bot beside the one who is alone'], study)
  scene.speak(silent['in the AFK channel'], afk)
  scene.speak(silent['in the AFK channel too'], afk)
  return Object.entries(silent)
}
