import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from './botProcess.ts'
import { command, press } from './interactions.ts'
import { ann, bob, buttonsOf, contentOf, mia, type Place } from './place.ts'
import type { Checks } from './run.ts'
import { applicationId } from './standIn.ts'

type Edited = { readonly content: string; readonly flags?: number; readonly components: readonly unknown[] }

const replyPath = (token: string) => `/webhooks/${applicationId}/${token}/messages/@original`

/** The reply that followed a deferred response. */
async function editOf({ discord }: Place, token: string): Promise<Edited> {
  const edits = () => discord.callsOf('PATCH', replyPath(token))
  await until(
    () => edits().length > 0,
    () => 'the deferred reply did not follow',
  )
  assert.equal(edits().length, 1)
  return edits()[0]?.body as Edited
}

export async function checkSlow(place: Place, { check }: Checks): Promise<void> {
  const { server, send, entries, discord } = place
  const slow = async (work: () => Promise<void>) => {
    server.mode = { is: 'slow', ms: 1_800 }
    await work().finally(() => {
      server.mode = { is: 'pass' }
    })
  }

  await check('a slow points server: the reply is deferred in time, and follows', () =>
    slow(async () => {
      const before = await entries()
      const [tip, read] = [command(ann, 'tip', { member: bob, amount: 1 }), command(ann, 'balance')]
      const [one, two] = await Promise.all([send(tip), send(read)])
      assert.deepEqual([one.response, two.response], [{ type: 5 }, { type: 5, data: { flags: 64 } }])
      assert.equal((await editOf(place, tip.token)).content, `<@${ann.id}> gave 1 coin to <@${bob.id}>.`)
      assert.match((await editOf(place, read.token)).content, /^<@\d+> has [\d,]+ coins\./)
      assert.equal(await entries(), before + 1)
    }),
  )

  await check(
    'a slow points server: a button updates its message, or rejects in a message of its own',
    async () => {
      const order = await send(command(ann, 'shop buy', { item: 'hat' }))
      const [confirm = ''] = buttonsOf(order)
      await slow(async () => {
        const pressed = press(mia, confirm, contentOf(order))
        assert.deepEqual((await send(pressed)).response, { type: 6 })
        const { content, components } = await editOf(place, pressed.token)
        assert.match(content, /confirmed this order\.$/)
        assert.deepEqual(components, [])
        const wrong = press(mia, 'confirm:99999999', 'x')
        assert.deepEqual((await send(wrong)).response, { type: 6 })
        const followed = () => discord.callsOf('POST', `/webhooks/${applicationId}/${wrong.token}`)
        await until(
          () => followed().length === 1,
          () => 'no message followed',
        )
        const message = followed()[0]?.body as Edited
        assert.deepEqual([message.content, message.flags], ['This order does not exist.', 64])
      })
    },
  )

  await check(
    'a deferred reply follows though Discord limits it, fails, or does not know it yet',
    async () => {
      await slow(async () => {
        const tip = command(ann, 'tip', { member: bob, amount: 1 })
        discord.trouble({ status: 404 }, { status: 429, retryAfterSeconds: 0.3 }, { status: 500 })
        assert.deepEqual((await send(tip)).response, { type: 5 })
        assert.match((await editOf(place, tip.token)).content, /gave 1 coin/)
      })
    },
  )
}

export async function checkDown(place: Place, { check }: Checks): Promise<void> {
  const { server, send, entries, bot } = place

  await check('the points server is down: a plain sentence; sent again later it is one change', async () => {
    const before = await entries()
    const [tip, read] = [command(ann, 'tip', { member: bob, amount: 1 }), command(ann, 'balance')]
    server.mode = { is: 'down' }
    await Promise.all([send(tip), send(read)])
    const unread = 'The points server does not respond. Nothing was changed. Try again in a few minutes.'
    assert.equal((await editOf(place, read.token)).content, unread)
    assert.match(
      (await editOf(place, tip.token)).content,
      /^The points server does not respond\. This may or may not/,
    )
    server.mode = { is: 'pass' }
    assert.equal(await entries(), before)
    assert.match(contentOf(await send(tip)), /gave 1 coin/)
    assert.match(contentOf(await send(tip)), /gave 1 coin/)
    assert.equal(await entries(), before + 1)
  })

  await check('every response of the points server is lost: retried, and it stays one change', async () => {
    const before = await entries()
    const tip = command(ann, 'tip', { member: bob, amount: 1 })
    server.mode = { is: 'lossy' }
    await send(tip)
    const { content } = await editOf(place, tip.token)
    assert.match(content, /This may or may not have been done: check \/balance or \/history/)
    assert.ok(server.unanswered > 1, 'the change was not retried')
    server.mode = { is: 'pass' }
    assert.equal(await entries(), before + 1)
    assert.match(contentOf(await send(tip)), /gave 1 coin/)
    assert.equal(await entries(), before + 1)
  })

  await check('asked to stop, the bot sends the replies that it owes, and ends with 0', async () => {
    server.mode = { is: 'slow', ms: 1_800 }
    const tip = command(ann, 'tip', { member: bob, amount: 1 })
    assert.deepEqual((await send(tip)).response, { type: 5 })
    const [code] = await Promise.all([bot.end('SIGTERM'), sleep(0)])
    server.mode = { is: 'pass' }
    assert.equal(code, 0)
    assert.match((await editOf(place, tip.token)).content, /gave 1 coin/)
    await bot.start()
  })
}
