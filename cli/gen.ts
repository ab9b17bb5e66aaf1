import { readFileSync, writeFileSync } from 'node:fs'
import { type Command, commonFlags, type Flags } from './src/command.ts'
import { groups } from './src/commands.ts'
import { exits } from './src/exits.ts'
import { flagText, flagWords, usageOf } from './src/help.ts'
import { shown } from './src/parse.ts'

/** Writes docs/cli.md from the commands themselves. `--check` only compares. */

const escaped = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
const anchorOf = ({ words }: Command): string => words.replaceAll(' ', '-')
const sentence = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}.`

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return lines.join('\n')
}

const flagRows = (flags: Flags) =>
  Object.entries(flags).map(([name, flag]) => [`\`${flagText(name, flag)}\``, escaped(flagWords(flag))])

function section(command: Command): string {
  const { words, what, more, args, flags, examples } = command
  const names = Object.entries(args).map(([name, { what: about, choices }]) => [
    `\`${shown(name)}\``,
    escaped(`${about}${choices ? `: ${choices.join(', ')}` : ''}`),
  ])
  const rows = [...names, ...flagRows(flags)]
  const lines = examples.map(({ line, what: about }) => `# ${about}\n${line}`)
  return [
    `### ${words}`,
    `    ${usageOf(command)}`,
    escaped(`${sentence(what)}${more ? ` ${more}` : ''}`),
    ...(rows.length > 0 ? [table(['', ''], rows)] : []),
    ...(lines.length > 0 ? [`\`\`\`console\n${lines.join('\n')}\n\`\`\``] : []),
  ].join('\n\n')
}

const overview = groups.flatMap(({ title, commands }) => [
  `| **${title}** | |`,
  ...commands.map((one) => `| [${one.words}](#${anchorOf(one)}) | ${escaped(one.what)} |`),
])

const made = `# The command line

Generated from the commands (\`cli/src/commands.ts\`) by \`npm run gen\`; do not edit.
[cli/README.md](../cli/README.md) is an introduction.

A command is a noun of the API and a verb: \`create\`, \`list\`, \`show\`, \`update\`, \`delete\`, or an
action such as \`award\`. Lists show 50 items unless \`--limit\` or \`--all\` is given. Commands that
change something take \`--idempotency-key\`: run again with the same key, they take effect once. An import
is identified by its name and a snapshot by its id instead.

| | |
|---|---|
${overview.join('\n')}

## Options of every command

${table(['', ''], flagRows(commonFlags))}

\`EXCHEQUER_URL\`, \`EXCHEQUER_REALM\`, \`EXCHEQUER_KEY\` and \`EXCHEQUER_TOKEN\` in the environment
override the login; options override both. \`EXCHEQUER_KEY_FILE\` and \`EXCHEQUER_TOKEN_FILE\`
name files to read them from, as usual in containers: \`docker compose exec server exchequer realms list\`.
A login's secrets are sent only to that login's own server.
\`NO_COLOR\` turns colours off; without a terminal there are none.

## Exit codes

${table(
  ['exit code', 'what'],
  Object.values(exits).map(({ code, what }) => [String(code), what]),
)}

${groups.map(({ title, commands }) => `## ${title}\n\n${commands.map(section).join('\n\n')}`).join('\n\n')}
`

const file = new URL('../docs/cli.md', import.meta.url)
if (!process.argv.includes('--check')) writeFileSync(file, made)
else if (readFileSync(file, 'utf8') !== made) {
  console.error('docs/cli.md is stale: run npm run gen')
  process.exitCode = 1
}
