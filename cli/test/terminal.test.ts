import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { rich } from '../../tests/support/fixture.ts'
import { suite } from '../../tests/support/suite.ts'
import { tableLines, widthOf } from '../src/table.ts'
import { commandLine, realmWithKey } from './support/realm.ts'
import { folder, main } from './support/run.ts'

let cli: ReturnType<typeof commandLine>
suite({}, async ({ app }) => {
  const realm = await realmWithKey(app.url, { point: { id: 'gold' }, unknownMembers: 'create' })
  cli = commandLine(app.url, realm)
})
const here = folder()

/** Runs it in a pseudo terminal and answers its prompts; returns everything it printed. */
async function onTerminal(line: string, answers: readonly (readonly [RegExp, string])[] = [], more = {}) {
  const command = `stty cols 100; "${process.execPath}" "${main}" ${line}`
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { ...cli.env, PATH: process.env['PATH'] ?? '', HOME: here.path, TERM: 'xterm', TZ: 'UTC', ...more },
  })
  let text = ''
  const left = [...answers]
  child.stdout.on('data', (chunk: Buffer) => {
    text += String(chunk)
    if (left[0]?.[0].test(text)) child.stdin.write(left.shift()?.[1] ?? '')
  })
  const [code] = (await once(child, 'close')) as [number]
  return { code, text }
}

describe('on a terminal', () => {
  it('output has colours, and none with NO_COLOR', async () => {
    await cli.run(`points award ${rich} 5`)
    assert.ok((await onTerminal(`entries list ${rich}`)).text.includes('\u001b[36m'))
    assert.ok(!(await onTerminal(`entries list ${rich}`, [], { NO_COLOR: '1' })).text.includes('\u001b['))
    assert.ok(!(await cli.run(`entries list ${rich}`)).out.includes('\u001b['))
  })

  it('a prompt is shown, and only yes continues', async () => {
    await cli.run(`points award ${rich} 5 --reference once`)
    const no = await onTerminal('reversals create --filter-reference once', [[/Continue\? \[y\/N\] /, 'n\r']])
    assert.equal(no.code, 5)
    assert.match(no.text, /Nothing was done\./)
    const yes = await onTerminal('reversals create --filter-reference once', [
      [/Continue\? \[y\/N\] /, 'y\r'],
    ])
    assert.equal(yes.code, 0)
    assert.match(yes.text, /1 entry reversed, 5 points in all\./)
  })

  it('a key that is typed is not shown', async () => {
    const { EXCHEQUER_KEY, EXCHEQUER_REALM, EXCHEQUER_URL } = cli.env
    const typed = [[/Key \(not shown\): /, `${EXCHEQUER_KEY}\r`]] as const
    const { code, text } = await onTerminal(
      `login --url ${EXCHEQUER_URL} --realm ${EXCHEQUER_REALM}`,
      typed,
      {
        EXCHEQUER_KEY: '',
      },
    )
    assert.equal(code, 0, text)
    assert.match(text, /Logged in to /)
    assert.ok(!text.includes(EXCHEQUER_KEY))
  })

  it('long work shows a progress bar on stderr, which disappears at the end', async () => {
    const rows = Array.from({ length: 9_000 }, (_, index) => `${index + 1},${(index % 9) + 1}`)
    const file = here.file('many.csv', `id,balance\n${rows.join('\n')}\n`)
    const { code, text } = await onTerminal(`import ${file}`)
    assert.equal(code, 0, text)
    const drawn = text.split('\r\u001b[K')
    const bars = drawn.filter((one) => one.startsWith('checking  \u001b[36m█'))
    assert.ok(bars.length > 0, text)
    for (const bar of bars)
      assert.match(
        stripVTControlCharacters(bar),
        /^checking {2}[█▏▎▍▌▋▊▉░]{24} +\d+ % {2}[\d,]+ rows {2}[\d,]+\/s/,
      )
    assert.match(drawn.at(-1) ?? '', /^imported {2}9,000 members created/)
  })
})

describe('a table', () => {
  const columns = [{ title: 'ID' }, { title: 'NAME', cut: true }, { title: 'POINTS', right: true }] as const

  it('keeps full ids and shortens names in a narrow terminal', () => {
    const lines = tableLines(columns, [[rich, 'a very long name that goes on and on', 12_345]], {
      places: 45,
    })
    assert.deepEqual(lines, [
      'ID                   NAME              POINTS',
      `${rich}  a very long nam…  12,345`,
    ])
  })

  it('counts wide letters and emoji as two columns', () => {
    assert.deepEqual(['李小龍', '🦊', 'Zoë', '👩‍👩‍👧', 'e\u0301'].map(widthOf), [6, 2, 3, 2, 1])
  })

  it('strips control characters from names, also those that change the text direction', () => {
    const [, line = ''] = tableLines(columns, [['1', '\u001b[31mred\u202e\n', 1]])
    assert.equal(line, '1   ·[31mred··       1')
  })
})
