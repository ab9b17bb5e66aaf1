import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Case, cases, normal, type Series } from './cases.ts'
import type { DetailedChecks } from './detailed.ts'
import { alerts, rulesText, withoutAnnotations } from './rules.ts'

const usualMinutes = 20
const severities = new Map(alerts.map(({ name, severity }) => [name, severity]))
const labelsOf = new Map(cases.map(({ alert, labels }) => [alert, labels]))

type Test = { readonly series: Series; readonly minutes: number; readonly fires: readonly string[] }

const testOf = ({ cause, minutes = usualMinutes, alert, also = [] }: Case): Test => ({
  series: { ...normal, ...cause },
  minutes,
  fires: [alert, ...also],
})

/** As promtool reads it: JSON is YAML. It names every alert, so that one without its cause fails. */
function fileOf(rules: string, { series, minutes, fires }: Test): string {
  const input = Object.entries(series).flatMap(([name, values]) =>
    values === null ? [] : [{ series: name, values }],
  )
  const alertTests = alerts.map(({ name }) => ({
    eval_time: `${minutes}m`,
    alertname: name,
    exp_alerts: fires.includes(name)
      ? [{ exp_labels: { severity: severities.get(name), ...labelsOf.get(name) } }]
      : [],
  }))
  return JSON.stringify({
    rule_files: [rules],
    evaluation_interval: '1m',
    tests: [{ interval: '1m', input_series: input, alert_rule_test: alertTests }],
  })
}

type Result = { readonly ok: boolean; readonly said: string }

function run(folder: string, test: Test, rules = rulesText): Promise<Result> {
  const own = mkdtempSync(join(folder, 'case-'))
  const ruleFile = join(own, 'rules.yml')
  const file = join(own, 'test.yml')
  writeFileSync(ruleFile, withoutAnnotations(rules))
  writeFileSync(file, fileOf(ruleFile, test))
  return new Promise((resolve) => {
    execFile('promtool', ['test', 'rules', file], (error, stdout, stderr) =>
      resolve({ ok: error === null, said: stdout + stderr }),
    )
  })
}

/** Each alert fires on its cause, and no other does; on a normal day all are silent. */
export async function checkCases(folder: string, checks: DetailedChecks): Promise<void> {
  const quiet = await run(folder, { series: normal, minutes: 130, fires: [] })
  checks.that(quiet.ok, 'on a normal day no alert fires', quiet.said)
  for (const { name } of alerts)
    checks.that(labelsOf.has(name), `${name} has a case in tests/alerts/cases.ts`, '')
  for (const one of cases) {
    const { ok, said } = await run(folder, testOf(one))
    checks.that(ok, `${one.alert} fires on its cause`, said)
  }
}

/** A rule that never fires, and one that always does, must be found. */
export async function checkPlanted(folder: string, checks: DetailedChecks): Promise<void> {
  const dead = rulesText.replace('exchequer_database_up == 0', 'exchequer_database_up == 2')
  const down = cases.find(({ alert }) => alert === 'ExchequerDatabaseDown')
  checks.that(
    dead !== rulesText && down !== undefined && !(await run(folder, testOf(down), dead)).ok,
    'a rule that never fires is found',
    '',
  )
  const loud = rulesText.replace('exchequer_postgres_slot_lost == 1', 'exchequer_postgres_slot_lost >= 0')
  const isFound =
    loud !== rulesText && !(await run(folder, { series: normal, minutes: 10, fires: [] }, loud)).ok
  checks.that(isFound, 'a rule that always fires is found', '')
}
