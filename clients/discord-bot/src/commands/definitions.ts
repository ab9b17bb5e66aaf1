import type {
  APIApplicationCommandBasicOption,
  RESTPutAPIApplicationGuildCommandsJSONBody,
} from 'discord-api-types/v10'
import type { Guild } from '../settings.ts'
import { amountOf } from '../text.ts'

/** The commands as Discord shows them. */

/** MANAGE_GUILD: Discord hides these commands from others, and the bot checks it again. */
const managers = { default_member_permissions: '32' }
const reasonCap = 200

const member = (description: string, required: boolean): APIApplicationCommandBasicOption => ({
  type: 6,
  name: 'member',
  description,
  required,
})

const text = (name: string, description: string): APIApplicationCommandBasicOption => ({
  type: 3,
  name,
  description,
  max_length: reasonCap,
})

const amount = (description: string, least?: number): APIApplicationCommandBasicOption => ({
  type: 4,
  name: 'amount',
  description,
  required: true,
  max_value: Number.MAX_SAFE_INTEGER,
  ...(least === undefined ? { min_value: -Number.MAX_SAFE_INTEGER } : { min_value: least }),
})

const period: APIApplicationCommandBasicOption = {
  type: 3,
  name: 'period',
  description: 'All time by default',
  choices: [
    { name: 'all time', value: 'all' },
    { name: 'this week', value: 'week' },
    { name: 'this month', value: 'month' },
  ],
}

function shopOf({ shop, pointNames }: Guild): RESTPutAPIApplicationGuildCommandsJSONBody {
  if (shop.length === 0) return []
  const choices = shop.map(({ id, name, price }) => ({
    name: Array.from(`${name}, ${amountOf(price, pointNames)}`)
      .slice(0, 100)
      .join(''),
    value: id,
  }))
  const item = { type: 3 as const, name: 'item', description: 'What you order', required: true, choices }
  const options = [
    { type: 1 as const, name: 'list', description: 'Show what the shop has' },
    { type: 1 as const, name: 'buy', description: 'Order something; a manager confirms', options: [item] },
  ]
  return [{ type: 1, name: 'shop', description: 'Spend points', options }]
}

export function definitionsOf(guild: Guild): RESTPutAPIApplicationGuildCommandsJSONBody {
  const entry = { ...text('entry', 'The number that /award or /history shows'), required: true }
  return [
    { type: 1, name: 'balance', description: 'Show a balance', options: [member('You by default', false)] },
    {
      type: 1,
      name: 'tip',
      description: 'Give points of yours to a member',
      options: [member('Who gets them', true), amount('How many', 1), text('note', 'Why')],
    },
    { type: 1, name: 'leaderboard', description: 'Show who has the most points', options: [period] },
    {
      type: 1,
      name: 'history',
      description: 'Show the last changes',
      options: [member('You by default', false)],
    },
    {
      type: 1,
      ...managers,
      name: 'award',
      description: 'Add points to a member, or deduct them with a number below 0',
      options: [member('Who gets them', true), amount('How many'), text('reason', 'Why')],
    },
    { type: 1, ...managers, name: 'undo', description: 'Undo a change', options: [entry] },
    ...shopOf(guild),
    { type: 1, name: 'link', description: 'Link a wallet to your account' },
  ]
}
