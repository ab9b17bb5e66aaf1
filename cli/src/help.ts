import { type Argument, type Command, commonFlags, type Flag, type Flags, type Group } from './command.ts'
import { wrongUsage } from './exits.ts'
import { shown } from './parse.ts'
import { suggestion } from './suggest.ts'
import { type Paint, plain } from './terminal.ts'
import { nouns } from './vocabulary.ts'

const argumentText = ([name, { optional, many }]: readonly [string, Argument]): string => {
  const text = `${shown(name)}${many ? '...' : ''}`
  return optional ? `[${text}]` : text
}

export function usageOf({ words, args, flags }: Command): string {
  const names = Object.entries(args).map(argumentText)
  const options = Object.keys(flags).length > 0 ? ['[options]'] : []
  return ['exchequer', words, ...names, ...options].join(' ')
}

export function flagText(name: string, { value, short }: Flag): string {
  return `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`
}

export function flagWords({ what, choices, many }: Flag): string {
  const which = choices ? `: ${choices.join(', ')}` : ''
  return `${what}${which}${many ? '; can be repeated' : ''}`
}

/** The width that every terminal has. */
const screenPlaces = 80

/** Wraps text to a width. */
function wrapped(text: string, places = screenPlaces): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= places)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

type Row = readonly [string, string]

/** Names on the left, what they are on the right, both within the screen. */
function columns(rows: readonly Row[], leftPlaces = widthOf(rows)): string[] {
  return rows.flatMap(([left, right]) =>
    wrapped(right, screenPlaces - leftPlaces - 4).map(
      (line, index) => `  ${(index === 0 ? left : '').padEnd(leftPlaces)}  ${line}`,
    ),
  )
}

const widthOf = (rows: readonly Row[]): number => Math.max(...rows.map(([left]) => left.length))

const flagRows = (flags: Flags): Row[] =>
  Object.entries(flags).map(([name, flag]) => [flagText(name, flag), flagWords(flag)] as const)

/** One command in full. */
export function commandHelp(command: Command, paint: Paint = plain): string {
  const { what, more, args, flags, examples, raw } = command
  const names: Row[] = Object.entries(args).map(([name, argument]) => {
    const which = argument.choices ? `: ${argument.choices.join(', ')}` : ''
    return [shown(name), `${argument.what}${which}`] as const
  })
  const [own, common] = [flagRows(flags), raw ? [] : flagRows(commonFlags)]
  const places = widthOf([...names, ...own, ...common])
  const part = (title: string, rows: readonly Row[]): string[] =>
    rows.length === 0 ? [] : [[paint('dim', title), ...columns(rows, places)].join('\n')]
  const text = more ? `${sentence(what)} ${more}` : sentence(what)
  return [
    paint('bold', usageOf(command)),
    wrapped(text).join('\n'),
    ...part('Arguments', names),
    ...part('Options', own),
    ...part('Options of every command', common),
    ...(examples.length > 0 ? [`${paint('dim', 'Examples')}\n${exampleLines(command, paint)}`] : []),
  ].join('\n\n')
}

const exampleLines = ({ examples }: Command, paint: Paint): string =>
  examples.map(({ line, what }) => `  ${paint('dim', `# ${what}`)}\n  ${line}`).join('\n')

const sentence = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}.`

/** `keys create|list|revoke`: a noun and its verbs. */
function nounTexts(commands: readonly Command[]): string[] {
  const firsts = new Set(commands.map(({ words }) => words.split(' ')[0] ?? ''))
  return [...firsts].map((first) => {
    const under = commands.flatMap(({ words }) =>
      words.startsWith(`${first} `) ? [words.slice(first.length + 1)] : [],
    )
    return under.length === 0 ? first : `${first} ${under.join('|')}`
  })
}

/** A group in as few lines as possible, with its title before the first. */
function groupLines({ title, commands }: Group, width: number, paint: Paint): string {
  const lines: string[] = []
  for (const text of nounTexts(commands)) {
    const last = lines.at(-1)
    if (last !== undefined && width + last.length + text.length + 5 <= screenPlaces)
      lines[lines.length - 1] = `${last}   ${text}`
    else lines.push(text)
  }
  const left = (index: number) =>
    index === 0 ? `${paint('bold', title)}${' '.repeat(width - title.length)}` : ' '.repeat(width)
  return lines.map((line, index) => `${left(index)}  ${line}`).join('\n')
}

/** All commands, on one screen. */
export function overview(groups: readonly Group[], release: string, paint: Paint = plain): string {
  const width = Math.max(...groups.map(({ title }) => title.length))
  return [
    `exchequer ${release}: a points ledger, from the terminal. Start with: exchequer login`,
    groups.map((group) => groupLines(group, width, paint)).join('\n'),
    'exchequer help NOUN explains the commands of a noun, such as members;\n' +
      'exchequer NOUN VERB --help shows the options of a command, with examples.',
  ].join('\n\n')
}

/** Help for a command or for the commands of a noun; else suggests the nearest one. */
export function helpAbout(asked: readonly string[], groups: readonly Group[], paint: Paint = plain): string {
  const commands = groups.flatMap((one) => one.commands)
  const words = asked.join(' ')
  const exact = commands.find((one) => one.words === words)
  if (exact) return commandHelp(exact, paint)
  const under = commands.filter((one) => one.words.startsWith(`${words} `))
  if (under.length === 0) throw wrongUsage(unknownCommand(asked, commands))
  const rows = under.map((one) => [`exchequer ${one.words}`, one.what] as const)
  return [
    `${paint('bold', `exchequer ${words}`)}: ${nouns[words] ?? 'its commands'}`,
    columns(rows).join('\n'),
    `Options and examples of one: exchequer ${under[0]?.words} --help`,
  ].join('\n\n')
}

export function unknownCommand(asked: readonly string[], commands: readonly Command[]): string {
  const [first = ''] = asked
  const isNoun = commands.some(({ words }) => words.startsWith(`${first} `))
  const words = asked.slice(0, isNoun ? 2 : 1).join(' ')
  const near = suggestion(asked, commands)
  if (near === undefined) return `There is no command \`${words}\`. For all commands: exchequer help`
  const isWhole = commands.some((one) => one.words === near)
  if (isWhole) return `There is no command \`${words}\`. Did you mean \`exchequer ${near}\`?`
  return `There is no command \`${words}\`. For the commands of ${near}: exchequer help ${near}`
}
