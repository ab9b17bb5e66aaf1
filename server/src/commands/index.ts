import { parseArgs } from 'node:util'
import { ConfigError } from '../config/index.ts'
import { SchemaMismatch } from '../db/migrate.ts'
import { RefusalError } from '../errors.ts'
import { nearest } from '../http/route/nearest.ts'
import { commands, usage } from './table.ts'

async function obey(args: readonly string[]): Promise<number> {
  const [first = 'help', second] = args
  const command = commands.get(`${first} ${second}`) ?? commands.get(first)
  if (!command) return withoutCommand(first, args)
  const rest = args.slice(commands.has(`${first} ${second}`) ? 2 : 1)
  const { values, positionals } = parseArgs({
    args: [...rest],
    options: command.options,
    allowPositionals: true,
  })
  if (positionals.length !== command.positionals.length) {
    console.error(`usage: ${command.usage}`)
    return 2
  }
  return command.run(positionals, values as Record<string, string | undefined>)
}

function withoutCommand(first: string, args: readonly string[]): number {
  const isHelp = first === 'help' || first === '--help'
  if (!isHelp) {
    const asked = args
      .slice(0, 2)
      .filter((word) => !word.startsWith('-'))
      .join(' ')
    const near = nearest(asked, [...commands.keys()]) ?? nearest(first, [...commands.keys()])
    console.error(`Unknown command \`${asked || first}\`.${near ? ` Did you mean \`${near}\`?` : ''}\n`)
  }
  console.error(usage())
  return isHelp ? 0 : 2
}

const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ECONNRESET',
])

/** Messages for errors of listening. */
const listening = new Map([
  ['EADDRINUSE', 'The port is already in use'],
  ['EACCES', 'Not permitted to listen there'],
  ['EADDRNOTAVAIL', 'This machine has no such address'],
])
const orMetrics = ', and METRICS_HOST and METRICS_PORT if they are set'

function sentenceOf(thrown: unknown): string | undefined {
  // The cause of a refusal is the error of PostgreSQL or the network.
  const error = thrown instanceof RefusalError && thrown.cause ? thrown.cause : thrown
  const {
    code = '',
    severity = '',
    syscall = '',
    message = '',
  } = error as { code?: string; severity?: string; syscall?: string; message?: string }
  const ours =
    error instanceof ConfigError || error instanceof SchemaMismatch || error instanceof RefusalError
  if (ours || code.startsWith('ERR_PARSE_ARGS')) return message
  if (unreachable.has(code))
    return `PostgreSQL can't be reached (${code}). Check host and port in DATABASE_URL.`
  if (syscall === 'listen' && listening.has(code))
    return `${listening.get(code)} (${message}). Check HOST and PORT${orMetrics}.`
  if (severity === 'FATAL') return `PostgreSQL rejected the connection: ${message}. Check DATABASE_URL.`
  return undefined
}

/** The operator's command line; returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    return await obey(args)
  } catch (error) {
    // What the operator can fix is one sentence; anything else is a bug and prints its stack trace.
    console.error(sentenceOf(error) ?? error)
    return 1
  }
}
