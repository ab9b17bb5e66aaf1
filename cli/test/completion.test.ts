import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { folder, run } from './support/run.ts'

const here = folder()
before(async () => {
  for (const shell of ['bash', 'zsh']) {
    const { out } = await run(['completion', shell])
    writeFileSync(join(here.path, `completion.${shell}`), out)
  }
  writeFileSync(join(here.path, 'members.csv'), 'id\n1\n')
})

/** Expected completions of each line, and words that must not be offered. */
const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['exchequer ', ['login', 'members', 'points', 'completion', 'help'], ['award', '--json']],
  ['exchequer me', ['members'], ['move']],
  ['exchequer points ', ['award', 'deduct', 'transfer'], ['login']],
  ['exchequer point-types ', ['create', 'list', 'show', 'update'], ['delete']],
  ['exchequer points award --re', ['--reason', '--reference', '--realm'], ['--point-type']],
  ['exchequer leaderboard show --period ', ['all', 'week', 'month'], ['--json']],
  ['exchequer export ', ['members', 'balances', 'entries', 'realm'], ['login']],
  ['exchequer completion ', ['bash', 'zsh'], ['login']],
  ['exchequer import mem', ['members.csv'], ['members']],
]

/** Runs the real shell's completion on a line with the cursor at its end. */
function inBash(line: string): string[] {
  const script = `
    source completion.bash
    COMP_LINE=$1 COMP_POINT=\${#1}
    read -ra COMP_WORDS <<<"$1"
    [[ $1 == *' ' ]] && COMP_WORDS+=('')
    COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    _exchequer
    printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', script, 'bash', line], { cwd: here.path, encoding: 'utf8' }).split('\n')
}

/** A real zsh in a pseudo terminal, with its list of matches shown; it may be slow. */
function inZsh(line: string, expected: readonly string[]): string[] {
  const script = `
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell "cd ${here.path}; PS1=; autoload -Uz compinit; compinit -u -d ./dump"
    zpty -w shell "source ./completion.zsh; zstyle ':completion:*' list-colors ''; LISTMAX=10000"
    zpty -w shell "bindkey '^D' list-choices; echo rea''dy"
    zpty -r shell seen '*ready*'
    zpty -n -w shell "${line}"$'\\x04'
    all=''
    for try in {1..100}; do
      while zpty -rt shell seen; do all+=$seen; done
      missing=0
      for word in ${expected.join(' ')}; do [[ $all == *$word* ]] || missing=1; done
      (( missing )) || break
      # Input before the shell is ready is lost, so it is sent again.
      (( try % 10 )) || zpty -n -w shell $'\\x04'
      sleep 0.1
    done
    sleep 0.2
    while zpty -rt shell seen; do all+=$seen; done
    print -r -- "$all"
    zpty -d shell`
  const { stdout } = spawnSync('zsh', ['-f', '-c', script], { encoding: 'utf8', timeout: 20_000 })
  return stripVTControlCharacters(stdout).split(/\s+/)
}

// Not every machine has it; CI installs it.
const hasZsh = spawnSync('zsh', ['--version']).status === 0
const shells: Readonly<Record<string, typeof inZsh>> = { bash: inBash, ...(hasZsh ? { zsh: inZsh } : {}) }

for (const [shell, complete] of Object.entries(shells)) {
  describe(`completion in ${shell}`, () => {
    for (const [line, expected, absent] of cases) {
      it(`of "${line}"`, () => {
        const found = complete(line, expected)
        for (const word of expected) assert.ok(found.includes(word), `${word} is not in ${found.join(' ')}`)
        // A shell shows the line itself too.
        for (const word of absent)
          if (!line.includes(word)) assert.ok(!found.includes(word), `${word} is offered`)
      })
    }
  })
}
