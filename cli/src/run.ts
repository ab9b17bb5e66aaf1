import { findAccess, operatorOf, realmOf } from './access.ts'
import type { Arguments, Context, Flags, Input } from './command.ts'
import { commands, groups } from './commands.ts'
import { exits, failureOf, wrongUsage } from './exits.ts'
import { helpAbout, overview, unknownCommand } from './help.ts'
import { Output } from './output.ts'
import { type Common, findCommand, parse } from './parse.ts'
import { release } from './release.ts'
import { inColour, painted, plain, type Terminal } from './terminal.ts'

/** Runs one command line and returns its exit code. */
export async function run(given: readonly string[], terminal: Terminal): Promise<number> {
  const paint = inColour(terminal.stderr, terminal.env) ? painted : plain
  try {
    return await obey(given, terminal)
  } catch (error) {
    const { exit, message } = failureOf(error)
    terminal.stderr.write(`${paint('red', 'exchequer:')} ${message}\n`)
    return exits[exit].code
  }
}

async function obey(given: readonly string[], terminal: Terminal): Promise<number> {
  const out = new Output(terminal, false)
  const found = findCommand(commands, given)
  if (!found) return withoutCommand(given, out)
  const { command, rest } = found
  const handed = (args: object, flags: object) => ({ args, flags }) as Input<Arguments, Flags>
  if (command.raw) return endOf(await command.run(handed({ rest }, {}), contextOf({}, terminal)))
  const { args, flags, common } = parse(command, rest)
  if (common.help) {
    out.line(helpAbout(command.words.split(' '), groups, out.paint))
    return exits.done.code
  }
  return endOf(await command.run(handed(args, flags), contextOf(common, terminal)))
}

/** A command may return an exit code; otherwise it is 0. */
const endOf = (answer: unknown): number => (typeof answer === 'number' ? answer : exits.done.code)

function contextOf(common: Common, terminal: Terminal): Context {
  const access = findAccess(common, terminal.env)
  return {
    groups,
    out: new Output(terminal, common.json === true),
    terminal,
    access,
    realm: () => realmOf(access),
    operator: () => operatorOf(access),
  }
}

function withoutCommand(given: readonly string[], out: Output): number {
  const words = given.filter((word) => !word.startsWith('-'))
  const help = given.includes('--help') || given.includes('-h')
  if (given.includes('--version') || given.includes('-v')) out.line(release)
  else if (words.length === 0 && (help || given.length === 0)) out.line(overview(groups, release, out.paint))
  else if (words.length === 0) throw wrongUsage('Which command? For all commands: exchequer help')
  else if (help) out.line(helpAbout(words, groups, out.paint))
  else if (isNoun(words)) {
    // Not on stdout: a script that omitted the verb would take it for the result.
    out.aside(helpAbout(words, groups))
    return exits.usage.code
  } else throw wrongUsage(unknownCommand(words, commands))
  return exits.done.code
}

/** Whether it is a noun without a verb. */
const isNoun = (words: readonly string[]): boolean =>
  commands.some((one) => one.words.startsWith(`${words.join(' ')} `))
