import { parseArgs } from 'node:util'
import { commands, usage } from './commands.ts'
import { ConfigError } from './config.ts'
import { SchemaMismatch } from './db/migrate.ts'
import { Refused } from './errors.ts'

/** The command line of whoever holds the database. */
async function main(args: readonly string[]): Promise<number> {
  const [first = 'help', second] = args
  const command = commands.get(`${first} ${second}`) ?? commands.get(first)
  if (!command) {
    console.error(usage())
    return first === 'help' || first === '--help' ? 0 : 2
  }
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

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  // What the operator can mend is said in one sentence; anything else is ours and shows its trace.
  const code = (error as { code?: string } | undefined)?.code ?? ''
  const plain = error instanceof ConfigError || error instanceof SchemaMismatch || error instanceof Refused
  if (plain || code.startsWith('ERR_PARSE_ARGS')) console.error((error as Error).message)
  else if (code === 'ECONNREFUSED')
    console.error('PostgreSQL does not answer at the host and port in DATABASE_URL.')
  else console.error(error)
  process.exitCode = 1
}
