import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Drawn, drawChart } from '../../bench/chart.ts'
import type { Report } from '../../tests/chaos/play.ts'
import { tableOf } from '../../tests/chaos/report.ts'

const project = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string): string => readFileSync(project + file, 'utf8')

describe('the repository', () => {
  it('has no line of code longer than 110 characters', () => {
    const files = [
      'server/**/*.ts',
      'bench/*.ts',
      'bench/*.lua',
      'server/migrations/*.sql',
      '.ci/*.ts',
      '.ci/{run,import-law}',
      '.ci/{packages,release,test}/*.ts',
      'examples/**/*.{sh,ts,mjs}',
      'site/{,.vitepress/}**/*.{ts,css,js}',
      'deploy/*.sh',
      'deploy/ha/*',
      'deploy/haproxy/*.{cfg,service}',
      'deploy/{check,backup,systemd}/*.{ts,sh,service,timer}',
      'tests/**/*.ts',
      'cli/**/*.ts',
      'clients/**/*.{ts,py,cs}',
    ]
    const exclude = ['**/node_modules/**', '**/dist/**']
    const long = files
      .flatMap((pattern) => globSync(pattern, { cwd: project, exclude }))
      .flatMap((file) =>
        read(file)
          .split('\n')
          .map((line, index) => ({ at: `${file}:${index + 1}`, line })),
      )
      .filter(({ line }) => Array.from(line).length > 110)
    assert.deepEqual(
      long.map(({ at }) => at),
      [],
    )
  })

  it('has no file of code longer than 300 lines: the linter does not count lines of template strings', () => {
    const folders = ['{server,cli,clients,sdk,console,bench,tests,deploy,site}/**', '.ci', '.ci/*']
    const files = folders.map((folder) => `${folder}/*.{ts,tsx,py,cs}`)
    const exclude = ['**/node_modules/**', '**/dist/**', 'sdk/src/types.ts']
    const long = globSync(files, { cwd: project, exclude }).filter(
      (file) => read(file).split('\n').length - 1 > 300,
    )
    assert.deepEqual(long, [])
  })

  it('has only handlers that name the services they use, and helpers that take no others', () => {
    const files = globSync('server/src/http/{v4,operator,console,public,shared}/*.ts', { cwd: project })
    const whole = files.filter((file) => /\bservices\b/i.test(read(file)))
    assert.ok(files.length > 40, `only ${files.length} files were found`)
    assert.deepEqual(whole, [], 'Write (request, { ledger }) => …, and pass ledger: Ledger to a helper.')
  })

  it('shows in README.md exactly the commands that the quickstart runs', () => {
    const [, block] = /<!-- quickstart[^>]*-->\n\n```sh\n([\s\S]*?)```/.exec(read('README.md')) ?? []
    assert.ok(block)
    assert.ok(read('examples/quickstart.sh').endsWith(block), 'README.md and examples/quickstart.sh differ')
  })

  it('has a chart that is drawn from the figures next to it', () => {
    const figures = JSON.parse(read('docs/performance.json')) as Drawn
    assert.equal(read('docs/performance.svg'), drawChart(figures))
  })

  it('has a table of faults that is generated from the reports next to it', () => {
    const { reports } = JSON.parse(read('docs/reliability.json')) as { reports: Report[] }
    assert.ok(read('docs/reliability.md').includes(tableOf(reports)))
    assert.deepEqual(
      reports.flatMap(({ wrong }) => wrong),
      [],
    )
  })

  it('has each limit of docs/limits.md where that page says it is set', () => {
    const rows = [...read('docs/limits.md').matchAll(/^\| .+ \| `([^`]+)` in `([^`]+)` \|$/gm)]
    assert.ok(rows.length > 40, `only ${rows.length} rows were found`)
    const missing = rows.filter(([, name = '', file = '']) => !read(`server/src/${file}`).includes(name))
    assert.deepEqual(
      missing.map(([row]) => row),
      [],
    )
  })

  it('has every setting of docs/operate/settings.md, and documents every setting', () => {
    const code = read('server/src/config/index.ts') + read('server/src/config/secrets.ts')
    const named = new Set(code.match(/(?<=')[A-Z][A-Z_]{3,}(?=')/g))
    const listed = new Set(read('docs/operate/settings.md').match(/(?<=`)[A-Z_]{4,}(?=`)/g))
    assert.deepEqual([...listed].sort(), [...named].sort())
  })
})
