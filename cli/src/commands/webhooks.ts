import type { DeliveryData, WebhookData } from '@exchequer/sdk'
import { type Command, type Context, command, yesFlag } from '../command.ts'
import { exits, wrongUsage } from '../exits.ts'
import { counted, grouped, timeText } from '../output.ts'
import { confirm } from '../prompt.ts'
import type { Column } from '../table.ts'
import { eventTypes } from '../webhook.ts'
import { idempotencyFlag, onceOf } from './change.ts'
import { listed, listFlags, showList } from './listing.ts'
import { showSecret } from './secret.ts'
import { entryOf, present } from './values.ts'
import { settingFlags, settingsOf } from './webhookSettings.ts'

const columns: readonly Column[] = [
  { title: 'ID', style: 'cyan' },
  { title: 'URL', cut: true },
  { title: 'DESCRIPTION', cut: true },
  { title: 'STATE' },
  { title: 'BEHIND', right: true },
  { title: 'TO RETRY', right: true },
]

/** An ordered webhook sends nothing else while one event fails. */
const stateOf = ({ state, blockedEventId }: WebhookData): string =>
  state === 'active' && blockedEventId !== null ? 'waiting' : state

const row = (one: WebhookData) => [one.id, one.url, one.description, stateOf(one), one.behind, one.parked]

export const webhooksList: Command = command({
  words: 'webhooks list',
  what: 'list the realm’s webhooks; the secrets are never shown',
  flags: listFlags,
  examples: [{ line: 'exchequer webhooks list', what: 'with their state and how far behind they are' }],
  async run({ flags }, context) {
    const list = await listed(context.realm().webhooks.list(), flags)
    showList(context, list, { columns, row, empty: 'There are no webhooks.' })
  },
})

const secretWords = (id: string, aside: string) => ({
  what: `the secret of webhook ${id}`,
  lost: `If you do not have it: exchequer webhooks rotate ${id}`,
  aside,
})

export const webhooksCreate: Command = command({
  words: 'webhooks create',
  what: 'send the realm’s events to a URL; the signing secret is shown once',
  more: `Event types: ${eventTypes.join(', ')}. Without --types all are sent, later ones too.`,
  args: { url: { what: 'where to send them, such as https://shop.example.com/events' } },
  flags: {
    ...settingFlags,
    from: { value: 'SEQ', what: 'the first entry to send; the next one if omitted' },
    ...idempotencyFlag,
  },
  examples: [
    { line: 'exchequer webhooks create https://shop.example.com/events > secret.txt', what: 'all events' },
    {
      line: 'exchequer webhooks create https://shop.example.com/events --types points.transferred',
      what: 'only transfers',
    },
  ],
  async run({ args, flags }, context) {
    const from = present({ from: flags.from === undefined ? undefined : entryOf(flags.from) })
    const wanted = { url: args.url, ...settingsOf(flags), ...from }
    const made = await context.realm().webhooks.create(wanted, onceOf(flags))
    const aside = `Webhook ${made.id}. Its secret is shown only once: store it now.`
    showSecret(context, made, { secret: made.secret, ...secretWords(made.id, aside) })
  },
})

export const webhookId = {
  webhook: { what: 'the webhook’s id, as exchequer webhooks list shows it' },
} as const

/** What a state means, and what to do. */
function adviceOf(one: WebhookData): string | undefined {
  if (one.state === 'disabled')
    return `Nothing is sent. To continue where it stopped: exchequer webhooks update ${one.id} --state active`
  if (one.blockedEventId !== null)
    return (
      'All later events wait for one that fails. Fix the receiver, or skip it: ' +
      `exchequer webhooks skip ${one.id}`
    )
  if (one.state === 'waiting')
    return (
      'Too much failed: one event is tried from time to time, and the others wait. To try now: ' +
      `exchequer webhooks update ${one.id} --state active`
    )
  return undefined
}

function show({ out }: Context, one: WebhookData): void {
  const { replay } = one
  out.answer(one, () => {
    out.record([
      ['webhook', one.id],
      ['url', one.url],
      ['description', one.description],
      ['events', one.types?.join(' ') ?? 'all'],
      ['thresholds', one.thresholds.map(({ realmPointId, tokens }) => `${realmPointId}:${tokens}`).join(' ')],
      ['ordered', one.ordered],
      ['details', one.includeDetails],
      ['state', stateOf(one)],
      ['sent up to', one.seq],
      ['behind', counted(one.behind, 'entry', 'entries')],
      ['to retry', one.parked === 0 ? null : counted(one.parked, 'event')],
      ['failing since', timeText(one.failingSince)],
      ['next attempt', timeText(one.nextAttemptAt)],
      ['failing event', one.blockedEventId],
      ['disabled', timeText(one.disabledAt)],
      ['reason', one.disabledReason],
      ['replay', replay && `entry ${replay.seq}, from ${replay.from} up to ${replay.to}`],
      ['old secret until', timeText(one.oldSecretUntil)],
    ])
    const advice = adviceOf(one)
    if (advice !== undefined) out.aside(advice)
  })
}

export const webhooksShow: Command = command({
  words: 'webhooks show',
  what: 'show one webhook: settings, state, and what to do when it fails',
  args: webhookId,
  examples: [{ line: 'exchequer webhooks show 1', what: 'without its secret' }],
  async run({ args }, context) {
    show(context, await context.realm().webhooks.get(args.webhook))
  },
})

export const webhooksUpdate: Command = command({
  words: 'webhooks update',
  what: 'change a webhook, disable it, or make it active again',
  args: webhookId,
  flags: {
    url: { value: 'URL', what: 'where to send events' },
    ...settingFlags,
    'no-thresholds': { what: 'no balance is watched any more' },
    state: {
      value: 'STATE',
      what: 'disabled sends nothing; active goes on where it stopped, and tries at once',
      choices: ['active', 'disabled'],
    },
    ...idempotencyFlag,
  },
  examples: [
    { line: 'exchequer webhooks update 1 --state active', what: 'go on where it stopped' },
    { line: 'exchequer webhooks update 1 --types points.adjusted,hold.created', what: 'other events' },
  ],
  async run({ args, flags }, context) {
    const none = flags['no-thresholds']
    if (none && flags.threshold) throw wrongUsage('Give --threshold or --no-thresholds, not both.')
    const change = {
      ...present({ url: flags.url, state: flags.state as 'active' | 'disabled' | undefined }),
      ...settingsOf(flags),
      ...(none ? { thresholds: [] } : {}),
    }
    if (Object.keys(change).length === 0)
      throw wrongUsage('Nothing to change. See: exchequer webhooks update --help')
    show(context, await context.realm().webhooks.change(args.webhook, change, onceOf(flags)))
  },
})

export const webhooksDelete: Command = command({
  words: 'webhooks delete',
  what: 'delete a webhook, with its deliveries and the events that it did not get yet',
  args: webhookId,
  flags: { ...idempotencyFlag, ...yesFlag },
  examples: [{ line: 'exchequer webhooks delete 1', what: 'asks first' }],
  async run({ args, flags }, { realm, out, terminal }) {
    const { webhook } = args
    await confirm(terminal, `Webhook ${webhook} will be deleted. This can't be undone.`, flags.yes)
    await realm().webhooks.remove(webhook, onceOf(flags))
    out.answer({ id: webhook }, () => out.line(`Webhook ${webhook} is deleted.`))
  },
})

export const isAccepted = ({ status }: Pick<DeliveryData, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300

export const webhooksTest: Command = command({
  words: 'webhooks test',
  what: 'send a test event now, and show the receiver’s answer',
  more: 'Ends with another exit code than 0 unless the receiver answers with 2xx.',
  args: webhookId,
  flags: idempotencyFlag,
  examples: [{ line: 'exchequer webhooks test 1', what: 'also while it waits or is disabled' }],
  async run({ args, flags }, { realm, out }) {
    const sent = await realm().webhooks.test(args.webhook, onceOf(flags))
    out.answer(sent, () =>
      out.record([
        ['event', sent.eventId],
        ['status', sent.status === null ? 'no response' : String(sent.status)],
        ['time', `${grouped(sent.durationMs)} ms`],
        ['error', sent.error],
        ['answer', sent.answer],
      ]),
    )
    return isAccepted(sent) ? exits.done.code : exits.refused.code
  },
})

export const webhooksReplay: Command = command({
  words: 'webhooks replay',
  what: 'send the events of past entries again, with the same ids',
  args: webhookId,
  flags: {
    from: { value: 'SEQ', what: 'the first entry to send' },
    to: { value: 'SEQ', what: 'the first entry not to send; all there are if omitted' },
    ...idempotencyFlag,
  },
  examples: [
    { line: 'exchequer webhooks replay 1 --from 1 --to 1043', what: 'the first 1,042 entries' },
    { line: 'exchequer webhooks replay 1 --from 900', what: 'from 900 up to now' },
  ],
  async run({ args, flags }, context) {
    if (flags.from === undefined) throw wrongUsage('Which entries? Give --from SEQ, the first one to send.')
    const realm = context.realm()
    const to = flags.to ?? String(BigInt((await realm.head()).seq) + 1n)
    const range = { from: entryOf(flags.from), to: entryOf(to) }
    show(context, await realm.webhooks.replay(args.webhook, range, onceOf(flags)))
  },
})

export const webhooksSkip: Command = command({
  words: 'webhooks skip',
  what: 'skip the event that an ordered webhook can’t deliver',
  args: webhookId,
  flags: { ...idempotencyFlag, ...yesFlag },
  examples: [{ line: 'exchequer webhooks skip 1', what: 'asks first: the receiver never gets it' }],
  async run({ args, flags }, context) {
    const { webhooks } = context.realm()
    const { blockedEventId } = await webhooks.get(args.webhook)
    const event = blockedEventId ?? 'that fails'
    const what = `The receiver will never get the event ${event}. This can't be undone.`
    await confirm(context.terminal, what, flags.yes)
    show(context, await webhooks.skip(args.webhook, onceOf(flags)))
  },
})

export const webhooksRotate: Command = command({
  words: 'webhooks rotate',
  what: 'replace a webhook’s secret; both sign for a while',
  args: webhookId,
  flags: {
    'overlap-seconds': {
      value: 'SECONDS',
      what: 'how long the old one still signs; a day by default, 0 for not at all',
    },
    ...idempotencyFlag,
  },
  examples: [{ line: 'exchequer webhooks rotate 1 > secret.txt', what: 'a day to change over' }],
  async run({ args, flags }, context) {
    const overlap = flags['overlap-seconds']
    if (overlap !== undefined && !/^[0-9]{1,7}$/.test(overlap))
      throw wrongUsage(`--overlap-seconds takes a number of seconds, not "${overlap}".`)
    const wanted = overlap === undefined ? {} : { overlapSeconds: Number(overlap) }
    const made = await context.realm().webhooks.rotateSecret(args.webhook, wanted, onceOf(flags))
    const until = made.oldSecretUntil ? ` The old one signs until ${timeText(made.oldSecretUntil)}.` : ''
    const aside = `The new secret of webhook ${made.id}. It is shown only once.${until}`
    showSecret(context, made, { secret: made.secret, ...secretWords(made.id, aside) })
  },
})
