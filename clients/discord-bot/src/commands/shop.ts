import { RefusedError } from '@exchequer/sdk'
import { type Reply, toAll, toMember, update } from '../reply.ts'
import { amountOf, nameOf, plain } from '../text.ts'
import { keyOf } from './changes.ts'
import { type Command, pointTypeOf, textOption } from './command.ts'

/** The shop: an order holds the price, and a manager captures or releases it by a button. */

const secondsPerDay = 86_400

export const list: Command = {
  run: async ({ guild }) => {
    if (guild.shop.length === 0) return toMember('The shop is empty.')
    const lines = guild.shop.map(({ name, price, description }) => {
      const more = description === undefined ? '' : `: ${plain(description, 50)}`
      return `**${plain(name, 40)}**, ${amountOf(price, guild.pointNames)}${more}`
    })
    return toMember(lines.join('\n'))
  },
}

export const buy: Command = {
  isPublic: true,
  isChange: true,
  run: async ({ guild, realm }, interaction) => {
    const itemId = textOption(interaction, 'item')
    const item = guild.shop.find(({ id }) => id === itemId)
    if (!item) return toMember('The shop does not have this. /shop list shows what it has.')
    const hold = await realm.member(interaction.user.id).hold(item.price, {
      ...keyOf(interaction),
      ...pointTypeOf(guild),
      expiresIn: guild.orderDays * secondsPerDay,
      reason: `shop: ${item.name}`,
      reference: item.id,
    })
    const buyer = nameOf(interaction.user.id)
    const price = amountOf(item.price, guild.pointNames)
    const what = `**${plain(item.name, 80)}** for ${price}, which are held`
    const content = `${buyer} orders ${what}. A manager confirms.`
    return toAll(content, [
      { label: 'Confirm', id: `confirm:${hold.id}` },
      { label: 'Decline', id: `decline:${hold.id}`, isDanger: true },
    ])
  },
}

const ends = {
  open: 'is still open',
  captured: 'was confirmed',
  released: 'was declined',
  expired: 'has expired, and the points are the member’s again',
} as const

function end(action: 'capture' | 'release', done: string): Command {
  return {
    isChange: true,
    isForManagers: true,
    run: async ({ realm }, interaction): Promise<Reply> => {
      const { argument = '', content = '' } = interaction.button ?? {}
      if (!/^[0-9]{1,19}$/.test(argument)) return toMember('This button is not valid.')
      const hold = realm.hold(argument)
      try {
        await hold[action](keyOf(interaction))
      } catch (error) {
        if (!(error instanceof RefusedError) || error.code !== 'hold_ended') throw error
        // Another manager, or the same one by a press whose response was lost.
        const { status } = await hold.get()
        return update(`${content}\nThis order ${ends[status]}.`)
      }
      return update(`${content}\n${nameOf(interaction.user.id)} ${done}.`)
    },
  }
}

export const confirm = end('capture', 'confirmed this order')
export const decline = end('release', 'declined this order, and the points are the member’s again')
