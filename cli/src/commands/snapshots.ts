import { readFileSync } from 'node:fs'
import type { SnapshotData } from '@exchequer/sdk'
import { withBar } from '../bar.ts'
import { Wrong } from '../chain.ts'
import { type Command, type Context, command, yesFlag } from '../command.ts'
import { exits, Stop, wrongUsage } from '../exits.ts'
import { linesOf, sizeOf } from '../files.ts'
import { counted, grouped, timeText } from '../output.ts'
import { passOn } from '../passOn.ts'
import { confirm } from '../prompt.ts'
import { RealmFile } from '../realmFile.ts'
import type { Checked } from '../snapshot/check.ts'

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
      ['claimable', one.claimable ? 'yes: the points were taken' : 'no'],
      ['as of', `${one.seq}:${one.hash}`],
      ['root', one.root],
    ]),
  )
}

export const snapshots: Command = command({
  words: 'snapshots',
  what: 'list the realm’s snapshots',
  examples: [{ line: 'exchequer snapshots', what: 'the newest first' }],
  async run(_given, { realm, out }) {
    const all = await realm().snapshots.list().toArray({ max: 1_000 })
    const columns = [
      { title: 'ID', style: 'cyan' },
      { title: 'TAKEN' },
      { title: 'POINTS' },
      { title: 'MEMBERS' },
      { title: 'CLAIMABLE' },
      { title: 'ROOT' },
    ] as const
    const rows = all.map((one) => [
      one.id,
      timeText(one.takenAt),
      one.tokens,
      one.members,
      one.claimable,
      one.root ?? '',
    ])
    out.answer(all, () => (all.length === 0 ? out.aside('There are none.') : out.table(columns, rows)))
  },
})

export const snapshotTake: Command = command({
  words: 'snapshot take',
  what: 'what members have, by proved wallet, as a Merkle tree',
  more:
    'With --claimable the points are taken first, in one step for all, and that is never undone: look at ' +
    '--dry-run before. The same id again is the same snapshot.',
  args: id,
  flags: {
    chain: { value: 'CHAIN', what: 'where it will be claimed, such as eip155:8453' },
    point: { value: 'ID', what: 'the kind of points; the realm’s default when left out' },
    seq: { value: 'SEQ', what: 'as of a past entry; not with --claimable' },
    claimable: { what: 'take the points' },
    'dry-run': { what: 'tell who would be in it, and change nothing' },
    ...yesFlag,
  },
  examples: [
    {
      line: 'exchequer snapshot take season-1 --chain eip155:8453 --claimable --dry-run',
      what: 'look first',
    },
    { line: 'exchequer snapshot take today --chain eip155:8453', what: 'one that takes nothing' },
  ],
  async run({ args, flags }, context) {
    const { chain, point, seq, claimable = false, 'dry-run': dry = false } = flags
    if (chain === undefined) throw wrongUsage('Name the chain where it will be claimed: --chain eip155:8453')
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
      const what = `Take ${grouped(BigInt(tokens))} points of ${counted(members, 'member')} for good?`
      await confirm(context.terminal, what, flags.yes)
    }
    show(context, await noun.take(asked, { dryRun: dry }))
    if (dry) context.out.aside('A dry run: nothing was changed.')
  },
})

export const snapshotShow: Command = command({
  words: 'snapshot show',
  what: 'a snapshot: root, totals, and the entry that it is of',
  args: id,
  examples: [{ line: 'exchequer snapshot show season-1', what: 'one' }],
  async run({ args }, context) {
    show(context, await context.realm().snapshots.get(args.id))
  },
})

export const snapshotTree: Command = command({
  words: 'snapshot tree',
  what: 'the whole tree as JSON, for @openzeppelin/merkle-tree',
  args: id,
  examples: [{ line: 'exchequer snapshot tree season-1 > season-1.json', what: 'into a file' }],
  async run({ args }, { realm, terminal: { stdout } }) {
    const { stream } = await realm().snapshots.tree(args.id)
    await passOn(stream, stdout, { what: 'tree' })
  },
})

/** No server is asked: the journal is verified, and the tree is made of it again. */
async function checked({ terminal }: Context, file: string, exported: string): Promise<Checked> {
  // Of the commands this one alone hashes as chains do.
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
      for (const line of lines) realm.line(line)
      bar.at(read / size, realm.progress.done)
    }
    return check.end(realm.end().realmId)
  })
}

export const snapshotCheck: Command = command({
  words: 'snapshot check',
  what: 'prove a snapshot’s tree by an export of its realm, offline',
  more:
    'Every hash and balance of the journal is computed again, each amount is held against it, and the tree ' +
    'is built anew. Take the export behind the snapshot.',
  args: { file: { what: 'the tree, from exchequer snapshot tree', file: true } },
  flags: { export: { value: 'FILE', what: 'the realm, from exchequer export realm', file: true } },
  examples: [
    { line: 'exchequer snapshot check season-1.json --export realm.ndjson', what: 'from two files' },
  ],
  async run({ args: { file }, flags }, context) {
    const { out } = context
    if (flags.export === undefined) throw wrongUsage('Name the exported realm: --export realm.ndjson')
    try {
      const told = await checked(context, file, flags.export)
      out.answer({ ok: true, ...told }, () => {
        out.line(`${file}: ok ${told.root}`)
        const moved = told.relinked > 0 ? `; ${told.relinked} have other wallets by now` : ''
        const gone = told.erased > 0 ? `; ${told.erased} were erased` : ''
        const all = `${counted(told.members, 'member')} with ${grouped(BigInt(told.tokens))} points`
        out.aside(`${all} as the journal has them, ${told.apart} apart${moved}${gone}.`)
        if (told.named === false)
          out.aside('The export no longer says for which snapshot they were taken: that is the realm’s word.')
      })
      return exits.done.code
    } catch (error) {
      if (!(error instanceof Wrong)) throw error
      if (!out.json) throw new Stop('refused', `WRONG at ${error.where}: ${error.message}.`)
      out.answer({ ok: false, where: error.where, why: error.message }, () => {})
      return exits.refused.code
    }
  },
})
