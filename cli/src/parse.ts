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
export type Parsed = {
  readonly args: Record<string, string | readonly string[] | undefined>
  readonly flags: Record<string, string | readonly string[] | true>
  readonly common: Common
}

const helpOf = (command: Command): string => `See: exchequer ${command.words} --help`

/** The longest command that the words begin with, and what stands behind it. Options may stand before. */
export function findCommand(
  commands: readonly Command[],
  given: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } | undefined {
  const valued = (word = '') => /^--(profile|url|realm)$/.test(word)
  const places = given.flatMap((word, index) =>
    word.startsWith('-') || valued(given[index - 1]) ? [] : [index],
  )
  for (const length of [3, 2, 1]) {
    const taken = places.slice(0, length)
    const words = taken.map((index) => given[index]).join(' ')
    const command = commands.find((one) => one.words === words)
    if (command) return { command, rest: given.filter((_, index) => !taken.includes(index)) }
  }
  return undefined
}

/** Reads what a command was given; anything it does not know is told with what was likely meant. */
export function parse(command: Command, given: readonly string[], all: readonly Command[]): Parsed {
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
  return { args: common.help ? {} : argumentsOf(command, words, all), flags, common }
}

function unknownOption(command: Command, raw: string, known: Flags) {
  if (/^-\d/.test(raw))
    return wrongUsage(`${raw}: a number below 0 is not taken here. To take points: exchequer points take`)
  const near = nearest(raw.replace(/^-+/, ''), Object.keys(known))
  const meant = near ? ` Did you mean --${near}?` : ''
  return wrongUsage(`exchequer ${command.words} has no option ${raw}.${meant}\n${helpOf(command)}`)
}

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
  throw wrongUsage(`${name} is one of ${choices.join(', ')}, not ${value}.${meant}`)
}

export const shown = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter}`).toUpperCase()

function argumentsOf(command: Command, words: readonly string[], all: readonly Command[]): Parsed['args'] {
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
  if (rest.length > 0) throw tooMany(command, rest[0] ?? '', all)
  return args
}

/** It may be a command that was misspelt: `members shwo 42`. */
function tooMany(command: Command, word: string, all: readonly Command[]) {
  const under = all.map(({ words }) => words).filter((words) => words.startsWith(`${command.words} `))
  const near = nearest(`${command.words} ${word}`, under)
  const meant = near ? ` Did you mean: exchequer ${near}` : ''
  return wrongUsage(`exchequer ${command.words}: ${word} is one word too many.${meant}\n${helpOf(command)}`)
}
