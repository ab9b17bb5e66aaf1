import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { project, run } from './program.ts'

type Panel = { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }
type Dashboard = {
  readonly uid: string
  readonly templating: { readonly list: readonly { readonly name: string }[] }
  readonly panels: readonly Panel[]
}

/** Each query as a rule, with what Grafana puts in place of variables; no variable is left. */
export function checkDashboards(): void {
  const files = globSync('deploy/grafana/*.json', { cwd: project })
  const dashboards = files.map((file) => JSON.parse(readFileSync(`${project}${file}`, 'utf8')) as Dashboard)
  const uids = new Set(dashboards.map(({ uid }) => uid))
  if (dashboards.length === 0 || uids.size < dashboards.length) throw new Error('two dashboards have one uid')
  const rules = dashboards.flatMap(({ uid, templating, panels }) => {
    const names = ['__rate_interval', ...templating.list.map(({ name }) => name)]
    const filled = (expr: string) =>
      names.reduce((text, name) => text.replaceAll(`$${name}`, name === '__rate_interval' ? '5m' : '0'), expr)
    return panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => {
        const query = filled(expr)
        if (query.includes('$')) throw new Error(`${uid}, ${title}: an unknown variable in ${expr}`)
        return { record: `${uid.replaceAll('-', '_')}:panel`, expr: query, labels: { panel: title } }
      }),
    )
  })
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-dashboards-'))
  try {
    // JSON is YAML. A rule without its own labels would be taken for a second one of the same name.
    const numbered = rules.map((rule, place) => ({
      ...rule,
      labels: { ...rule.labels, place: String(place) },
    }))
    const file = join(folder, 'panels.yml')
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules: numbered }] }))
    run('promtool', ['check', 'rules', file])
  } finally {
    rmSync(folder, { recursive: true })
  }
}
