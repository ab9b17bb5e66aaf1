import { ExchequerError, RateLimitedError, UnavailableError } from '@exchequer/sdk'
import { plain } from './text.ts'

/** What members read when a command was rejected or could not be done. */

const words: Readonly<Record<string, string>> = {
  same_member: 'You can’t tip yourself.',
  member_frozen: 'These points are frozen. Ask a manager.',
  member_not_found: 'This user is not a member yet, and has no points.',
  recipient_not_found: 'This user is not a member yet. Ask a manager to add it.',
  not_transferable: 'These points can’t be transferred.',
  transfer_limit: 'That is more than one transfer may be.',
  daily_limit: 'That is more than what is allowed in a day. Try again tomorrow.',
  balance_limit: 'That would be more points than a member can have.',
  already_reversed: 'That was already undone.',
  not_reversible: 'That can’t be undone.',
  entry_not_found: 'No entry has this number. /history shows the numbers.',
  hold_not_found: 'This order does not exist.',
  hold_ended: 'This order was already completed.',
  not_set_up: 'Wallet links are not set up on the points server.',
  realm_suspended: 'Points are read-only at the moment. Ask a manager.',
  idempotency_key_reused: 'This command was already handled.',
}

const settingsCodes = new Set([
  'unauthorized',
  'forbidden',
  'insufficient_scope',
  'realm_not_found',
  'point_not_found',
])

/** After a change that got no response it is not known whether it was made. */
const unknown =
  'The points server does not respond. This may or may not have been done: check /balance or /history in a ' +
  'few minutes, before you send it again.'
const unread = 'The points server does not respond. Nothing was changed. Try again in a few minutes.'

function tooFew({ balance, required }: ExchequerError): string {
  if (balance === undefined || required === undefined) return 'There are not enough points.'
  const [has, needs] = [balance, required].map((tokens) => tokens.toLocaleString('en'))
  return `There are not enough points: ${has}, and it takes ${needs}.`
}

/** The sentence for an error. One that is not for members is undefined: it is logged. */
export function sentenceOf(error: unknown, isChange: boolean): string | undefined {
  if (!(error instanceof ExchequerError)) return undefined
  const { code } = error
  if (code === 'insufficient_points') return tooFew(error)
  if (error instanceof RateLimitedError) return 'Too many commands at the moment. Try again in a minute.'
  if (error instanceof UnavailableError) return isChange ? unknown : unread
  if (settingsCodes.has(code)) return 'The bot is not set up correctly. Ask a manager to look at its log.'
  return words[code] ?? (error.status === 400 || error.status === 422 ? plain(error.message, 300) : undefined)
}

export const internalSentence = 'Something went wrong in the bot. Ask a manager to look at its log.'
