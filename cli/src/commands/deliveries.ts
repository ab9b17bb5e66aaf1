import type { DeliveryData } from '@exchequer/sdk'
import { type Command, command } from '../command.ts'
import { timeText } from '../output.ts'
import type { Column } from '../table.ts'
import { listed, listFlags, showList } from './listing.ts'
import { isAccepted, webhookId } from './webhooks.ts'

const columns: readonly Column[] = [
  { title: 'SENT' },
  { title: 'EVENT', style: 'cyan' },
  { title: 'TYPE' },
  { title: 'ATTEMPT', right: true },
  { title: 'STATUS', right: true },
  { title: 'MS', right: true },
  { title: 'ANSWER', cut: true },
]

const row = (one: DeliveryData) => [
  timeText(one.at),
  one.eventId,
  one.replay ? `${one.type} (replay)` : one.type,
  one.attempt,
  one.status === null ? 'none' : String(one.status),
  one.durationMs,
  (one.error ?? one.answer ?? '').split('\n')[0],
]

/** The server keeps as many for each webhook. */
const mostDeliveries = 1_000

export const deliveriesList: Command = command({
  words: 'deliveries list',
  what: 'list what was sent to a webhook in the last 7 days, newest first',
  args: webhookId,
  flags: { failed: { what: 'only those that the receiver did not accept' }, ...listFlags },
  examples: [
    { line: 'exchequer deliveries list 1', what: 'with the receiver’s answers' },
    { line: 'exchequer deliveries list 1 --failed', what: 'what went wrong' },
  ],
  async run({ args, flags }, context) {
    const list = context.realm().webhooks.deliveries(args.webhook)
    const failed = async () => (await list.toArray({ max: mostDeliveries })).filter((one) => !isAccepted(one))
    const source = flags.failed
      ? { toArray: async ({ max }: { readonly max: number }) => (await failed()).slice(0, max) }
      : list
    const empty = flags.failed ? 'Nothing has failed.' : 'Nothing was sent yet.'
    showList(context, await listed(source, flags), { columns, row, empty })
  },
})
