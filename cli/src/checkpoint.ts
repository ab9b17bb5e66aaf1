import { readFileSync, statSync } from 'node:fs'
import { NoteError, openNote, type SignedCheckpoint } from '@exchequer/sdk/note'
import { type Checkpoint, parseCheckpoint } from '@exchequer/sdk/verify'
import { checkedUrl } from './access.ts'
import type { Context } from './command.ts'
import { Stop, wrongUsage } from './exits.ts'
import { readAll } from './prompt.ts'
import { Wrong } from './wrong.ts'

/** What a history is compared with: `SEQ:HASH`, or a signed note. */

/** Far more than a note has. */
const noteCap = 64 * 1024

function readText(file: string): string {
  try {
    if (statSync(file).size <= noteCap) return readFileSync(file, 'utf8')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw wrongUsage(`${file} can’t be read (${code}). --against takes SEQ:HASH, a file with a note, or -.`)
  }
  throw wrongUsage(`${file} is too large for a signed note or a key.`)
}

/** Verifier keys, one on each line: as given, or from a file. */
function keysIn(given: string): string[] {
  const text = given.includes('+') ? given : readText(given)
  return text.split(/\s+/).filter((one) => one !== '')
}

/** The keys that the server publishes now. */
async function publishedKeys({ access, out }: Context): Promise<string[]> {
  if (!access.url)
    throw wrongUsage(
      'A signed note needs the public key of its server: give it with --key KEY or --key FILE.',
    )
  const url = `${checkedUrl(access.url)}/checkpoint-keys`
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch((error: Error) => {
    throw new Stop('unreachable', `${url} can’t be reached: ${error.message}. Give the key with --key.`)
  })
  if (!response.ok)
    throw new Stop('unreachable', `${url} answered ${response.status}. Give the key with --key.`)
  const { data } = (await response.json()) as { data: readonly { key: string }[] }
  out.aside(
    `Warning: the public key comes from ${access.url}. A server that rewrote its history could publish ` +
      'another key too: store the key with your note, and give it with --key.',
  )
  return data.map(({ key }) => key)
}

export type Against = {
  /** Compared as it is. */
  readonly checkpoint?: Checkpoint
  /** A note, and the keys of which one must have signed it. */
  readonly note?: { readonly text: string; readonly keys: readonly string[] }
}

type Given = { readonly against?: string | undefined; readonly key?: string | undefined }

export async function againstOf({ against, key }: Given, context: Context): Promise<Against> {
  if (against === undefined) {
    if (key !== undefined) throw wrongUsage('--key is for a signed note: give it with --against FILE.')
    return {}
  }
  const given = parseCheckpoint(against)
  if (given) return { checkpoint: given }
  const text = against === '-' ? await readAll(context.terminal.stdin, noteCap) : readText(against)
  const stored = parseCheckpoint(text)
  if (stored) return { checkpoint: stored }
  return { note: { text, keys: key === undefined ? await publishedKeys(context) : keysIn(key) } }
}

/** The checkpoint for a realm; a note is verified first. */
export async function checkpointOf(
  { checkpoint, note }: Against,
  realmId: string,
): Promise<Checkpoint | SignedCheckpoint | undefined> {
  if (!note) return checkpoint
  return openNote(note.text, { realmId, keys: note.keys }).catch((error: unknown) => {
    throw error instanceof NoteError ? new Wrong('the note', error.message) : error
  })
}
