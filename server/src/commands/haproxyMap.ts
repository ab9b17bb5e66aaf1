import { once } from 'node:events'
import type { NetConnectOpts } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError, readDirectoryUrl } from '../config/index.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { commandConnectMs } from '../db/session.ts'
import { RefusalError } from '../errors.ts'
import { command, type Values } from './command.ts'
import { MapFile, writeMapFile } from './haproxy/mapFile.ts'
import { PlaceReader, Places } from './haproxy/places.ts'
import { Runtime } from './haproxy/runtime.ts'

/** How often the directory is asked. A realm that moved is refused by its old cell until then. */
const everyMs = 250

type Options = { readonly file: string; readonly prefix: string }

/** In a request of the runtime API these characters would end the name. */
function readOptions({ file, 'backend-prefix': prefix = 'cell_' }: Values): Options {
  if (!file) throw new ConfigError('Name the map’s file: --file /var/lib/exchequer/cells.map')
  const wrong = [file, prefix].find((one) => !/^[A-Za-z0-9._/:@+-]+$/.test(one))
  if (wrong !== undefined)
    throw new ConfigError(`${wrong} has a character that HAProxy’s runtime API can't be sent.`)
  return { file, prefix }
}

/** A path, or a host and a port. */
function addressIn(socket: string | undefined): NetConnectOpts {
  if (!socket) throw new ConfigError('Name HAProxy’s stats socket: --socket /run/haproxy/admin.sock')
  if (socket.includes('/')) return { path: socket }
  const [, host, port] = /^\[?([^[\]]+)\]?:(\d{1,5})$/.exec(socket) ?? []
  if (host === undefined || Number(port) > 65_535)
    throw new ConfigError(`--socket ${socket} is neither a path nor host:port.`)
  return { host, port: Number(port) }
}

/** The cause of a refusal is the error of PostgreSQL or the network. */
function wordsOf(thrown: unknown): string {
  const error = thrown instanceof RefusalError && thrown.cause ? thrown.cause : thrown
  const { message = '', code = '' } = error as { message?: string; code?: string }
  return message || code || String(error)
}

/** Runs parts of a round, and says when one begins to fail and when it works again. */
class Parts {
  readonly #failing = new Set<string>()

  async run<T>(part: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await work()
      if (this.#failing.delete(part)) console.error(`${part}: works again`)
      return result
    } catch (error) {
      if (!this.#failing.has(part)) console.error(`${part}: ${wordsOf(error)}; the map stays as it is`)
      this.#failing.add(part)
      return undefined
    }
  }
}

type Follower = {
  readonly reader: PlaceReader
  readonly mapFile: MapFile
  readonly runtime: Runtime
}

/** One round: the directory, then the file, then HAProxy, which reads the file when it is reloaded. */
function rounds({ reader, mapFile, runtime }: Follower): () => Promise<void> {
  const places = new Places()
  const parts = new Parts()
  let isKnown = false
  return async () => {
    await parts.run('directory', async () => {
      await reader.read(places)
      isKnown = true
    })
    // Without the directory HAProxy keeps what it has.
    if (!isKnown) return
    if (!(await parts.run('file', () => mapFile.update(places)))) return
    const changed = await parts.run('HAProxy', () => runtime.update(places))
    if (changed) console.error(`${changed} changed, ${places.size} realms outside of cell 0`)
  }
}

async function follow(db: Database, { file, prefix }: Options, address: NetConnectOpts): Promise<void> {
  const stop = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT']) void once(process, name).then(() => stop.abort())
  const round = rounds({
    reader: new PlaceReader(db),
    mapFile: new MapFile(file, prefix),
    runtime: new Runtime({ address, file, prefix }),
  })
  while (!stop.signal.aborted) {
    await round()
    await sleep(everyMs, undefined, { signal: stop.signal }).catch(() => {})
  }
}

async function writeOnce(db: Database, { file, prefix }: Options): Promise<void> {
  const places = new Places()
  await new PlaceReader(db).read(places)
  await writeMapFile(file, places, prefix)
  console.error(`${places.size} realms outside of cell 0`)
}

async function haproxyMap(values: Values): Promise<number> {
  const options = readOptions(values)
  const address = values['once'] ? undefined : addressIn(values['socket'])
  const db = openDatabase(readDirectoryUrl(process.env), { poolSize: 1, connectWithinMs: commandConnectMs })
  try {
    if (address === undefined) await writeOnce(db, options)
    else await follow(db, options, address)
    return 0
  } finally {
    await db.close()
  }
}

export const haproxyMapCommand = command(
  'haproxy-map [--file <path>] [--socket <path or host:port>] [--backend-prefix <text>] [--once]',
  'keep HAProxy’s map of realms and cells as the directory says (DIRECTORY_URL, or DATABASE_URL)',
  (_none, values) => haproxyMap(values),
)
