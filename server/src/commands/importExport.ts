import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, statSync } from 'node:fs'
import { ConfigError } from '../config/index.ts'
import type { Database } from '../db/database.ts'
import { Exports } from '../files/exports/index.ts'
import {
  type Format,
  type Import,
  Imports,
  type LoadResult,
  loadRealm,
  type Source,
  type Tally,
} from '../files/imports/index.ts'
import { problem } from '../http/problem.ts'
import { Ledger } from '../ledger/index.ts'
import { verify } from '../ledger/journal/verify.ts'
import { type Command, command, commandLine, type Nouns, type Values, withNouns } from './command.ts'
import { Meter } from './meter.ts'

/** How long one opening balance may take. Long, because no client waits for a single one. */
const deadlineMs = 60_000

function sizeOf(file: string): number {
  try {
    return statSync(file).size
  } catch {
    throw new ConfigError(`File ${file} does not exist.`)
  }
}

const formatOf = (file: string): Format => (/\.(ndjson|jsonl)$/i.test(file) ? 'ndjson' : 'csv')

/** The default name of an import: the hash of its file. */
async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** A file's text, and how many bytes of it were read. */
export async function* textOf(file: string, onRead: (bytes: number) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let bytes = 0
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
    bytes += (chunk as Buffer).length
    onRead(bytes)
    let text: string
    try {
      text = decoder.decode(chunk as Buffer, { stream: true })
    } catch {
      throw new ConfigError(`${file} is not UTF-8, within its first ${bytes} bytes. Save it as UTF-8.`)
    }
    yield text
  }
}

export function meter(what: string, of: number): Meter {
  const say = (text: string) => void process.stderr.write(text)
  return new Meter({ what, of, say, terminal: process.stderr.isTTY, nowMs: () => performance.now() })
}

/** Runs a phase of an import over the whole file, with a progress meter. */
async function overFile(
  what: string,
  file: string,
  work: (source: Source, onPage: (tally: Tally) => void) => Promise<Tally>,
): Promise<Tally> {
  const shown = meter(what, sizeOf(file))
  let read = 0
  const source = () =>
    textOf(file, (bytes) => {
      read = bytes
    })
  try {
    return await work(source, (tally) => shown.at(read, tally.rows))
  } finally {
    shown.end()
  }
}

const sums = (totals: ReadonlyMap<string, bigint>): string =>
  totals.size === 0 ? 'none' : Array.from(totals, ([point, total]) => `${total} ${point}`).join(', ')

/** Replaces the API's parameters by this command's options. */
const inOptions = (detail: string): string =>
  detail.replace('roundedIds=allow', '--rounded-ids allow').replace('onTop=add', '--on-top add')

/** Prints errors; returns whether there are any. */
function printFaults({ faults, faultCount, isWhole }: Tally): boolean {
  for (const { line, detail } of faults) console.error(`line ${line}: ${inOptions(detail)}`)
  const more = faultCount - faults.length
  if (more > 0) console.error(`and ${more} more${isWhole ? '' : '; the rest was not read'}`)
  if (faultCount > 0) console.error('Nothing was imported.')
  return faultCount > 0
}

const equal = (a: ReadonlyMap<string, bigint>, b: ReadonlyMap<string, bigint>): boolean =>
  a.size === b.size && [...a].every(([point, total]) => b.get(point) === total)

async function importFile(file: string, values: Values, nouns: Nouns): Promise<number> {
  const { realm: realmId } = values
  if (realmId === undefined) throw new ConfigError('--realm is missing. Set it to the realm to import into.')
  sizeOf(file)
  const { db, configs, realms } = nouns
  const { operatorFeed: feed } = nouns.config
  const realm = await realms.number(realmId)
  await realms.refuseSuspended(realm)
  const wanted: Import = {
    realm,
    key: 0,
    by: commandLine,
    requestId: 'command line',
    name: values['name'] ?? (await hashOf(file)),
    format: formatOf(file),
    allowRounded: values['rounded-ids'] === 'allow',
    addOnTop: values['on-top'] === 'add',
  }
  const onFault = (error: unknown) => console.error(error)
  const ledger = new Ledger({ db, configs, render: problem, laneCount: 1, deadlineMs, onFault, feed })
  const imports = new Imports({ db, configs, ledger })
  try {
    const checked = await overFile('checking', file, (source, onPage) =>
      imports.check(source, wanted, onPage),
    )
    if (printFaults(checked)) return 1
    console.log(`checked: ${checked.rows} rows, opening balances ${sums(checked.totals)}`)
    if (values['dry-run'] !== undefined) return 0
    const done = await overFile('importing', file, (source, onPage) =>
      imports.apply(source, { ...wanted, checked }, onPage),
    )
    console.log(
      `imported: ${done.created} members created, ${done.updated} changed, ${done.linked} wallets linked, ` +
        `${done.made} opening balances created, ${done.alreadyThere} already imported`,
    )
    console.log(`in the ledger: ${sums(done.booked)}`)
    if (equal(done.booked, checked.totals)) return 0
    console.error(`The file has ${sums(checked.totals)}; the ledger differs. Was the file changed?`)
    return 1
  } finally {
    await ledger.close()
  }
}

/** Writes a realm to standard output. */
async function exportRealm(realmId: string, { db, realms }: Nouns): Promise<number> {
  const { seq, hash, chunks } = await new Exports(db).ndjson(await realms.number(realmId))
  for await (const chunk of chunks) {
    if (!process.stdout.write(chunk)) await once(process.stdout, 'drain')
  }
  console.error(`${realmId}: exported as of ${seq}:${hash}`)
  return 0
}

/** Loads a realm, and makes it visible only after its journal verifies. */
async function importRealm(file: string, { db, directory, config }: Nouns): Promise<number> {
  if (!directory.isOwn)
    throw new ConfigError('A realm can be imported only into cell 0. Run the command there.')
  const shown = meter('loading', sizeOf(file))
  let read = 0
  const chunks = textOf(file, (bytes) => {
    read = bytes
  })
  const onPage = (rows: number) => shown.at(read, rows)
  const loaded = await loadRealm(chunks, { db, by: commandLine, onPage, feed: config.operatorFeed })
  shown.end()
  try {
    return await showVerified(db, loaded)
  } finally {
    await loaded.close()
  }
}

async function showVerified(db: Database, loaded: LoadResult): Promise<number> {
  const { realm, header, counts, open, show, giveUp } = loaded
  const { members, wallets, entries, holds } = counts
  console.log(`loaded: ${members} members, ${wallets} wallets, ${entries} entries, ${holds} holds`)
  const against = { seq: BigInt(header.seq), hash: header.hash }
  const verdict = await verify(db, { realm, against, open })
  if (!verdict.ok) {
    await giveUp()
    console.log(`${header.realmId}: WRONG at ${verdict.where}: ${verdict.why}. It stays hidden.`)
    return 1
  }
  if (verdict.seq !== against.seq) throw new Error(`${verdict.seq} entries were loaded, not ${against.seq}`)
  await show()
  console.log(`${header.realmId}: ok ${verdict.seq}:${verdict.hash}`)
  return 0
}

/** Import and export. */
export const importExportCommands: readonly Command[] = [
  command(
    'import <file> [--realm <id>] [--name <name>] [--dry-run] [--rounded-ids <allow>] [--on-top <add>]',
    'import members, wallets and opening balances from CSV or NDJSON; run again to resume',
    ([file = ''], values) => withNouns((nouns) => importFile(file, values, nouns)),
  ),
  command('realm export <realm>', 'export a realm, without its keys, as NDJSON', ([realm = '']) =>
    withNouns((nouns) => exportRealm(realm, nouns)),
  ),
  command(
    'realm import <file>',
    'load an exported realm under its own id and verify it; run again to resume',
    ([file = '']) => withNouns((nouns) => importRealm(file, nouns)),
  ),
]
