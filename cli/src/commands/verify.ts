import { verifyChain } from '@exchequer/sdk/verify'
import { withBar } from '../bar.ts'
import { againstOf, checkpointOf } from '../checkpoint.ts'
import { type Command, type Context, command } from '../command.ts'
import { exits, Stop } from '../exits.ts'
import { linesOf, sizeOf } from '../files.ts'
import { counted } from '../output.ts'
import { type AgainstRealm, RealmFile, sha256, type Verification } from '../realmFile.ts'
import { wrongOf } from '../wrong.ts'

const unit = ['entry', 'entries'] as const

/** An export, verified offline from the file. */
async function ofFile({ terminal }: Context, file: string, against: AgainstRealm): Promise<Verification> {
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
async function ofFeed(context: Context, against: AgainstRealm): Promise<OfFeed> {
  const realm = context.realm()
  const realmId = context.access.realm ?? ''
  const checkpoint = await against(realmId)
  return withBar(context.terminal, { what: 'verifying', unit }, async (bar) => {
    const { seq, hash, erased } = await verifyChain({
      realmId,
      against: checkpoint,
      sha256,
      read: (cursor) => realm.journal({ cursor, limit: 1000 }).page(),
      onProgress: (done, all) => bar.at(all === 0n ? 1 : Number(done) / Number(all), Number(done)),
    })
    return { realmId, seq: String(seq), hash, erased, entries: Number(seq) }
  })
}

type Compared = Awaited<ReturnType<typeof checkpointOf>>

/** The note, in the result. */
function signedOf(compared: Compared): object {
  if (!compared || !('key' in compared)) return {}
  const { seq, hash, origin, signedAt, key } = compared
  return { checkpoint: { seq: String(seq), hash, origin, signedAt, key } }
}

export const verify: Command = command({
  words: 'verify',
  what: 'verify a realm’s history: every hash and balance is computed again',
  more:
    'With a file (exchequer export realm) it works offline; without one it reads the journal from the ' +
    'server (scope journal:read). Store a signed checkpoint (exchequer checkpoint show), or the SEQ:HASH ' +
    'that it prints, somewhere else: given with --against later, it also detects a history that was ' +
    'replaced as a whole. A note is signed: without --key, the key is the one that the server has now.',
  args: {
    file: { what: 'an exported realm; the server’s journal if omitted', optional: true, file: true },
  },
  flags: {
    against: {
      value: 'NOTE',
      what: 'a file with a signed checkpoint, - for standard input, or the SEQ:HASH of an earlier run',
      file: true,
    },
    key: { value: 'KEY', what: 'the public key that signed the checkpoint, or a file with it', file: true },
  },
  examples: [
    { line: 'exchequer verify realm.ndjson', what: 'an export, offline' },
    { line: 'exchequer verify', what: 'the journal on the server' },
    {
      line: 'exchequer verify realm.ndjson --against note.txt --key server.pub',
      what: 'against a signed checkpoint that you stored, offline',
    },
  ],
  async run({ args: { file }, flags }, context) {
    const { out } = context
    const given = await againstOf(flags, context)
    let compared: Compared
    const against = async (realmId: string) => {
      compared = await checkpointOf(given, realmId)
      return compared
    }
    try {
      const verified =
        file === undefined ? await ofFeed(context, against) : await ofFile(context, file, against)
      const { realmId, seq, hash, entries, erased } = verified
      out.answer({ ok: true, ...verified, ...signedOf(compared) }, () => {
        const gone = erased > 0 ? ` The texts of ${counted(erased, 'entry', 'entries')} were erased.` : ''
        out.line(`${realmId}: ok ${seq}:${hash}`)
        out.aside(
          `${counted(entries, 'entry', 'entries')} verified, every balance too. Nothing was altered.${gone}`,
        )
        if (compared && 'key' in compared)
          out.aside(`Entry ${compared.seq} is as ${compared.origin} signed it at ${compared.signedAt}.`)
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
