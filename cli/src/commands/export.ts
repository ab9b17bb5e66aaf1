import { once } from 'node:events'
import { createWriteStream, renameSync, rmSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { ExportFile, ExportName } from '@exchequer/sdk'
import { type Bar, withBar } from '../bar.ts'
import { type Command, type Context, command } from '../command.ts'
import { counted } from '../output.ts'
import { cutOff, passOn } from '../passOn.ts'

const names = {
  members: 'members.csv',
  balances: 'balances.csv',
  entries: 'entries.csv',
  realm: 'realm.ndjson',
} as const
type What = keyof typeof names

type Written = { rows: number; bytes: number; tail: string }

/** Streams an export chunk by chunk, and counts its lines. */
async function copy(exported: ExportFile, to: Writable, bar?: Bar): Promise<Written> {
  const done: Written = { rows: 0, bytes: 0, tail: '' }
  let of: number | undefined
  const onChunk = (chunk: Uint8Array) => {
    const text = Buffer.from(chunk).toString('latin1')
    // The first line of a realm has the number of entries and accounts.
    if (done.bytes === 0) of = expected(text)
    done.bytes += chunk.length
    done.rows += text.split('\n').length - 1
    done.tail = (done.tail + text).slice(-200)
    bar?.at(of === undefined ? undefined : Math.min(1, done.rows / of), done.rows)
  }
  await passOn(exported.stream, to, { what: 'export', onChunk })
  return done
}

function expected(text: string): number | undefined {
  const [, seq] = /"seq":"?(\d+)/.exec(text.slice(0, 1000)) ?? []
  const [, accounts] = /"next_account":(\d+)/.exec(text.slice(0, 1000)) ?? []
  return seq === undefined || accounts === undefined ? undefined : Number(seq) + Number(accounts)
}

type Into = { readonly name: ExportName; readonly file: string }

/** Into a temporary file, renamed when complete. It is opened before the export is requested. */
async function toFile(
  context: Context,
  { name, file }: Into,
): Promise<Written & { seq?: string | undefined }> {
  const part = `${file}.part`
  const stream = createWriteStream(part)
  await once(stream, 'open')
  // The next write reports it.
  stream.on('error', () => {})
  try {
    const exported = await context.realm().export(name)
    const done = await withBar(context.terminal, bar, (shown) => copy(exported, stream, shown))
    stream.end()
    await finished(stream)
    checkWhole(name, done)
    renameSync(part, file)
    return { ...done, seq: exported.seq }
  } catch (error) {
    stream.destroy()
    rmSync(part, { force: true })
    throw error
  }
}

const bar = { what: 'exporting', unit: ['line', 'lines'] } as const

function checkWhole(name: ExportName, { tail }: Written): void {
  if (name === names.realm && !/\{"end":true.*\}\n$/.test(tail)) throw cutOff('export')
}

export const exportCommand: Command = command({
  words: 'export',
  what: 'export members, balances, entries or the whole realm',
  more:
    'Each export is consistent: the state after one entry. CSV is safe to open in a spreadsheet, and can ' +
    'be imported again. The whole realm is NDJSON, with everything but keys.',
  args: { what: { what: 'what to export', choices: Object.keys(names) } },
  flags: { output: { value: 'FILE', short: 'o', what: 'write to a file, not to stdout', file: true } },
  examples: [
    { line: 'exchequer export balances > balances.csv', what: 'the balance of each member' },
    { line: 'exchequer export realm -o realm.ndjson', what: 'everything, as a backup or for another server' },
    { line: 'exchequer verify realm.ndjson', what: 'verify it, offline' },
  ],
  async run({ args, flags: { output } }, context) {
    const { out, terminal } = context
    const name: ExportName = names[args.what as What]
    if (output === undefined) {
      const exported = await context.realm().export(name)
      checkWhole(name, await copy(exported, terminal.stdout))
      out.aside(`${name}, as of entry ${exported.seq}.`)
      return
    }
    const { rows, bytes, seq } = await toFile(context, { name, file: output })
    const answer = { file: output, lines: rows, bytes, seq }
    out.answer(answer, () => out.line(`${output}: ${counted(rows, 'line')}, as of entry ${seq}.`))
  },
})
