import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeHtml } from '../server/src/http/public/html.ts'
import { root } from './pages.ts'
import { World } from './world.ts'

/**
 * Creates docs/demo.svg: a terminal session with these commands and their real output.
 *   npm run build && node site/picture.ts
 */
const members = [
  ['1190194345295482952', 'ann', 1240],
  ['1190194345295482953', 'bob', 985],
  ['1190194345295482954', 'cleo', 985],
  ['1190194345295482955', 'dan', 610],
  ['1190194345295482956', 'eve', 75],
] as const

const award = 'exchequer points award 1190194345295482955 25 --reason "won the quiz" --idempotency-key quiz-7'
const typed: readonly (readonly [string, string])[] = [
  ['award points', award],
  ['retry after a lost response: still one change', award],
  ['who leads', 'exchequer leaderboard show --limit 4'],
  [
    'verify the whole history on your own machine',
    'exchequer export realm -o realm.ndjson && exchequer verify realm.ndjson',
  ],
]

const colours: Readonly<Record<string, string>> = {
  '31': '#ff8a80',
  '32': '#8fd6b4',
  '33': '#ffd479',
  '34': '#8fb0ff',
  '35': '#d8a8ff',
  '36': '#7fd4e8',
}
const [charWidth, lineHeight, margin, columns] = [8.43, 21, 24, 98]

/** Escape sequences of colours, and those that move the cursor. */
const escapeCode = '\u001b'
const colouring = new RegExp(`(${escapeCode}\\[[0-9;]*m)`)
const cursorMoves = new RegExp(`${escapeCode}\\[[0-9;?]*[A-LN-Za-ln-z]`, 'g')

/** A line with its colours as SVG. */
function lineOf(text: string, y: number): string {
  let style = ''
  const spans = text.split(colouring).map((part) => {
    const [, codes] = /^.\[([0-9;]*)m$/.exec(part) ?? []
    if (codes === undefined) return part && `<tspan${style}>${escapeHtml(part)}</tspan>`
    for (const code of codes.split(';')) {
      if (code === '' || code === '0' || code === '22' || code === '39') style = ''
      if (code === '1') style += ' font-weight="700"'
      if (code === '2') style = ' fill="#8b95a9"'
      if (colours[code]) style = ` fill="${colours[code]}"`
    }
    return ''
  })
  return `<text x="${margin}" y="${y}" xml:space="preserve">${spans.join('')}</text>`
}

function draw(lines: readonly string[]): string {
  const [width, height] = [Math.round(columns * charWidth + 2 * margin), lines.length * lineHeight + 72]
  const shown = lines.map((line, index) => (line ? lineOf(line, 66 + index * lineHeight) : ''))
  const dots = ['#ff6b61', '#ffbf3f', '#38c759'].map(
    (fill, index) => `<circle cx="${26 + index * 20}" cy="22" r="6" fill="${fill}"/>`,
  )
  const title = 'A terminal: an award, the same award retried, a leaderboard, and the journal verified'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img"
 font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
<title>${title}</title>
<rect width="${width}" height="${height}" rx="12" fill="#161a23"/>
${dots.join('')}
<g fill="#e3e7ef">
${shown.filter(Boolean).join('\n')}
</g>
</svg>
`
}

/** The output of a command in a terminal of this width. */
function printed(command: string, folder: string, env: Readonly<Record<string, string>>): string[] {
  const inside = `stty cols ${columns} rows 50; ${command}`
  const { stdout, status } = spawnSync('script', ['-qec', inside, '/dev/null'], {
    cwd: folder,
    env: { ...env, TERM: 'xterm-256color', SHELL: '/bin/bash' },
    encoding: 'utf8',
    timeout: 30_000,
  })
  if (status !== 0) throw new Error(`${command} exited with ${status}:\n${stdout}`)
  // A progress bar overwrites its own line: only its last state is visible.
  const lines = stdout.replaceAll('\r\n', '\n').trimEnd().split('\n')
  return lines.map((line) => (line.split('\r').at(-1) ?? '').replaceAll(cursorMoves, ''))
}

const world = await World.open()
try {
  const { folder, variables } = await world.stage('picture', false)
  const rows = members.map(([id, name, balance]) => `${id},${name},${balance}`)
  mkdirSync(join(folder, 'own'))
  writeFileSync(join(folder, 'own/members.csv'), `id,username,balance\n${rows.join('\n')}\n`)
  const at = join(folder, 'own')
  const key = await world.makeRealm('guild')
  const env = { ...variables, EXCHEQUER_URL: world.url, EXCHEQUER_REALM: 'guild', EXCHEQUER_KEY: key }
  printed('exchequer import members.csv', at, env)
  const lines = typed.flatMap(([why, command]) => [
    `\u001b[2m# ${why}\u001b[0m`,
    `\u001b[32m$\u001b[0m ${command}`,
    ...printed(command, at, env),
    '',
  ])
  writeFileSync(`${root}docs/demo.svg`, draw(lines.slice(0, -1)))
  console.log(lines.join('\n'))
} finally {
  await world.close()
}
