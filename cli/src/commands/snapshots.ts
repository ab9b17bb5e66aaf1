import { readFileSync } from 'node:fs'
import type { SnapshotData } from '@exchequer/sdk'
import { withBar } from '../bar.ts'
import { type Command, type Context, command, yesFlag } from '../command.ts'
import { exits, Stop, wrongUsage } from '../exits.ts'
import { linesOf, sizeOf } from '../files.ts'
import { counted, grouped, timeText } from '../output.ts'
import { passOn } from '../passOn.ts'
import { confirm } from '../prompt.ts'
import { RealmFile } from '../realmFile.ts'
import type { SnapshotCheckResult } from '../snapshot/check.ts'
import type { Column } from '../table.ts'
import { wrongOf } from '../wrong.ts'
import { dryRunFlag, idempotencyFlag, nothingChanged, onceOf, pointTypeFlag } from './change.ts'
import { listed, listFlags, showList } from './listing.ts'

const id = { id: { what: 'the snapshot’s id' } } as const

function show({ out }: Context, one: SnapshotData): void {
  const { withoutWallet, frozen } = one.apart
  const part = ({ members, tokens }: typeof frozen) =>
    members === 0 ? null : `${counted(members, 'member')} with ${grouped(BigInt(tokens))}`
  out.answer(one, () =>
    out.record([
      ['snapshot', one.id],
      ['points', `${grouped(BigInt(one.tokens))} ${one.realmPointId} of ${counted(one.members, 'member')}`],
      ['without wallet', part(withoutWallet)],
      ['frozen', part(frozen)],
      ['chain', one.chain],
      ['claimable', one.claimable ? 'yes: the points were deducted' : 'no'],
      ['as of', `${one.seq}:${one.hash}`],
      ['root', one.root],
    ]),
  )
}

const columns: readonly Column[] = [
  { title: 'ID', style: 'cyan' },
  { title: 'TAKEN' },
  { title: 'POINTS' },
  { title: 'MEMBERS' },
  { title: 'CLAIMABLE' },
  { title: 'ROOT' },
]
const row = (one: SnapshotData) => [
  one.id,
  timeText(one.takenAt),
  one.tokens,
  one.members,
  one.claimable,
  one.root ?? '',
]

export const snapshotsList: Command = command({
  words: 'snapshots list',
  what: 'list the realm’s snapshots, newest first',
  flags: listFlags,
  examples: [{ line: 'exchequer snapshots list', what: 'with their Merkle roots' }],
  async run({ flags }, context) {
    const list = await listed(context.realm().snapshots.list(), flags)
    showList(context, list, { columns, row, empty: 'There are no snapshots.' })
  },
})

export const snapshotsCreate: Command = command({
  words: 'snapshots create',
  what: 'create a Merkle tree of balances by verified wallet',
  more:
    'With --claimable the points are deducted first, from all members in one step, which can’t be undone: ' +
    'try --dry-run before. The id is the key: created again under the same id, it is the same snapshot.',
  args: id,
  flags: {
    chain: { value: 'CHAIN', what: 'where it will be claimed, such as eip155:8453' },
    ...pointTypeFlag,
    seq: { value: 'SEQ', what: 'as of a past entry; not with --claimable' },
    claimable: { what: 'deduct the points, so that they can be claimed' },
    ...dryRunFlag,
    ...yesFlag,
  },
  examples: [
    {
      line: 'exchequer snapshots create season-1 --chain eip155:8453 --claimable --dry-run',
      what: 'who would be in it',
    },
    { line: 'exchequer snapshots create today --chain eip155:8453', what: 'deducts nothing' },
  ],
  async run({ args, flags }, context) {
    const { chain, 'point-type': point, seq, claimable = false, 'dry-run': dry = false } = flags
    if (chain === undefined) throw wrongUsage('Which chain will it be claimed on? Give --chain eip155:8453.')
    const asked = {
      id: args.id,
      chain,
      claimable,
      ...(point === undefined ? {} : { realmPointId: point }),
      ...(seq === undefined ? {} : { seq }),
    }
    const { snapshots: noun } = context.realm()
    if (claimable && !dry) {
      const { members, tokens } = await noun.take(asked, { dryRun: true })
      const points = `${grouped(BigInt(tokens))} points of ${counted(members, 'member')}`
      const what = `${points} will be deducted. This can't be undone.`
      await confirm(context.terminal, what, flags.yes)
    }
    show(context, await noun.take(asked, { dryRun: dry }))
    if (dry) context.out.aside(nothingChanged)
  },
})

export const snapshotsShow: Command = command({
  words: 'snapshots show',
  what: 'show one snapshot: Merkle root, totals and the entry it was taken at',
  args: id,
  examples: [{ line: 'exchequer snapshots show season-1', what: 'one snapshot' }],
  async run({ args }, context) {
    show(context, await context.realm().snapshots.get(args.id))
  },
})

export const snapshotsDelete: Command = command({
  words: 'snapshots delete',
  what: 'delete a snapshot that deducted no points',
  args: id,
  flags: { ...idempotencyFlag, ...yesFlag },
  examples: [{ line: 'exchequer snapshots delete today', what: 'asks first' }],
  async run({ args, flags }, { realm, out, terminal }) {
    await confirm(terminal, `Snapshot ${args.id} will be deleted. This can't be undone.`, flags.yes)
    await realm().snapshots.delete(args.id, onceOf(flags))
    out.answer({ id: args.id }, () => out.line(`Snapshot ${args.id} is deleted.`))
  },
})

export const snapshotsExport: Command = command({
  words: 'snapshots export',
  what: 'write the whole tree as JSON, for @openzeppelin/merkle-tree',
  args: id,
  examples: [{ line: 'exchequer snapshots export season-1 > season-1.json', what: 'into a file' }],
  async run({ args }, { realm, terminal: { stdout } }) {
    const { stream } = await realm().snapshots.tree(args.id)
    await passOn(stream, stdout, { what: 'tree' })
  },
})

/** Offline: verifies the journal and rebuilds the tree from it. */
async function checked({ terminal }: Context, file: string, exported: string): Promise<SnapshotCheckResult> {
  // Only this command needs keccak256.
  const { parseTree, SnapshotCheck } = await import('../snapshot/check.ts')
  const check = new SnapshotCheck(parseTree(readFileSync(file, 'utf8')))
  const size = sizeOf(exported)
  return withBar(terminal, { what: 'checking', unit: ['entry', 'entries'] }, async (bar) => {
    const realm = new RealmFile(undefined, (line) => check.look(line))
    let read = 0
    const onRead = (bytes: number) => {
      read = bytes
    }
    for await (const lines of linesOf(exported, onRead)) {
      await realm.lines(lines)
      bar.at(read / size, realm.progress.done)
    }
    return check.end(realm.end().realmId)
  })
}

export const snapshotsVerify: Command = command({
  words: 'snapshots verify',
  what: 'verify a snapshot’s tree against an export of its realm, offline',
  more:
    'Computes every hash and balance of the journal again, compares each amount, and builds the tree ' +
    'again. Export the realm after the snapshot.',
  args: { file: { what: 'the tree, from exchequer snapshots export', file: true } },
  flags: { export: { value: 'FILE', what: 'the realm, from exchequer export realm', file: true } },
  examples: [
    { line: 'exchequer snapshots verify season-1.json --export realm.ndjson', what: 'from two files' },
  ],
  async run({ args: { file }, flags }, context) {
    const { out } = context
    if (flags.export === undefined) throw wrongUsage('Which export? Give --export realm.ndjson.')
    try {
      const result = await checked(context, file, flags.export)
      out.answer({ ok: true, ...result }, () => {
        out.line(`${file}: ok ${result.root}`)
        const moved = result.relinked > 0 ? `; ${result.relinked} have other wallets now` : ''
        const gone = result.erased > 0 ? `; ${result.erased} were erased` : ''
        const all = `${counted(result.members, 'member')} with ${grouped(BigInt(result.tokens))} points`
        out.aside(`${all} match the journal; ${result.apart} not in the tree${moved}${gone}.`)
        if (result.named === false)
          out.aside('The export no longer says for which snapshot the points were deducted.')
      })
      return exits.done.code
    } catch (error) {
      const wrong = wrongOf(error)
      if (!wrong) throw error
      if (!out.json) throw new Stop('refused', `WRONG at ${wrong.where}: ${wrong.message}.`)
      out.answer({ ok: false, where: wrong.where, why: wrong.message }, () => {})
      return exits.refused.code
    }
  },
})
