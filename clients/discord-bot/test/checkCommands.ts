import assert from 'node:assert/strict'
import { command, press } from './interactions.ts'
import { ann, bob, buttonsOf, contentOf, messageOf, mia, type Place, robot } from './place.ts'
import type { Checks } from './run.ts'

const ephemeral = 64

const sayTo =
  (send: Place['send']) =>
  async (...one: Parameters<typeof command>) =>
    contentOf(await send(command(...one)))

/** What each command answers, and what it changes. */
export async function checkChanges(place: Place, { check }: Checks): Promise<void> {
  const { send, balance, entries, realm } = place
  const say = sayTo(send)

  await check('/award adds points, and deducts them with a number below 0', async () => {
    const sent = await send(command(mia, 'award', { member: ann, amount: 100, reason: 'a *quiz* @everyone' }))
    const content = contentOf(sent)
    assert.match(content, /^<@1190194345295483777> awarded 100 coins to <@1190194345295482952>/)
    assert.ok(content.includes('a \\*quiz\\* \\@everyone. Balance: 190 coins.'), content)
    assert.match(
      await say(mia, 'award', { member: ann, amount: -1 }),
      /deducted 1 coin from .* Balance: 189 coins/,
    )
    assert.equal(await balance(ann), 189)
    const { data } = await realm.member(ann.id).history().page({ limit: 2 })
    assert.deepEqual(
      data.map(({ actorId, reason }) => [actorId, reason]),
      [
        [mia.id, 'an award'],
        [mia.id, 'a *quiz* @everyone'],
      ],
    )
  })

  await check('/tip moves points between members', async () => {
    const content = await say(ann, 'tip', { member: bob, amount: 9, note: 'thanks' })
    assert.equal(content, `<@${ann.id}> gave 9 coins to <@${bob.id}>: thanks.`)
    assert.deepEqual([await balance(ann), await balance(bob)], [180, 18])
  })

  await check('/tip rejects what is not possible, in plain words and only to the member', async () => {
    const before = await entries()
    const cases = [
      [bob, ann, 1_000, 'There are not enough points: 18, and it takes 1,000.'],
      [bob, bob, 1, 'You can’t tip yourself.'],
      [bob, robot, 1, 'Name a member who is not a bot.'],
      [bob, ann, -1, 'A tip is a whole number from 1.'],
    ] as const
    for (const [from, to, amount, expected] of cases) {
      const sent = await send(command(from, 'tip', { member: to, amount }))
      assert.equal(contentOf(sent), expected)
      assert.equal(messageOf(sent.response).flags, ephemeral)
    }
    assert.equal(await entries(), before)
  })
}

export async function checkReads({ send }: Place, { check }: Checks): Promise<void> {
  const say = sayTo(send)

  await check('/balance shows a balance, and of a user who is not a member yet', async () => {
    assert.equal(await say(ann, 'balance'), `<@${ann.id}> has 90 coins.`)
    assert.equal(await say(ann, 'balance', { member: bob }), `<@${bob.id}> has 9 coins.`)
    const zoe = { id: '1190194345295484444', username: 'zoe' }
    const unknown = 'This user is not a member yet, and has no points.'
    for (let time = 0; time < 2; time += 1) assert.equal(await say(ann, 'balance', { member: zoe }), unknown)
  })

  await check('/leaderboard ranks members, of all time and of a week', async () => {
    for (const values of [{}, { period: 'week' }])
      assert.match(
        await say(bob, 'leaderboard', values),
        new RegExp(`^1\\. <@${ann.id}>: \\d+ coins\n2\\. <@${bob.id}>: \\d+ coins$`),
      )
  })

  await check('/history shows a member its own entries, and managers those of others', async () => {
    await send(command(ann, 'tip', { member: bob, amount: 5, note: 'thanks' }))
    const lines = (await say(ann, 'history')).split('\n')
    assert.ok(lines.length >= 3)
    assert.match(lines[0] ?? '', /^#\d+ <t:\d+:d> -5 coins \(tip to <@1190194345295483000>\): thanks$/)
    assert.match(await say(bob, 'history', { member: ann }), /^Only managers/)
    assert.equal(await say(mia, 'history', { member: ann }), lines.join('\n'))
  })
}

export async function checkUndo({ send, balance }: Place, { check }: Checks): Promise<void> {
  const say = sayTo(send)

  await check('/undo reverses an entry once, by its number or by the button below an award', async () => {
    const [first, second] = [
      command(mia, 'award', { member: bob, amount: 5 }),
      command(mia, 'award', { member: bob, amount: 7 }),
    ]
    const [one, two] = [await send(first), await send(second)]
    const entry = /Entry (\d+)\.$/.exec(contentOf(one))?.[1] ?? ''
    assert.match(await say(mia, 'undo', { entry: `#${entry}` }), new RegExp(`has undone entry ${entry}\\.$`))
    assert.equal(await say(mia, 'undo', { entry }), 'That was already undone.')
    const [button = ''] = buttonsOf(two)
    const pressed = await send(press(mia, button, contentOf(two)))
    assert.equal(pressed.response?.type, 7)
    assert.match(contentOf(pressed), /awarded 7 coins .*\n<@1190194345295483777> has undone entry \d+\.$/)
    assert.deepEqual(messageOf(pressed.response).components, [])
    assert.equal(await balance(bob), 9)
  })

  await check('/link sends the member, and no other, a page to link a wallet', async () => {
    const sent = await send(command(ann, 'link'))
    assert.equal(messageOf(sent.response).flags, ephemeral)
    assert.match(sent.text, /"url":"http:\/\/[^"]+\/link\/[^"]+"/)
  })
}

export async function checkShop(place: Place, { check }: Checks): Promise<void> {
  const { send, balance } = place

  await check('/shop lists items, and an order holds the price until a manager confirms', async () => {
    const list = contentOf(await send(command(ann, 'shop list')))
    assert.equal(list.split('\n')[0], '**A \\*red\\* hat**, 30 coins: Warm')
    const order = await send(command(ann, 'shop buy', { item: 'hat' }))
    assert.equal(await balance(ann), 60)
    assert.match(contentOf(await send(command(ann, 'balance'))), /has 60 coins\. 30 coins more are held/)
    const [confirm = '', decline = ''] = buttonsOf(order)
    const done = await send(press(mia, confirm, contentOf(order)))
    assert.match(contentOf(done), /\n<@1190194345295483777> confirmed this order\.$/)
    const late = contentOf(await send(press(mia, decline, contentOf(order))))
    assert.match(late, /\nThis order was confirmed\.$/)
    assert.equal(await balance(ann), 60)
  })

  await check('an order that a manager declines returns the points', async () => {
    const order = await send(command(ann, 'shop buy', { item: 'hat' }))
    const [, decline = ''] = buttonsOf(order)
    assert.match(contentOf(await send(press(mia, decline, contentOf(order)))), /\n.* declined this order/)
    assert.equal(await balance(ann), 60)
    const yacht = contentOf(await send(command(ann, 'shop buy', { item: 'yacht' })))
    assert.equal(yacht, 'There are not enough points: 60, and it takes 1,000,000.')
    assert.match(contentOf(await send(command(ann, 'shop buy', { item: 'boat' }))), /^The shop does not have/)
  })
}

export async function checkPermissions(place: Place, { check }: Checks): Promise<void> {
  const { send, entries, realm } = place

  await check('only managers award, undo, confirm and decline, whatever Discord lets through', async () => {
    const order = await send(command(ann, 'shop buy', { item: 'hat' }))
    const [confirm = '', decline = ''] = buttonsOf(order)
    const before = await entries()
    const rejected = [
      command(ann, 'award', { member: ann, amount: 5 }),
      command(ann, 'undo', { entry: '1' }),
      press(ann, confirm, 'x'),
      press(ann, decline, 'x'),
      press(ann, 'undo:1', 'x'),
    ]
    for (const one of rejected) {
      const sent = await send(one)
      assert.equal(contentOf(sent), 'Only members who can manage the server may do this.')
      assert.equal(messageOf(sent.response).flags, ephemeral)
    }
    assert.equal(await entries(), before)
    await send(press(mia, decline, 'x'))
  })

  await check('names and avatars are those of Discord, and other metadata stays', async () => {
    const profile = () => realm.member(ann.id).profile()
    const { username, displayName, metadata } = await profile()
    assert.deepEqual([username, displayName, metadata], ['ann', 'Ann', { discordAvatar: 'a1b2' }])
    assert.equal((await realm.member(bob.id).profile()).displayName, 'Bobby')
    await realm.member(ann.id).put({ metadata: { discordAvatar: 'a1b2', shirt: 'L' } })
    await send(command({ ...ann, globalName: 'Ann the First', avatar: 'c3d4' }, 'balance'))
    const changed = await profile()
    assert.deepEqual(
      [changed.displayName, changed.metadata],
      ['Ann the First', { discordAvatar: 'c3d4', shirt: 'L' }],
    )
    const { updatedAt } = changed
    await send(command({ ...ann, globalName: 'Ann the First', avatar: 'c3d4' }, 'balance'))
    assert.equal((await profile()).updatedAt, updatedAt)
    const { avatar: _, ...plain } = ann
    await send(command(plain, 'balance'))
    assert.deepEqual((await profile()).metadata, { shirt: 'L' })
  })

  await check(
    'a command of another server, or outside of servers, is answered and does nothing',
    async () => {
      const before = await entries()
      const other = { ...command(ann, 'tip', { member: bob, amount: 1 }), guild_id: '1190000000000000002' }
      assert.equal(contentOf(await send(other)), 'This server is not in the settings of the bot.')
      const { guild_id: _, member: _member, ...direct } = command(ann, 'tip', { member: bob, amount: 1 })
      const user = command(ann, 'balance').member.user
      assert.equal(contentOf(await send({ ...direct, user })), 'Use this command in a server.')
      const foreign = { ...command(ann, 'balance'), application_id: '1290000000000000999' }
      assert.equal(contentOf(await send(foreign)), 'It is for another application.')
      assert.match(contentOf(await send(command(ann, 'dance'))), /does not have this command/)
      assert.equal(await entries(), before)
    },
  )
}
