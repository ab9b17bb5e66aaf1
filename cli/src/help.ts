import { type Argument, type Command, commonFlags, type Flag, type Flags, type Group } from './command.ts'
import { wrongUsage } from './exits.ts'
import { nearest } from './nearest.ts'
import { shown } from './parse.ts'
import { type Paint, plain } from './terminal.ts'

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

const textPlaces = 90

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}

const flagRows = (flags: Flags): (readonly [string, string])[] =>
  Object.entries(flags).map(([name, flag]) => [flagText(name, flag), flagWords(flag)] as const)

/** One command in full. */
export function commandHelp(command: Command, paint: Paint = plain): string {
  const { what, more, args, flags, examples, raw } = command
  const parts = [
    `${paint('bold', usageOf(command))}\n\n${wrapped(more ? `${sentence(what)} ${more}` : sentence(what))}`,
  ]
  const names = Object.entries(args).map(([name, argument]) => {
    const which = argument.choices ? `: ${argument.choices.join(', ')}` : ''
    return [shown(name), `${argument.what}${which}`] as const
  })
  const own = flagRows(flags)
  const rows = columns([...names, ...own, ...(raw ? [] : flagRows(commonFlags))])
  const take = (count: number) => rows.splice(0, count).join('\n')
  if (names.length > 0) parts.push(take(names.length))
  if (own.length > 0) parts.push(`${paint('dim', 'Options')}\n${take(own.length)}`)
  if (!raw) parts.push(`${paint('dim', 'Options of every command')}\n${take(rows.length)}`)
  if (examples.length > 0) parts.push(`${paint('dim', 'Examples')}\n${exampleLines(command, paint)}`)
  return parts.join('\n\n')
}

const exampleLines = ({ examples }: Command, paint: Paint): string =>
  examples.map(({ line, what }) => `  ${paint('dim', `# ${what}`)}\n  ${line}`).join('\n')

const sentence = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}.`

/** Text in lines that a terminal has place for. */
function wrapped(text: string): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < textPlaces)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.join('\n')
}

/** What every terminal shows at once. */
const screenPlaces = 80

/** `keys [issue|revoke]`: a word and what may follow; in brackets where it is a command alone too. */
function nounTexts(commands: readonly Command[]): string[] {
  const firsts = new Set(commands.map(({ words }) => words.split(' ')[0] ?? ''))
  return [...firsts].map((first) => {
    const under = commands.flatMap(({ words }) =>
      words.startsWith(`${first} `) ? [words.split(' ')[1]] : [],
    )
    const next = [...new Set(under)].join('|')
    if (next === '') return first
    return commands.some(({ words }) => words === first) ? `${first} [${next}]` : `${first} ${next}`
  })
}

/** A group in as few lines as it needs, its title before the first. */
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
    `exchequer ${release}: the points of a community, from the command line`,
    groups.map((group) => groupLines(group, width, paint)).join('\n'),
    'Begin with exchequer login. exchequer help WORD explains its commands;\n' +
      'exchequer COMMAND --help shows its options, with examples.',
  ].join('\n\n')
}

/** Help about words: a command, or the commands that begin so; else what was likely meant. */
export function helpAbout(asked: readonly string[], groups: readonly Group[], paint: Paint = plain): string {
  const commands = groups.flatMap((one) => one.commands)
  const exact = commands.find(({ words }) => words === asked.join(' '))
  const under = commands.filter(({ words }) => words.startsWith(`${asked.join(' ')} `))
  if (exact) {
    const more = under.length > 0 ? `\n\n${paint('dim', 'See also')}\n${commandRows(under)}` : ''
    return `${commandHelp(exact, paint)}${more}`
  }
  if (under.length > 0) return `exchequer ${asked.join(' ')} has these commands:\n\n${commandRows(under)}`
  throw wrongUsage(unknownCommand(asked, commands))
}

const commandRows = (some: readonly Command[]): string =>
  columns(some.map(({ words, what }) => [`exchequer ${words}`, what] as const)).join('\n')

export function unknownCommand(asked: readonly string[], commands: readonly Command[]): string {
  const [first = ''] = asked
  const under = commands.filter(({ words }) => words.startsWith(`${first} `)).map(({ words }) => words)
  const words = asked.slice(0, 2).join(' ')
  const firsts = [...new Set(commands.map((one) => one.words.split(' ')[0] ?? ''))]
  const near =
    nearest(words, under) ??
    nearest(
      words,
      commands.map((one) => one.words),
    ) ??
    nearest(first, firsts)
  const meant = near && near !== words ? ` Did you mean: exchequer ${near}` : ''
  return `There is no command ${under.length > 0 ? words : first}.${meant}\nSee: exchequer help`
}
