import { type Checkpoint, parseCheckpoint, verifyChain } from '@exchequer/sdk/verify'
import { withBar } from '../bar.ts'
import { type Command, type Context, command } from '../command.ts'
import { exits, Stop, wrongUsage } from '../exits.ts'
import { linesOf, sizeOf } from '../files.ts'
import { counted } from '../output.ts'
import { RealmFile, sha256, type Verification } from '../realmFile.ts'
import { wrongOf } from '../wrong.ts'

function checkpointOf(text: string | undefined): Checkpoint | undefined {
  if (text === undefined) return undefined
  const checkpoint = parseCheckpoint(text)
  if (checkpoint) return checkpoint
  throw wrongUsage('--against takes SEQ:HASH, as exchequer verify prints it.')
}

const unit = ['entry', 'entries'] as const

/** An export, verified offline from the file. */
async function ofFile(
  { terminal }: Context,
  file: string,
  against: Checkpoint | undefined,
): Promise<Verification> {
  const size = sizeOf(file)
  return withBar(terminal, { what: 'verifying', unit }, async (bar) => {
    const realm = new RealmFile(against)
    let read = 0
    const onRead = (bytes: number) => {
      read = bytes
    }
    for await (const lines of linesOf(file, onRead)) {
      await realm.lines(lines)
      bar.at(read / size, realm.progress.done)
    }
    return realm.end()
  })
}

type OfFeed = Pick<Verification, 'realmId' | 'seq' | 'hash' | 'erased' | 'entries'>

/** The server's journal, up to its current head. */
async function ofFeed(context: Context, against: Checkpoint | undefined): Promise<OfFeed> {
  const realm = context.realm()
  const realmId = context.access.realm ?? ''
  return withBar(context.terminal, { what: 'verifying', unit }, async (bar) => {
    const { seq, hash, erased } = await verifyChain({
      realmId,
      against,
      sha256,
      read: (cursor) => realm.journal({ cursor, limit: 1000 }).page(),
      onProgress: (done, all) => bar.at(all === 0n ? 1 : Number(done) / Number(all), Number(done)),
    })
    return { realmId, seq: String(seq), hash, erased, entries: Number(seq) }
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
      const wrong = wrongOf(error)
      if (!wrong) throw error
      if (!out.json) throw new Stop('refused', `WRONG at ${wrong.where}: ${wrong.message}.`)
      out.answer({ ok: false, where: wrong.where, why: wrong.message }, () => {})
      return exits.refused.code
    }
  },
})
