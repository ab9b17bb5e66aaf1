import type { JournalEntry } from '@exchequer/sdk'
import { claimedAccount, issuanceAccount } from '@exchequer/sdk/verify'
import { type Command, command } from '../command.ts'
import { untilInterrupted } from '../interrupt.ts'
import { counted, timeText } from '../output.ts'
import { harmless, type Paint } from '../terminal.ts'
import { countOf, seqOf } from './values.ts'

function who(account: number, id: string | null): string {
  if (account === issuanceAccount) return 'realm'
  if (account === claimedAccount) return 'claimed'
  return `${id ?? 'a removed member'}${account < 0 ? ' (held)' : ''}`
}

function reasonOf({ details }: JournalEntry): string {
  if (!details) return ''
  const { reason } = JSON.parse(details.text) as { readonly reason?: string }
  return reason === undefined ? '' : `  “${harmless(reason)}”`
}

/** An entry as a line, in aligned columns. */
function lineOf(one: JournalEntry, paint: Paint): string {
  const time = timeText(new Date(Number(BigInt(one.atUs) / 1000n)).toISOString())
  const amount = counted(one.tokens, one.realmPointId, one.realmPointId).padStart(12)
  const seq = paint('cyan', one.seq.padStart(6))
  const sides = `${who(one.fromAccount, one.fromId)} → ${who(one.toAccount, one.toId)}`
  return `${seq}  ${time}  ${one.type.padEnd(8)}  ${amount}  ${sides}${reasonOf(one)}`
}

export const journalFollow: Command = command({
  words: 'journal follow',
  what: 'show every change of the realm as it happens, until Ctrl-C',
  more:
    'With --json each entry is a line of JSON with every value that its hash covers. When the server is ' +
    'unreachable for a while, the command waits and continues without a gap. Needs the scope journal:read.',
  flags: {
    after: { value: 'SEQ', what: 'start after this entry, 0 for the first; from now on if omitted' },
    count: { value: 'N', what: 'stop after N entries' },
  },
  examples: [
    { line: 'exchequer journal follow', what: 'from now on' },
    { line: 'exchequer journal follow --after 0 --json >> journal.ndjson', what: 'all of it, as JSON' },
  ],
  async run({ flags: { after, count } }, { realm, out }) {
    const given = after === undefined ? undefined : seqOf('--after', after)
    const most = countOf('--count', count, Number.MAX_SAFE_INTEGER)
    return untilInterrupted(async (signal) => {
      const cursor = given ?? (await realm().head({ signal })).seq
      if (!out.json) out.aside(`Following the journal after entry ${cursor}. Press Ctrl-C to stop.`)
      let seen = 0
      for await (const entry of realm().follow({ cursor, signal })) {
        out.each(entry, () => out.line(lineOf(entry, out.paint)))
        seen += 1
        if (seen >= most) break
      }
    })
  },
})
