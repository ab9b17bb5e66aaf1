import { type Argument, type Command, commonFlags, type Flag } from './command.ts'
import { nouns } from './vocabulary.ts'

/** Completion scripts, generated from the commands: completing sends no requests. */

/** The next words of commands, with what they do. */
type Words = ReadonlyMap<string, ReadonlyMap<string, string>>

/** By the words so far, the words that may come next. */
function wordsOf(commands: readonly Command[]): Words {
  const all = new Map<string, Map<string, string>>()
  for (const { words, what } of commands) {
    const parts = words.split(' ')
    parts.forEach((part, index) => {
      const before = parts.slice(0, index).join(' ')
      const there = all.get(before) ?? new Map<string, string>()
      const whole = index === parts.length - 1
      if (whole || !there.has(part)) there.set(part, whole ? what : (nouns[part] ?? part))
      all.set(before, there)
    })
  }
  return all
}

const flagsOf = (command: Command): (readonly [string, Flag])[] =>
  Object.entries(command.raw ? {} : { ...command.flags, ...commonFlags })

/** The values that an option of a command can have, space-separated; or `file`. */
function valuesOf(commands: readonly Command[]): { readonly name: string; readonly values: string }[] {
  return commands.flatMap((command) =>
    flagsOf(command).flatMap(([flag, { value, choices, file }]) => {
      if (!value) return []
      const names = `${command.words}:--${flag}`
      return [{ name: names, values: choices ? choices.join(' ') : file ? 'file' : '' }]
    }),
  )
}

const firstArgument = ({ args }: Command): Argument | undefined => Object.values(args)[0]
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const beginnings = (words: string): string[] =>
  words.split(' ').map((_, index, parts) => parts.slice(0, index + 1).join(' '))

/** The command typed so far: the same lines for both shells. */
const known = (commands: readonly Command[]): string =>
  `|${[...new Set(commands.flatMap(({ words }) => beginnings(words)))].join('|')}|`

export function bashScript(commands: readonly Command[]): string {
  const words = wordsOf(commands)
  const next = [...words].map(
    ([before, after]) => `    ${quoted(before)}) words=${quoted([...after.keys()].join(' '))} ;;`,
  )
  const flags = commands.map((one) => {
    const names = flagsOf(one).map(([name]) => `--${name}`)
    return `    ${quoted(one.words)}) flags=${quoted(names.join(' '))} ;;`
  })
  const values = valuesOf(commands).map(({ name, values: some }) => {
    const does =
      some === 'file'
        ? 'COMPREPLY=($(compgen -f -- "$cur"))'
        : `COMPREPLY=($(compgen -W ${quoted(some)} -- "$cur"))`
    return `    ${quoted(name)}) ${does}; return ;;`
  })
  const first = commands.flatMap((one) => {
    const argument = firstArgument(one)
    if (argument?.choices)
      return [`    ${quoted(one.words)}) words="$words ${argument.choices.join(' ')}" ;;`]
    return argument?.file ? [`    ${quoted(one.words)}) COMPREPLY=($(compgen -f -- "$cur")) ;;`] : []
  })
  return `# exchequer: completion for bash. Use: source <(exchequer completion bash)
_exchequer() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path='' words='' flags='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case ${quoted(known(commands))} in *"|\${path:+$path }$word|"*) path="\${path:+$path }$word" ;; esac
  done
  COMPREPLY=()
  case "$path:$prev" in
${values.join('\n')}
  esac
  case "$path" in
${next.join('\n')}
  esac
  case "$path" in
${flags.join('\n')}
  esac
  case "$path" in
${first.join('\n')}
  esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$cur")) ;;
    *) COMPREPLY+=($(compgen -W "$words" -- "$cur")) ;;
  esac
}
complete -F _exchequer exchequer
`
}

const described = (name: string, what: string): string => quoted(`${name.replaceAll(':', '\\:')}:${what}`)

export function zshScript(commands: readonly Command[]): string {
  const next = [...wordsOf(commands)].map(([before, after]) => {
    const list = [...after].map(([word, what]) => described(word, what))
    return `    ${quoted(before)}) words_=(${list.join(' ')}) ;;`
  })
  const flags = commands.map(
    (one) =>
      `    ${quoted(one.words)}) flags_=(${flagsOf(one)
        .map(([name, { what }]) => described(`--${name}`, what))
        .join(' ')}) ;;`,
  )
  const values = valuesOf(commands).map(({ name, values: some }) => {
    const does = some === 'file' ? '_files' : some === '' ? ':' : `compadd -- ${some}`
    return `    ${quoted(name)}) ${does}; return ;;`
  })
  const first = commands.flatMap((one) => {
    const argument = firstArgument(one)
    if (argument?.choices) return [`    ${quoted(one.words)}) compadd -- ${argument.choices.join(' ')} ;;`]
    return argument?.file ? [`    ${quoted(one.words)}) _files ;;`] : []
  })
  return `#compdef exchequer
# exchequer: completion for zsh. Use: source <(exchequer completion zsh), after compinit.
_exchequer() {
  local path_='' word
  local -a words_ flags_
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case ${quoted(known(commands))} in *"|\${path_:+$path_ }$word|"*) path_="\${path_:+$path_ }$word" ;; esac
  done
  case "$path_:\${words[CURRENT-1]}" in
${values.join('\n')}
  esac
  case "$path_" in
${next.join('\n')}
  esac
  case "$path_" in
${flags.join('\n')}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    _describe -o option flags_
    return
  fi
  case "$path_" in
${first.join('\n')}
  esac
  (( \${#words_} )) && _describe command words_
}
compdef _exchequer exchequer
`
}
