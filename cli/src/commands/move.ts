import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkedUrl } from '../access.ts'
import { type Command, type Context, command, yesFlag } from '../command.ts'
import { exits, wrongUsage } from '../exits.ts'
import { bring, check, fileRows } from '../importing.ts'
import { type Comparison, compare } from '../move/compare.ts'
import { MoveFile } from '../move/kept.ts'
import { Kinds } from '../move/kinds.ts'
import {
  type Board,
  idsOf,
  type MovedSince,
  movedSince,
  type Read,
  readBoards,
  readMembers,
} from '../move/read.ts'
import { OldService } from '../move/source.ts'
import { counted } from '../output.ts'
import { askHidden, confirm } from '../prompt.ts'
import { nothingChanged } from './change.ts'
import { onTopFlag } from './import.ts'
import { countOf } from './values.ts'

type Files = {
  readonly realm: string
  readonly keep?: string
  readonly resume?: true
  readonly afresh?: true
  readonly dryRun: boolean
}

/** The file that stores what was read, and whether it is kept. */
function keptIn({ realm, keep, resume, afresh, dryRun }: Files): MoveFile {
  const file = keep ?? `exchequer-move-${realm}.ndjson`
  if (resume) return MoveFile.resume(file)
  if (dryRun) return MoveFile.begin(join(mkdtempSync(join(tmpdir(), 'exchequer-move-')), 'move.ndjson'))
  if (existsSync(file) && !afresh)
    throw wrongUsage(
      `${file} is from a move that was started. To continue it: --resume. ` +
        'Or read the old service again from the beginning: --afresh',
    )
  return MoveFile.begin(file)
}

async function oldKey({ terminal }: Context, given: string | undefined): Promise<string> {
  const key =
    given ??
    terminal.env['EXCHEQUER_FROM_KEY'] ??
    (await askHidden(terminal, 'Key of the old service (not shown): '))
  if (key) return key
  throw wrongUsage('The key of the old service is missing: set EXCHEQUER_FROM_KEY, or give --key.')
}

type ReadSummary = {
  readonly kept: MoveFile
  readonly board: Board
  readonly read: Read
  readonly kinds: Kinds
}

const firstOf = (ids: readonly string[]): string =>
  `${ids.slice(0, 10).join(', ')}${ids.length > 10 ? ` and ${ids.length - 10} more` : ''}`

/** Prints what was read, before anything is imported. */
function printRead({ out }: Context, { kept, board, read, kinds }: ReadSummary): void {
  const totals = kept.totals()
  const columns = [
    { title: 'THERE', style: 'cyan' },
    { title: 'HERE', style: 'cyan' },
    { title: 'MEMBERS', right: true },
    { title: 'POINTS', right: true },
  ] as const
  const names = new Map([...kinds.found].map(([old, ours]) => [ours, old]))
  const rows = [...totals].map(([kind, { members, points }]) => [
    names.get(kind) ?? kind,
    kind,
    members,
    points,
  ])
  if (out.json) return
  out.line(`${counted(kept.rows.size, 'member')} read, ${board.ids.size} of them on a leaderboard.`)
  if (rows.length > 0) out.table(columns, rows)
  out.aside('A v4 service can’t list its members: add those on no leaderboard with --ids FILE.')
  if (read.absent.length > 0) out.aside(`No longer members there: ${firstOf(read.absent)}`)
  if (read.held > 0)
    out.aside(`${counted(read.held, 'point')} are on hold there and are not imported: end those holds first.`)
}

function printComparison({ out }: Context, { kept }: ReadSummary, { here, differences }: Comparison): void {
  const columns = [
    { title: 'POINT TYPE', style: 'cyan' },
    { title: 'MEMBERS', right: true },
    { title: 'THERE', right: true },
    { title: 'HERE', right: true },
    { title: '' },
  ] as const
  const rows = [...kept.totals()].map(([kind, { members, points }]) => {
    const ours = here.get(kind) ?? 0n
    return [kind, members, points, ours, points === ours ? 'equal' : 'DIFFERENT']
  })
  out.table(columns, rows)
  for (const { id, kind, there, here: ours } of differences.slice(0, 20))
    out.aside(`  ${id} has ${ours} ${kind} here, and had ${there} there.`)
  if (differences.length > 20) out.aside(`  and ${differences.length - 20} more`)
}

/** Changes at the old service after it was read are not imported. */
function printMoved({ out }: Context, moved: readonly MovedSince[]): void {
  if (moved.length === 0) return
  out.aside(
    `${counted(moved.length, 'balance has', 'balances have')} changed at the old service since it was read:`,
  )
  for (const { id, kind, read, now } of moved.slice(0, 20))
    out.aside(`  ${id} had ${read} ${kind}, and has ${now} now.`)
  if (moved.length > 20) out.aside(`  and ${moved.length - 20} more; all of them with --json`)
  out.aside('Correct the difference here with exchequer points award or points deduct.')
}

export const move: Command = command({
  words: 'move',
  what: 'migrate a realm from another service that has the v4 API',
  more:
    'Reads members, balances and wallets from the old service: those on its leaderboards, and those whose ' +
    'ids you give. Checks everything with a dry run, imports it as opening balances into the realm that ' +
    'you are logged in to, and compares member by member. Stopped, it continues with --resume; nothing is ' +
    'imported twice. Let the bot write to only one of the two: what changes at the old service after it ' +
    'was read is reported, and not imported.',
  flags: {
    from: { value: 'URL', what: 'the old service, without /api/v4' },
    'from-realm': { value: 'ID', what: 'the realm’s id there; the same as here by default' },
    key: {
      value: 'KEY',
      what: 'the key of the old service; better set EXCHEQUER_FROM_KEY, or type it',
    },
    ids: {
      value: 'FILE',
      what: 'more members: one id per line, CSV, or a leaderboard’s JSON',
      file: true,
    },
    'point-type': { value: 'OLD=NEW', what: 'the point type here for one of theirs', many: true },
    'without-wallets': { what: 'do not read wallets: half as many requests' },
    'dry-run': { what: 'read and check; change nothing and store nothing' },
    resume: { what: 'continue a move that was stopped' },
    afresh: { what: 'discard a move that was started, and read everything again' },
    keep: {
      value: 'FILE',
      what: 'where to store what was read; exchequer-move-REALM.ndjson by default',
      file: true,
    },
    'at-once': { value: 'N', what: 'how many members to read at a time, up to 32; 4 by default' },
    ...onTopFlag,
    ...yesFlag,
  },
  examples: [
    { line: 'exchequer move --from https://old.example.com --dry-run', what: 'what would be imported' },
    {
      line: 'exchequer move --from https://old.example.com --ids members.txt',
      what: 'with members who are on no leaderboard',
    },
    {
      line: 'exchequer move --from https://old.example.com --point-type 5f7f3c9f0c1d4e2a8b6d7e90=gold',
      what: 'to another point type id',
    },
    { line: 'exchequer import leaderboard.json', what: 'if you only have its leaderboard, as a file' },
  ],
  async run({ flags }, context) {
    const { out, access, terminal } = context
    if (flags.from === undefined) throw wrongUsage('Which service? Give --from URL.')
    const ours = context.realm()
    const url = checkedUrl(flags.from)
    const realm = flags['from-realm'] ?? access.realm ?? ''
    const dryRun = flags['dry-run'] === true
    const extra = flags.ids === undefined ? [] : idsOf(flags.ids)
    const atOnce = Math.min(32, countOf('--at-once', flags['at-once'], 4))
    const old = new OldService({ url, realm, key: await oldKey(context, flags.key) })
    const kinds = new Kinds(await ours.points.list().toArray({ max: 1_000 }), flags['point-type'] ?? [])
    const board = await readBoards(old)
    const kept = keptIn({ ...flags, realm, dryRun })
    try {
      const ids = [...new Set([...board.ids, ...extra])]
      const withWallets = flags['without-wallets'] === undefined
      const read = await readMembers(context, { old, ids, kept, kinds, withWallets, atOnce })
      const summary: ReadSummary = { kept, board, read, kinds }
      printRead(context, summary)
      if (kept.rows.size === 0) throw wrongUsage('No members were found there. Give ids with --ids FILE.')
      const rows = fileRows(kept.file)
      const name = `move ${new URL(url).host}/${realm}`.slice(0, 100)
      const bringing = { name, allowRoundedIds: true, addOnTop: flags['add-on-top'] === true }
      const checked = await check(context, rows, bringing)
      if (dryRun) {
        const { totals } = checked
        out.answer({ dryRun, members: kept.rows.size, totals, ...read }, () => out.aside(nothingChanged))
        return exits.done.code
      }
      await confirm(terminal, `They will be imported into realm ${access.realm} at ${access.url}.`, flags.yes)
      const done = await bring(context, rows, bringing)
      const compared = await compare(context, kept)
      const moved = await movedSince(context, { old, kept, kinds, atOnce })
      out.answer({ ...done, ...read, differences: compared.differences, moved }, () => {
        const { openings, members } = done
        const added = counted(openings.made, 'opening balance')
        out.line(
          `${counted(members.created, 'member')} created, ${added} added, ` +
            `${openings.alreadyThere} already there. Compared:`,
        )
        printComparison(context, summary, compared)
        printMoved(context, moved)
      })
      return compared.differences.length === 0 && moved.length === 0 ? exits.done.code : exits.refused.code
    } finally {
      if (dryRun && flags.resume === undefined)
        rmSync(join(kept.file, '..'), { recursive: true, force: true })
    }
  },
})
