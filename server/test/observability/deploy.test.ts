import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { everyMetric, metricsTable } from '../../src/observability/table.ts'

const project = fileURLToPath(new URL('../../../', import.meta.url))
const read = (file: string): string => readFileSync(project + file, 'utf8')
const metrics = new Map(everyMetric().map((one) => [one.name, one]))

/** The metrics in a text, without the suffixes of a histogram. */
function namedIn(text: string): string[] {
  const names = text.match(/\b(exchequer|process|nodejs)_[a-z_]+\b/g) ?? []
  return [
    ...new Set(names.map((name) => (metrics.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '')))),
  ]
}

/** Written by deploy/backup/backup.sh. */
const ofBackups = 'exchequer_backup_last_success_timestamp_seconds'

/** The expressions only: other words in these files start like a metric too. */
const expressionsIn = (text: string): string =>
  [...text.matchAll(/^\s*expr: (>-\n(?:\s{10}.*\n)+|.*)$/gm), ...text.matchAll(/"expr": (".*")/g)]
    .map(([, expression]) => expression)
    .join('\n')

describe('the metrics', () => {
  it('are in docs/operate/watch.md, as the server exports them', () => {
    const documented = read('docs/operate/watch.md')
    for (const row of metricsTable().split('\n')) assert.ok(documented.includes(row), row)
    // Elsewhere some metrics of the process do not exist.
    if (process.platform === 'linux') assert.ok(documented.includes(metricsTable()), metricsTable())
  })

  it('exist for every alert and every panel', () => {
    const files = globSync(['deploy/prometheus/*.rules.yml', 'deploy/grafana/*.json'], { cwd: project })
    assert.equal(files.length, 3)
    for (const file of files) {
      const named = namedIn(expressionsIn(read(file)))
      assert.ok(named.length > 8, `${file}: ${named.length}`)
      const unknown = named.filter((name) => !metrics.has(name) && name !== ofBackups)
      assert.deepEqual(unknown, [], file)
    }
  })

  it('have the labels that alerts and panels group by', () => {
    const known = new Set([...metrics.values()].flatMap(({ labels }) => labels))
    const files = globSync(['deploy/prometheus/*.rules.yml', 'deploy/grafana/*.json'], { cwd: project })
    const text = files.map(read).join('')
    const by = [...text.matchAll(/ (?:by|group_left) \(([a-z, ]+)\)/g)].flatMap(([, labels = '']) =>
      labels.split(', '),
    )
    for (const label of by)
      assert.ok(known.has(label) || ['le', 'instance', 'standby'].includes(label), label)
  })

  it('lead, for every alert, to a section of its name, and no section is without an alert', () => {
    const rules = read('deploy/prometheus/exchequer.rules.yml')
    const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name)
    const urls = [...rules.matchAll(/runbook_url: (\S+)$/gm)].map(([, url = '']) => url)
    const sections = globSync('docs/operate/alerts/*.md', { cwd: project }).flatMap((file) =>
      [...read(file).matchAll(/^## (Exchequer\w+)$/gm)].map(
        ([, name = '']) => `${file}#${name.toLowerCase()}`,
      ),
    )
    assert.ok(alerts.length > 40)
    assert.deepEqual(
      urls.map((url) => url.split('#')[1]),
      alerts.map((name) => name.toLowerCase()),
    )
    assert.deepEqual(sections.sort(), urls.sort())
  })
})
