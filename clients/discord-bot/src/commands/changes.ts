import type { Interaction } from '../interaction.ts'
import { type Reply, toAll, toMember, update } from '../reply.ts'
import { amountOf, nameOf, plain } from '../text.ts'
import { type Command, type Context, pointTypeOf, textOption, userOption } from './command.ts'

/** Commands that change points. The interaction's id is the Idempotency-Key: a retry is the same change. */

export const keyOf = ({ id, user }: Interaction) => ({ idempotencyKey: id, actorId: user.id })

const reasonOf = (text: string | undefined): string => (text === undefined ? '' : `: ${plain(text, 200)}`)

export const tip: Command = {
  isPublic: true,
  isChange: true,
  run: async ({ guild, realm }, interaction) => {
    const to = userOption(interaction, 'member')
    const amount = Number(interaction.options['amount'])
    if (to === undefined || interaction.users.get(to)?.isBot)
      return toMember('Name a member who is not a bot.')
    if (to === interaction.user.id) return toMember('You can’t tip yourself.')
    if (!Number.isSafeInteger(amount) || amount < 1) return toMember('A tip is a whole number from 1.')
    const note = textOption(interaction, 'note')
    const reason = note ?? 'a tip'
    const options = { ...keyOf(interaction), ...pointTypeOf(guild), reason }
    await realm.member(interaction.user.id).transfer(to, amount, options)
    const given = `${nameOf(interaction.user.id)} gave ${amountOf(amount, guild.pointNames)} to ${nameOf(to)}`
    return toAll(`${given}${reasonOf(note)}.`)
  },
}

export const award: Command = {
  isPublic: true,
  isChange: true,
  isForManagers: true,
  run: async ({ guild, realm }, interaction) => {
    const to = userOption(interaction, 'member')
    const amount = Number(interaction.options['amount'])
    if (to === undefined || interaction.users.get(to)?.isBot)
      return toMember('Name a member who is not a bot.')
    if (!Number.isSafeInteger(amount) || amount === 0) return toMember('An award is a whole number, not 0.')
    const reason = textOption(interaction, 'reason')
    const options = { ...keyOf(interaction), ...pointTypeOf(guild), reason: reason ?? 'an award' }
    const { transactionId, newBalance } = await realm.member(to).adjust(amount, options)
    const [verb, preposition] = amount > 0 ? ['awarded', 'to'] : ['deducted', 'from']
    const done = `${nameOf(interaction.user.id)} ${verb} ${amountOf(Math.abs(amount), guild.pointNames)}`
    const now = `Balance: ${amountOf(newBalance, guild.pointNames)}. Entry ${transactionId}.`
    const content = `${done} ${preposition} ${nameOf(to)}${reasonOf(reason)}. ${now}`
    return toAll(content, [{ label: 'Undo', id: `undo:${transactionId}`, isDanger: true }])
  },
}

async function reverse({ realm }: Context, interaction: Interaction, id: string): Promise<string> {
  await realm.reverse(id, { ...keyOf(interaction), reason: 'undone in Discord' })
  return `${nameOf(interaction.user.id)} has undone entry ${id}.`
}

export const undo: Command = {
  isPublic: true,
  isChange: true,
  isForManagers: true,
  run: async (context, interaction): Promise<Reply> => {
    const id = (textOption(interaction, 'entry') ?? '').replace(/^#/, '')
    if (!/^[0-9]{1,19}$/.test(id)) return toMember('The number of an entry is digits. /history shows it.')
    return toAll(await reverse(context, interaction, id))
  },
}

/** The button below an award. */
export const undoButton: Command = {
  isChange: true,
  isForManagers: true,
  run: async (context, interaction): Promise<Reply> => {
    const { argument = '', content = '' } = interaction.button ?? {}
    if (!/^[0-9]{1,19}$/.test(argument)) return toMember('This button is not valid.')
    return update(`${content}\n${await reverse(context, interaction, argument)}`)
  },
}
