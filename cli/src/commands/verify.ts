import { withBar } from '../bar.ts'
import { Chain, type Checkpoint, Wrong } from '../chain.ts'
import { type Command, type Context, command } from '../command.ts'
import { exits, Stop, wrongUsage } from '../exits.ts'
import { linesOf, sizeOf } from '../files.ts'
import { counted } from '../output.ts'
import { RealmFile, type Verified } from '../realmFile.ts'

function checkpointOf(text: string | undefined): Checkpoint | undefined {
  if (text === undefined) return undefined
  const [, seq, hash] = /^([0-9]{1,19}):([0-9a-f]{64})$/.exec(text) ?? []
  if (seq !== undefined && hash !== undefined) return { seq: BigInt(seq), hash }
  throw wrongUsage('--against takes SEQ:HASH, as exchequer verify prints it.')
}

const unit = ['entry', 'entries'] as const

/** An export, from the file alone: no server is asked. */
async function ofFile(
  { terminal }: Context,
  file: string,
  against: Checkpoint | undefined,
): Promise<Verified> {
  const size = sizeOf(file)
  return withBar(terminal, { what: 'verifying', unit }, async (bar) => {
    const realm = new RealmFile(against)
    let read = 0
    const onRead = (bytes: number) => {
      read = bytes
    }
    for await (const lines of linesOf(file, onRead)) {
      for (const line of lines) realm.line(line)
      bar.at(read / size, realm.progress.done)
    }
    return realm.end()
  })
}

type OfFeed = Pick<Verified, 'realmId' | 'seq' | 'hash' | 'erased' | 'entries'>

/** The journal as the server tells it, up to where it is now. */
async function ofFeed(context: Context, against: Checkpoint | undefined): Promise<OfFeed> {
  const realm = context.realm()
  const realmId = context.access.realm ?? ''
  const head = await realm.head()
  return withBar(context.terminal, { what: 'verifying', unit }, async (bar) => {
    const chain = new Chain(realmId, against)
    for await (const entry of head.seq === '0' ? [] : realm.journal()) {
      const { keyId: key, realmPointId: point, details: said, ...rest } = entry
      chain.add({ ...rest, key, point, said })
      bar.at(Number(chain.seq) / Number(head.seq), Number(chain.seq))
      if (entry.seq === head.seq) break
    }
    chain.finish({ seq: BigInt(head.seq), hash: head.hash })
    const { seq, hash } = head
    return { realmId, seq, hash, erased: chain.erased, entries: Number(seq) }
  })
}

export const verify: Command = command({
  words: 'verify',
  what: 'verify a realm’s history: every hash and balance is computed again',
  more:
    'With a file (exchequer export realm) it works offline; without one it reads the journal from the ' +
    'server (scope journal:read). Store the SEQ:HASH that it prints somewhere else: given with --against ' +
    'later, it also detects a history that was replaced as a whole.',
  args: {
    file: { what: 'an exported realm; the server’s journal if omitted', optional: true, file: true },
  },
  flags: { against: { value: 'SEQ:HASH', what: 'what an earlier run printed' } },
  examples: [
    { line: 'exchequer verify realm.ndjson', what: 'an export, offline' },
    { line: 'exchequer verify', what: 'the journal on the server' },
  ],
  async run({ args: { file }, flags }, context) {
    const { out } = context
    const against = checkpointOf(flags.against)
    try {
      const verified =
        file === undefined ? await ofFeed(context, against) : await ofFile(context, file, against)
      const { realmId, seq, hash, entries, erased } = verified
      out.answer({ ok: true, ...verified }, () => {
        const gone = erased > 0 ? ` The texts of ${counted(erased, 'entry', 'entries')} were erased.` : ''
        out.line(`${realmId}: ok ${seq}:${hash}`)
        out.aside(
          `${counted(entries, 'entry', 'entries')} verified, every balance too. Nothing was altered.${gone}`,
        )
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
