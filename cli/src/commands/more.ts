import { type Command, command } from '../command.ts'
import { bashScript, zshScript } from '../completion.ts'
import { helpAbout, overview } from '../help.ts'
import { release } from '../release.ts'

const scripts = { bash: bashScript, zsh: zshScript } as const

export const completion: Command = command({
  words: 'completion',
  what: 'print a script with which your shell completes commands and options',
  args: { shell: { what: 'which shell', choices: Object.keys(scripts) } },
  examples: [
    { line: 'source <(exchequer completion bash)', what: 'in ~/.bashrc' },
    { line: 'source <(exchequer completion zsh)', what: 'in ~/.zshrc, after compinit' },
  ],
  async run({ args: { shell } }, { out, groups }) {
    const commands = groups.flatMap((one) => one.commands)
    out.line(scripts[shell as keyof typeof scripts](commands).trimEnd())
  },
})

export const help: Command = command({
  words: 'help',
  what: 'show all commands, those of a noun, or one of them',
  args: { words: { what: 'a noun, or a command', optional: true, many: true } },
  examples: [
    { line: 'exchequer help members', what: 'the commands of a noun' },
    { line: 'exchequer help points award', what: 'options and examples of one command' },
  ],
  async run({ args: { words } }, { out, groups }) {
    out.line(words.length === 0 ? overview(groups, release, out.paint) : helpAbout(words, groups, out.paint))
  },
})
