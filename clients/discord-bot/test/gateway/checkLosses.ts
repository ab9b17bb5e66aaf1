import assert from 'node:assert/strict'
import { until } from '../botProcess.ts'
import type { Place } from '../place.ts'
import type { Checks } from '../run.ts'
import { newPerson, withGateway } from './scene.ts'

/** Crashes, lost connections, and a points server that does not respond. */
export async function checkGatewayCrashes(place: Place, { check }: Checks): Promise<void> {
  const { server, entries } = place

  await check('gateway: killed in the middle of an award, and the message again: one award', () =>
    withGateway(place, {}, async (scene) => {
      const person = newPerson()
      const before = await entries()
      server.mode = { is: 'silent' }
      const id = scene.say(person, 0)
      await until(
        () => server.unanswered > 0,
        () => 'the award did not arrive',
      )
      await scene.bot.end()
      server.mode = { is: 'pass' }
      assert.equal(await entries(), before + 1)
      await scene.bot.start()
      scene.repeat(person, id)
      scene.say(person, 30)
      scene.say(person, 60)
      await scene.finish()
      assert.equal(await scene.points(person), 2)
    }),
  )

  await check('gateway: the connection is lost: messages meanwhile are awarded, replayed ones once', () =>
    withGateway(place, {}, async (scene) => {
      const person = newPerson()
      scene.discord.replaysAll = true
      scene.say(person, 0)
      await scene.untilPoints(person, 1)
      scene.discord.drop()
      scene.say(person, 61)
      await scene.untilPoints(person, 2)
      scene.discord.reconnect()
      await until(
        () => scene.discord.resumed === 2,
        () => 'the session was not resumed',
      )
      scene.say(person, 122)
      await scene.untilPoints(person, 3)
      await scene.finish()
      assert.equal(scene.discord.identified, 1)
      assert.ok(scene.discord.heartbeats > 0)
      assert.equal(await scene.points(person), 3)
    }),
  )
}

export async function checkGatewaySessions(place: Place, { check }: Checks): Promise<void> {
  await check('gateway: a session that Discord forgot: a new one, and messages sent again earn nothing', () =>
    withGateway(place, {}, async (scene) => {
      const person = newPerson()
      const id = scene.say(person, 0)
      await scene.untilPoints(person, 1)
      scene.discord.forgetSessions()
      scene.discord.drop()
      await until(
        () => scene.discord.identified === 2,
        () => `no new session: ${scene.bot.said.err}`,
      )
      scene.repeat(person, id)
      scene.say(person, 60)
      await scene.finish()
      assert.equal(await scene.points(person), 2)
    }),
  )
}

export async function checkGatewayOutages(place: Place, { check }: Checks): Promise<void> {
  const { server } = place

  await check('gateway: the points server is down, then loses responses: all is awarded once', () =>
    withGateway(place, {}, async (scene) => {
      const persons = Array.from({ length: 12 }, () => newPerson())
      // So the process knows their slots, and does not read them again: only the keys prevent a second award.
      for (const one of persons) scene.say(one, 0)
      for (const one of persons) await scene.untilPoints(one, 1)
      server.mode = { is: 'down' }
      for (const one of persons) for (const at of [30, 60, 90, 120]) scene.say(one, at)
      await until(
        () => scene.bot.said.err.includes('Awards wait, and are sent again later'),
        () => 'the outage was not logged',
      )
      server.mode = { is: 'lossy' }
      // Eight at once, each sent twice by the client: more are sent again by the queue.
      await until(
        () => server.unanswered > 20,
        () => 'nothing was sent again',
      )
      server.mode = { is: 'pass' }
      for (const one of persons) await scene.untilPoints(one, 3)
      await scene.finish()
      for (const one of persons) assert.equal(await scene.points(one), 3)
      assert.match(scene.bot.said.err, /The points server responds again/)
      assert.match(scene.bot.said.err, /\d+ awards were made, 0 were lost\.\n$/)
    }),
  )

  await check('gateway: what waits is bounded; what is lost is counted and logged', () =>
    withGateway(place, {}, async (scene) => {
      server.mode = { is: 'down' }
      for (let at = 0; at < 10_003; at += 1) scene.say(newPerson(), 0)
      await until(
        () => scene.bot.said.err.includes('because too many wait'),
        () => scene.bot.said.err,
      )
      assert.equal(await scene.bot.end('SIGTERM'), 0)
      assert.match(scene.bot.said.err, /10000 because the gateway was stopped; 10003 since the start/)
      assert.match(scene.bot.said.err, /0 awards were made, 10003 were lost\.\n$/)
    }),
  )
}

export async function checkGatewayRules(place: Place, { check }: Checks): Promise<void> {
  await check('gateway: an award that the rules reject is lost and counted; the next one is made', () =>
    withGateway(place, {}, async (scene) => {
      const person = newPerson()
      scene.say(person, 0)
      await scene.untilPoints(person, 1)
      const [point] = await place.realm.points.list().toArray({ max: 1 })
      assert.ok(point)
      await place.realm.points.change(point.id, { maxBalance: 1 })
      const id = scene.say(person, 60)
      const rejected = () => scene.bot.said.err.includes('1 rejected (balance_limit)')
      try {
        await until(rejected, () => scene.bot.said.err)
      } finally {
        await place.realm.points.change(point.id, { maxBalance: 'none' })
      }
      await scene.bot.restart()
      scene.say(person, 120)
      await scene.untilPoints(person, 2)
      scene.repeat(person, id)
      await scene.finish()
      assert.equal(await scene.points(person), 2)
    }),
  )
}
