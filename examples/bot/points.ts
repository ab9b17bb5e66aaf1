import { NotFoundError, type Realm, RefusedError } from '@exchequer/sdk'

/**
 * The points of a chat bot: a function from a member's command to the bot's reply. It depends on no chat
 * platform; a Discord bot passes `interaction.id`, `interaction.user.id` and the options unchanged.
 */
export type Interaction = {
  /** The platform's id of this request. It makes a retry safe. */
  readonly id: string
  /** The member who sent it. Ids are strings: as a number 1190194345295482952 would be another person. */
  readonly userId: string
  readonly command: string
  readonly options: Readonly<Record<string, string | number | undefined>>
}

/** `onlyForMember`: shown only to the member who sent the command. */
export type Reply = { readonly content: string; readonly onlyForMember: boolean }

const toAll = (content: string): Reply => ({ content, onlyForMember: false })
const toMember = (content: string): Reply => ({ content, onlyForMember: true })
const points = (amount: number): string =>
  `${amount.toLocaleString('en')} ${amount === 1 ? 'point' : 'points'}`

async function balance(realm: Realm, { userId, options }: Interaction): Promise<Reply> {
  const whose = String(options['member'] ?? userId)
  const { tokenBalance } = await realm.member(whose).get()
  return toMember(`<@${whose}> has ${points(tokenBalance)}.`)
}

async function tip(realm: Realm, { id, userId, options }: Interaction): Promise<Reply> {
  const [to, amount] = [String(options['member']), Number(options['amount'])]
  if (!Number.isSafeInteger(amount) || amount < 1) return toMember('A tip is 1 point or more.')
  await realm.member(userId).transfer(to, amount, {
    // The same interaction is the same tip, however often it is handled: the second time the server returns
    // the first response, and nothing changes.
    idempotencyKey: `interaction:${id}`,
    reason: String(options['note'] ?? 'a tip'),
    actorId: userId,
  })
  return toAll(`<@${userId}> gave ${points(amount)} to <@${to}>.`)
}

async function leaderboard(realm: Realm, { options }: Interaction): Promise<Reply> {
  const period = options['period'] === 'week' || options['period'] === 'month' ? options['period'] : 'all'
  const { data } = await realm.leaderboard({ period }).page({ limit: 10 })
  const lines = data.map(({ rank, id, tokens }) => `${rank}. <@${id}>: ${points(tokens)}`)
  return toAll(lines.length === 0 ? 'No member has points yet.' : lines.join('\n'))
}

const commands = new Map([
  ['balance', balance],
  ['tip', tip],
  ['leaderboard', leaderboard],
])

/** Replies to rejections that a member can act on. For all others the bot sends the server's message. */
const words = new Map([
  ['insufficient_points', 'You do not have that many points.'],
  ['same_member', 'You can’t tip yourself.'],
  ['member_frozen', 'Your points are frozen. Ask a moderator.'],
  ['member_not_found', 'No member has that id.'],
  ['recipient_not_found', 'No member has that id.'],
])

/**
 * Answers one interaction. A rejection becomes a reply. Any other error is thrown, after the client's own
 * retries: store the interaction, and handle it again later. With the same id it is the same tip.
 */
export async function handle(realm: Realm, interaction: Interaction): Promise<Reply> {
  const command = commands.get(interaction.command)
  if (!command) return toMember(`There is no /${interaction.command}.`)
  try {
    return await command(realm, interaction)
  } catch (error) {
    if (!(error instanceof RefusedError || error instanceof NotFoundError)) throw error
    return toMember(words.get(error.code) ?? error.message)
  }
}
