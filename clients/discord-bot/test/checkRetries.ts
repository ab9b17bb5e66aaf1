import assert from 'node:assert/strict'
import type { APIInteraction } from 'discord-api-types/v10'
import { until } from './botProcess.ts'
import { command, press } from './interactions.ts'
import { ann, bob, buttonsOf, contentOf, mia, type Place } from './place.ts'
import type { Checks } from './run.ts'
import type { Sent } from './standIn.ts'

/** Interactions that arrive several times, with crashes of the bot between them. */

type Change = { readonly name: string; readonly make: () => Promise<APIInteraction> }

const entryOf = (sent: Sent): string => /Entry (\d+)\.$/.exec(contentOf(sent))?.[1] ?? ''

/** Everything that changes points; each `make` prepares what it needs. */
function changesOf({ send }: Place): Change[] {
  const award = () => send(command(mia, 'award', { member: bob, amount: 3 }))
  const order = () => send(command(ann, 'shop buy', { item: 'hat' }))
  const pressed = async (sent: Sent, index: number) =>
    press(mia, buttonsOf(sent)[index] ?? '', contentOf(sent))
  return [
    { name: '/tip', make: async () => command(ann, 'tip', { member: bob, amount: 2 }) },
    { name: '/award', make: async () => command(mia, 'award', { member: ann, amount: 40 }) },
    { name: '/undo', make: async () => command(mia, 'undo', { entry: entryOf(await award()) }) },
    { name: 'the button Undo', make: async () => pressed(await award(), 0) },
    { name: '/shop buy', make: async () => command(ann, 'shop buy', { item: 'hat' }) },
    { name: 'the button Confirm', make: async () => pressed(await order(), 0) },
    { name: 'the button Decline', make: async () => pressed(await order(), 1) },
  ]
}

export async function checkRetries(place: Place, { check }: Checks): Promise<void> {
  const { bot, send, entries, realm } = place
  await realm.member(ann.id).adjust(1_000)

  const reads = ['balance', 'leaderboard', 'history', 'shop list', 'link']
  await check(`sent three times, the bot killed in between: no change by ${reads.length} reads`, async () => {
    const interactions = reads.map((name) => command(ann, name))
    const before = await entries()
    for (let time = 0; time < 3; time += 1) {
      for (const one of interactions) assert.equal((await send(one)).status, 200)
      await bot.restart()
    }
    assert.equal(await entries(), before)
  })

  for (const { name, make } of changesOf(place))
    await check(`${name}, sent three times, the bot killed in between: one change`, async () => {
      const interaction = await make()
      const before = await entries()
      const texts: string[] = []
      for (let time = 0; time < 3; time += 1) {
        if (time > 0) await bot.restart()
        texts.push((await send(interaction)).text)
      }
      assert.equal(new Set(texts).size, 1, texts.join('\n'))
      assert.equal(await entries(), before + 1)
    })
}

export async function checkCrashes(place: Place, { check }: Checks): Promise<void> {
  const { bot, send, entries, server } = place
  for (const { name, make } of changesOf(place))
    await check(
      `${name}, the bot killed before it has the response, and sent twice more: one change`,
      async () => {
        const interaction = await make()
        const before = await entries()
        server.mode = { is: 'silent' }
        const lost = send(interaction).catch(() => undefined)
        await until(
          () => server.unanswered > 0,
          () => 'the change did not arrive',
        )
        await bot.end()
        await lost
        server.mode = { is: 'pass' }
        assert.equal(await entries(), before + 1)
        await bot.start()
        const first = contentOf(await send(interaction))
        await bot.restart()
        assert.equal(contentOf(await send(interaction)), first)
        assert.equal(await entries(), before + 1)
      },
    )

  await check('the same interaction ten times at once: one change, one answer', async () => {
    const interaction = command(ann, 'tip', { member: bob, amount: 1 })
    const before = await entries()
    const sent = await Promise.all(Array.from({ length: 10 }, () => send(interaction)))
    assert.equal(new Set(sent.map(({ text }) => text)).size, 1)
    assert.equal(await entries(), before + 1)
  })
}
