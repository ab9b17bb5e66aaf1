import type { JournalEntry } from '@exchequer/sdk'
import { claimed, issuance } from '../chain.ts'
import { type Command, command } from '../command.ts'
import { wrongUsage } from '../exits.ts'
import { counted, timeText } from '../output.ts'
import { harmless, type Paint } from '../terminal.ts'
import { countOf } from './values.ts'

function who(account: number, id: string | null): string {
  if (account === issuance) return 'realm'
  if (account === claimed) return 'claimed'
  return `${id ?? 'somebody gone'}${account < 0 ? ' (held)' : ''}`
}

function reasonOf({ details }: JournalEntry): string {
  if (!details) return ''
  const { reason } = JSON.parse(details.text) as { readonly reason?: string }
  return reason === undefined ? '' : `  “${harmless(reason)}”`
}

/** An entry in a line, its parts below those of the line before. */
function lineOf(one: JournalEntry, paint: Paint): string {
  const time = timeText(new Date(Number(BigInt(one.atUs) / 1000n)).toISOString())
  const amount = counted(one.amount, one.realmPointId, one.realmPointId).padStart(12)
  const seq = paint('cyan', one.seq.padStart(6))
  const sides = `${who(one.from, one.fromId)} → ${who(one.to, one.toId)}`
  return `${seq}  ${time}  ${one.kindName.padEnd(8)}  ${amount}  ${sides}${reasonOf(one)}`
}

export const listen: Command = command({
  words: 'listen',
  what: 'follow the realm’s journal: every change as it happens, without a gap, until Ctrl-C',
  more:
    'With --json each entry is a line of JSON with every value that its hash covers. A server that is away ' +
    'for a while is waited for, and nothing is left out. Needs the scope journal:read.',
  flags: {
    after: {
      value: 'SEQ',
      what: 'begin behind this entry, 0 for the first; with what comes from now on unless given',
    },
    count: { value: 'N', what: 'stop after so many' },
    every: { value: 'MS', what: 'how often to ask for more; 1000 unless given' },
  },
  examples: [
    { line: 'exchequer listen', what: 'what happens from now on' },
    { line: 'exchequer listen --after 0 --json >> journal.ndjson', what: 'all of it, for a program' },
  ],
  async run({ flags: { after, count, every } }, { realm, out }) {
    if (after !== undefined && !/^[0-9]{1,19}$/.test(after))
      throw wrongUsage(`--after is the number of an entry, not ${after}.`)
    const most = countOf('--count', count, Number.MAX_SAFE_INTEGER)
    const everyMs = countOf('--every', every, 1000)
    const begin = after ?? (await realm().head()).seq
    if (!out.json) out.aside(`Listening from entry ${begin} on. Ctrl-C stops.`)
    let seen = 0
    for await (const entry of realm().follow({ cursor: begin, everyMs })) {
      out.each(entry, () => out.line(lineOf(entry, out.paint)))
      seen += 1
      if (seen >= most) break
    }
  },
})
