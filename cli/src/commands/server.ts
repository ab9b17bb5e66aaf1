import { type Command, type Context, command } from '../command.ts'
import { Stop } from '../exits.ts'
import { commandHelp } from '../help.ts'

/** The part of @exchequer/server that is used here. */
type Server = {
  main(args: readonly string[]): Promise<number>
  dev(args: readonly string[], home: string): Promise<number>
}

/** The server is a separate package: pure clients do not need it. */
async function loadServer(): Promise<Server> {
  const name = '@exchequer/server'
  try {
    return (await import(name)) as Server
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(name)) throw error
    throw new Stop('usage', `The server is not installed. Install it with: npm install ${name}`)
  }
}

const rest = { rest: { what: 'arguments of the server’s own command', optional: true, many: true } } as const

/** Shows our help for `--help`, unless the server's command has its own. */
function asksHelp(args: readonly string[], one: Command, { out }: Context): boolean {
  if (!args.includes('--help') && !args.includes('-h')) return false
  out.line(commandHelp(one, out.paint))
  return true
}

export const dev: Command = command({
  words: 'dev',
  raw: true,
  what: 'try it: PostgreSQL, the server and a demo realm on this machine',
  args: rest,
  examples: [{ line: 'exchequer dev', what: 'prints its URL, a key and commands to try; Ctrl-C stops it' }],
  async run({ args }) {
    return (await loadServer()).dev(args.rest, import.meta.url)
  },
})

export const serve: Command = command({
  words: 'serve',
  raw: true,
  what: 'run the server on your PostgreSQL, set up by environment variables',
  args: rest,
  examples: [{ line: 'DATABASE_URL=postgres://… exchequer serve', what: 'runs until SIGTERM or Ctrl-C' }],
  async run({ args }, context) {
    if (asksHelp(args.rest, serve, context)) return undefined
    return (await loadServer()).main(['serve', ...args.rest])
  },
})

export const db: Command = command({
  words: 'db',
  raw: true,
  what: 'run a command on the server’s database: migrate, verify, import, ...',
  args: rest,
  examples: [
    { line: 'exchequer db help', what: 'lists the commands' },
    { line: 'DATABASE_URL=postgres://… exchequer db migrate', what: 'updates the schema' },
  ],
  async run({ args }) {
    return (await loadServer()).main(args.rest.length === 0 ? ['help'] : args.rest)
  },
})
