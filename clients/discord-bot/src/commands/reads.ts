import type { HistoryEntry } from '@exchequer/sdk'
import { toAll, toMember } from '../reply.ts'
import { amountOf, nameOf, plain } from '../text.ts'
import { type Command, pointTypeOf, userOption } from './command.ts'

/** Commands that change nothing. */

export const balance: Command = {
  run: async ({ guild, realm }, interaction) => {
    const id = userOption(interaction, 'member') ?? interaction.user.id
    const { balances, tokenBalance, held } = await realm.member(id).get()
    const { realmPointId, pointNames } = guild
    const tokens = realmPointId === undefined ? tokenBalance : (balances[realmPointId] ?? 0)
    const waiting = Object.entries(held)
      .filter(([point]) => realmPointId === undefined || point === realmPointId)
      .reduce((sum, [, amount]) => sum + amount, 0)
    const more = waiting > 0 ? ` ${amountOf(waiting, pointNames)} more are held for orders.` : ''
    return toMember(`${nameOf(id)} has ${amountOf(tokens, pointNames)}.${more}`)
  },
}

const rows = 10

export const leaderboard: Command = {
  isPublic: true,
  run: async ({ guild, realm }, { options }) => {
    const period = options['period'] === 'week' || options['period'] === 'month' ? options['period'] : 'all'
    const { data } = await realm.leaderboard({ period, ...pointTypeOf(guild) }).page({ limit: rows })
    if (data.length === 0) return toAll('No member has points yet.')
    const lines = data.map(
      ({ rank, id, displayName, tokens }) =>
        `${rank}. ${nameOf(id, displayName)}: ${amountOf(tokens, guild.pointNames)}`,
    )
    return toAll(lines.join('\n'))
  },
}

const verbs: Readonly<Record<HistoryEntry['type'], string>> = {
  adjust: 'award',
  transfer: 'tip',
  reversal: 'undone',
  hold: 'order',
  capture: 'order confirmed',
  release: 'order declined',
  expiry: 'order expired',
  opening: 'opening balance',
  claim: 'claim',
  lapse: 'lapsed',
  merge: 'merge',
  award: 'promised',
  grant: 'promise kept',
  cancel: 'promise cancelled',
}

function lineOf(entry: HistoryEntry, names: Parameters<typeof amountOf>[1]): string {
  const { transactionId, type, at, tokens, heldTokens, pendingTokens, counterpartyId, reason } = entry
  const amount = type === 'capture' ? heldTokens : tokens || pendingTokens
  const sign = amount > 0 ? '+' : ''
  const other =
    counterpartyId === null
      ? ''
      : tokens < 0
        ? ` to ${nameOf(counterpartyId)}`
        : ` from ${nameOf(counterpartyId)}`
  const why = reason === null ? '' : `: ${plain(reason, 60)}`
  const seconds = Math.floor(Date.parse(at) / 1000)
  const what = `(${verbs[type] ?? type}${other})`
  return `#${transactionId} <t:${seconds}:d> ${sign}${amountOf(amount, names)} ${what}${why}`
}

export const history: Command = {
  run: async ({ guild, realm }, interaction) => {
    const id = userOption(interaction, 'member') ?? interaction.user.id
    if (id !== interaction.user.id && !interaction.isManager)
      return toMember('Only managers can see the history of other members.')
    const { data } = await realm.member(id).history(pointTypeOf(guild)).page({ limit: rows })
    if (data.length === 0) return toMember(`${nameOf(id)} has no history yet.`)
    return toMember(data.map((entry) => lineOf(entry, guild.pointNames)).join('\n'))
  },
}

/** A new link for each press, also in a retry: the one before expires unused. */
export const link: Command = {
  run: async ({ guild, transport }, { user }) => {
    const path = `/api/v4/realms/${encodeURIComponent(guild.realm)}/members/${user.id}/wallets/links`
    const { url } = await transport.send<{ readonly url: string | null }>({
      method: 'POST',
      path,
      body: {},
      repeatable: true,
    })
    if (url === null) return toMember('Send /link again for a new link.')
    const words =
      'Open this page to link a wallet to your account. The link is yours alone, and valid for 15 minutes.'
    return toMember(words, [{ label: 'Link a wallet', url }])
  },
}
