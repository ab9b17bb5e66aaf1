import assert from 'node:assert/strict'
import { MessageType } from 'discord-api-types/v10'
import type { Person } from '../interactions.ts'
import type { Place } from '../place.ts'
import type { Checks } from '../run.ts'
import { channels, staffRole } from './events.ts'
import { newPerson, otherGuild, withGateway, withTwo } from './scene.ts'

const minute = 60
const day = 86_400

/** What messages earn, and what they do not. */
export async function checkGatewayAwards(place: Place, { check }: Checks): Promise<void> {
  await check('gateway: a message earns points, and its author becomes a member with its names', () =>
    withGateway(place, { MESSAGE_POINTS: '3' }, async (scene) => {
      const person = newPerson({ globalName: 'Lee', nick: 'Lee of the guild', avatar: 'c3d4' })
      const id = scene.say(person, 0)
      await scene.untilPoints(person, 3)
      const [entry, ...others] = await scene.awards(person)
      assert.deepEqual(others, [])
      assert.equal(entry?.reason, 'messages')
      assert.ok(entry?.reference?.endsWith(`:1:${id}`), String(entry?.reference))
      const { username, displayName, metadata } = await place.realm.member(person.id).profile()
      assert.deepEqual([username, displayName], [person.username, 'Lee of the guild'])
      assert.deepEqual(metadata, { discordAvatar: 'c3d4' })
    }),
  )

  await check('gateway: the cooldown, by the time of the messages', () =>
    withGateway(place, {}, async (scene) => {
      const [one, other] = [newPerson(), newPerson()]
      for (const at of [0, 1, 30, 59, 60, 61, 119.9, 125, 184, 185]) scene.say(one, at)
      scene.say(other, 59)
      await scene.finish()
      // 0, 60, 125 and 185.
      assert.deepEqual([await scene.points(one), await scene.points(other)], [4, 1])
    }),
  )

  await check('gateway: the points of a day are capped, and the next day has its own', () =>
    withGateway(place, { MESSAGE_POINTS: '2', MESSAGE_POINTS_PER_DAY: '7' }, async (scene) => {
      const person = newPerson()
      for (let at = 0; at < 8; at += 1) scene.say(person, at * minute)
      scene.say(person, day)
      scene.say(person, day + minute)
      await scene.finish()
      const days = (await scene.awards(person)).map(({ reference }) => reference?.split(':')[2])
      assert.deepEqual(
        [...new Set(days)].map((one) => days.filter((other) => other === one).length),
        [2, 3],
      )
    }),
  )

  const ignored = { IGNORED_CHANNELS: `${channels.category}, 1190000000000000999`, IGNORED_ROLES: staffRole }
  await check('gateway: nothing for bots, webhooks, Discord’s own messages, ignored places and roles', () =>
    withGateway(place, ignored, async (scene) => {
      const before = await place.entries()
      scene.say(newPerson({ isBot: true }), 0)
      scene.say(newPerson(), 0, { webhookId: '1190000000000000777' })
      scene.say(newPerson(), 0, { type: MessageType.UserJoin })
      scene.say(newPerson(), 0, { channelId: channels.spam })
      scene.say(newPerson(), 0, { channelId: channels.thread })
      scene.say(newPerson({ roles: [staffRole] }), 0)
      // A server that the bot is in, and that its settings do not name.
      scene.say(newPerson(), 0, { guild: otherGuild })
      await scene.finish()
      assert.equal(await place.entries(), before + 1)
    }),
  )
}

export async function checkGatewayTwo(place: Place, { check }: Checks): Promise<void> {
  await check('gateway: cooldown and cap hold for two processes and after kill -9 of both', () =>
    withTwo(place, { MESSAGE_POINTS_PER_DAY: '5' }, async (scene) => {
      const persons = Array.from({ length: 8 }, () => newPerson())
      const said: [string, Person][] = []
      const talk = (from: number, to: number) => {
        for (let at = from; at < to; at += 20) for (const one of persons) said.push([scene.say(one, at), one])
      }
      talk(0, 180)
      for (const one of persons) await scene.untilPoints(one, 2)
      for (const bot of scene.bots) await bot.restart()
      // All of them again, in a session of their own.
      for (const [id, person] of said) scene.repeat(person, id)
      talk(180, 600)
      await scene.finish()
      for (const one of persons) {
        const awards = await scene.awards(one)
        const ids = awards.map(({ reference }) => BigInt(reference?.split(':').at(-1) ?? 0) >> 22n)
        assert.equal(awards.length, 5)
        for (const [at, id] of ids.slice(1).entries())
          assert.ok((ids[at] ?? 0n) - id >= 60_000n, 'the cooldown')
      }
    }),
  )
}
