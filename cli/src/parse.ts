import { parseArgs } from 'node:util'
import { type Arguments, type Command, commonFlags, type Flag, type Flags } from './command.ts'
import { wrongUsage } from './exits.ts'
import { nearest } from './nearest.ts'

export type Common = {
  readonly json?: true
  readonly help?: true
  readonly profile?: string
  readonly url?: string
  readonly realm?: string
}
export type ParsedArguments = {
  readonly args: Record<string, string | readonly string[] | undefined>
  readonly flags: Record<string, string | readonly string[] | true>
  readonly common: Common
}

const helpOf = (command: Command): string => `See: exchequer ${command.words} --help`

/** The longest command that the words begin with, and the rest. Options may come before it. */
export function findCommand(
  commands: readonly Command[],
  given: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } | undefined {
  const valued = (word = '') => /^--(profile|url|realm)$/.test(word)
  const places = given.flatMap((word, index) =>
    word.startsWith('-') || valued(given[index - 1]) ? [] : [index],
  )
  for (const length of [2, 1]) {
    const taken = places.slice(0, length)
    const words = taken.map((index) => given[index]).join(' ')
    const command = commands.find((one) => one.words === words)
    if (command) return { command, rest: given.filter((_, index) => !taken.includes(index)) }
  }
  return undefined
}

/** Parses the arguments of a command; unknown options are errors, with a suggestion. */
export function parse(command: Command, given: readonly string[]): ParsedArguments {
  const known: Flags = { ...command.flags, ...commonFlags }
  const { tokens } = parseArgs({
    args: [...given],
    options: Object.fromEntries(
      Object.entries(known).map(([name, { value, short }]) => [
        name,
        { type: value ? 'string' : 'boolean', multiple: true, ...(short ? { short } : {}) } as const,
      ]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const words: string[] = []
  const flags: Record<string, string | readonly string[] | true> = {}
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const flag = known[token.name]
    if (!flag) throw unknownOption(command, token.rawName, known)
    flags[token.name] = flagValue(command, { ...token, flag, before: flags[token.name] })
  }
  const common = Object.fromEntries(Object.entries(flags).filter(([name]) => name in commonFlags)) as Common
  return { args: common.help ? {} : argumentsOf(command, words), flags, common }
}

function unknownOption(command: Command, raw: string, known: Flags) {
  if (/^-\d/.test(raw))
    return wrongUsage(`${raw}: use a number above 0. To deduct points: exchequer points deduct`)
  const name = raw.replace(/^-+/, '')
  const near = optionWords.get(name)?.find((one) => one in known) ?? nearest(name, Object.keys(known))
  const meant = near ? ` Did you mean --${near}?` : ''
  return wrongUsage(`exchequer ${command.words} has no option ${raw}.${meant}\n${helpOf(command)}`)
}

/** Names of these options in other tools. */
const optionWords: ReadonlyMap<string, readonly string[]> = new Map([
  ['actor', ['actor-id', 'filter-actor-id']],
  ['cursor', ['after']],
  ['expires', ['expires-at']],
  ['kind', ['point-type']],
  ['once', ['idempotency-key']],
  ['point', ['point-type']],
  ['type', ['point-type']],
])

type Token = {
  readonly rawName: string
  readonly name: string
  readonly value?: string | undefined
  readonly flag: Flag
  readonly before: string | readonly string[] | true | undefined
}

function flagValue(
  command: Command,
  { rawName, value, flag, before }: Token,
): string | readonly string[] | true {
  if (flag.value === undefined) {
    if (value !== undefined) throw wrongUsage(`${rawName} takes no value.\n${helpOf(command)}`)
    return true
  }
  if (value === undefined || (value === '' && !flag.mayBeEmpty))
    throw wrongUsage(`${rawName} needs a value: ${rawName} ${flag.value}\n${helpOf(command)}`)
  checkChoice(rawName, value, flag.choices)
  if (flag.many) return [...(Array.isArray(before) ? before : []), value]
  if (before !== undefined) throw wrongUsage(`${rawName} is given twice.`)
  return value
}

function checkChoice(name: string, value: string, choices: readonly string[] | undefined): void {
  if (!choices || choices.includes(value)) return
  const near = nearest(value, choices)
  const meant = near ? ` Did you mean ${near}?` : ''
  throw wrongUsage(`${name} must be one of ${choices.join(', ')}, not "${value}".${meant}`)
}

export const shown = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter}`).toUpperCase()

function argumentsOf(command: Command, words: readonly string[]): ParsedArguments['args'] {
  const wanted = Object.entries(command.args as Arguments)
  const args: Record<string, string | readonly string[] | undefined> = {}
  wanted.forEach(([name, argument], index) => {
    const value = argument.many ? words.slice(index) : words[index]
    const missing = value === undefined || value.length === 0
    if (missing && !argument.optional)
      throw wrongUsage(`${shown(name)} is missing: ${argument.what}.\n${helpOf(command)}`)
    if (typeof value === 'string') checkChoice(shown(name), value, argument.choices)
    args[name] = missing && !argument.many ? undefined : value
  })
  const rest = wanted.some(([, { many }]) => many) ? [] : words.slice(wanted.length)
  if (rest.length > 0)
    throw wrongUsage(`exchequer ${command.words}: unexpected argument "${rest[0]}".\n${helpOf(command)}`)
  return args
}
