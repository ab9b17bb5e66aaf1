import { readFileSync } from 'node:fs'
import type { ChangeOutcome, ListedChange } from '@exchequer/sdk'
import { type Command, type Context, command } from '../command.ts'
import { exits, wrongUsage } from '../exits.ts'
import { nearest } from '../nearest.ts'
import { counted } from '../output.ts'
import { readAll } from '../prompt.ts'
import { dryRunFlag, idempotencyFlag, nothingChanged, onceOf } from './change.ts'
import { memberInBody, present } from './values.ts'

/** The most changes in a request, and the most bytes such a list can have. */
const most = 1_000
const mostBytes = 4 * 1024 * 1024

const fields = [
  'memberId',
  'recipientId',
  'tokens',
  'realmPointId',
  'reason',
  'reference',
  'metadata',
  'actorId',
  'idempotencyKey',
  'ifMatch',
] as const

type Item = Readonly<Record<string, unknown>>

const isItem = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw wrongUsage(`${where} is not JSON: ${(error as Error).message}`)
  }
}

/** A JSON array as in the API's body, or one change per line. */
function itemsOf(text: string): readonly unknown[] {
  const lines = text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [{ line, index }]))
  if (lines.length > 1 && /^\s*\{.*\}\s*$/.test(lines[0]?.line ?? ''))
    return lines.map(({ line, index }) => parsed(line, `Line ${index + 1}`))
  const whole = lines.length === 0 ? [] : parsed(text, 'The list')
  if (Array.isArray(whole)) return whole
  return isItem(whole) && Array.isArray(whole['changes']) ? whole['changes'] : [whole]
}

/** An ID in JSON: above 2^53 a parsed number becomes another member's ID. */
function idOf(value: unknown, where: string): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw wrongUsage(`${where} is a number that is not exact above 2^53. Put the id in quotes.`)
  return memberInBody(String(value))
}

function changeOf(item: unknown, place: number): ListedChange {
  const where = `Change ${place}`
  if (!isItem(item)) throw wrongUsage(`${where} is not a JSON object with memberId and tokens.`)
  const unknown = Object.keys(item).find((name) => !fields.includes(name as (typeof fields)[number]))
  if (unknown !== undefined) {
    const near = nearest(unknown, fields)
    throw wrongUsage(`${where} has an unknown field "${unknown}".${near ? ` Did you mean "${near}"?` : ''}`)
  }
  const { memberId, recipientId, actorId, tokens, ...rest } = item
  if (memberId === undefined || typeof tokens !== 'number')
    throw wrongUsage(`${where} needs memberId and a number of tokens.`)
  const ids = present({
    recipient: recipientId === undefined ? undefined : idOf(recipientId, `${where}, recipientId,`),
    actorId: actorId === undefined ? undefined : idOf(actorId, `${where}, actorId,`),
  })
  return { ...(rest as Partial<ListedChange>), ...ids, member: idOf(memberId, `${where}, memberId,`), tokens }
}

async function read({ terminal }: Context, file: string): Promise<ListedChange[]> {
  const text = file === '-' ? await readAll(terminal.stdin, mostBytes) : readFileSync(file, 'utf8')
  const items = itemsOf(text)
  if (items.length === 0) throw wrongUsage(`${file} has no changes in it.`)
  if (items.length > most)
    throw wrongUsage(`${file} has ${items.length} changes; a request can have ${most}. Split it.`)
  return items.map((item, index) => changeOf(item, index + 1))
}

const columns = [
  { title: 'CHANGE', right: true },
  { title: 'MEMBER', style: 'cyan' },
  { title: 'TOKENS', right: true },
  { title: 'BALANCE', right: true },
  { title: 'ENTRY', right: true },
  { title: 'RESULT', cut: true },
] as const

const isDone = ({ status }: ChangeOutcome): boolean => status < 400

function resultOf(outcome: ChangeOutcome, isDry: boolean): string {
  if (!isDone(outcome)) return outcome.error?.detail ?? `refused with ${outcome.status}`
  if (outcome.replayed) return 'done before'
  return isDry ? 'would be done' : 'done'
}

export const changesApply: Command = command({
  words: 'changes apply',
  what: 'apply a list of awards, deductions and transfers, up to 1,000',
  more:
    'The list is a JSON array, or one JSON object on each line, with the fields of POST /changes: memberId ' +
    'and tokens (below 0 deducts), recipientId for a transfer, and realmPointId, reason, reference, ' +
    'metadata, actorId, idempotencyKey, ifMatch. Each change succeeds or fails by itself unless --atomic ' +
    'is given. The exit code is 1 when any failed.',
  args: { file: { what: 'a file, or - for standard input', file: true } },
  flags: { atomic: { what: 'apply all of them, or none' }, ...idempotencyFlag, ...dryRunFlag },
  examples: [
    { line: 'exchequer changes apply changes.json --dry-run', what: 'check it first' },
    {
      line: 'exchequer changes apply changes.json --atomic --idempotency-key payday-2030-01',
      what: 'all or none, and once',
    },
    {
      line: `echo '[{"memberId":"1190194345295482952","tokens":5}]' | exchequer changes apply -`,
      what: 'from standard input',
    },
  ],
  async run({ args: { file }, flags }, context) {
    const { out } = context
    const realm = context.realm()
    const list = await read(context, file)
    const isDry = flags['dry-run'] === true
    const outcomes = await realm.changes(list, {
      ...onceOf(flags),
      ...present({ atomic: flags.atomic, dryRun: flags['dry-run'] }),
    })
    const failed = outcomes.filter((one) => !isDone(one)).length
    out.answer(outcomes, () => {
      const rows = outcomes.map((one, index) => [
        index + 1,
        list[index]?.member,
        list[index]?.tokens,
        one.newBalance,
        one.transactionId,
        resultOf(one, isDry),
      ])
      out.table(columns, rows)
      if (failed > 0) out.aside(`${counted(failed, 'change')} of ${list.length} failed.`)
      if (isDry) out.aside(nothingChanged)
    })
    return failed > 0 ? exits.refused.code : exits.done.code
  },
})
