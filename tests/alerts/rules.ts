import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))
export const rulesFile = `${root}deploy/prometheus/exchequer.rules.yml`
export const rulesText = readFileSync(rulesFile, 'utf8')

export type Alert = { readonly name: string; readonly severity: string; readonly runbook: string }

const need = (text: string, pattern: RegExp, name: string): string => {
  const [, found] = pattern.exec(text) ?? []
  if (found === undefined) throw new Error(`${name} has no ${pattern.source}`)
  return found
}

/** The alerts of the rules file, in its order. */
export const alerts: readonly Alert[] = rulesText
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((text) => {
    const name = need(text, /^(\w+)/, 'an alert')
    return {
      name,
      severity: need(text, /severity: (page|ticket) /, name),
      runbook: need(text, /runbook_url: (\S+)/, name),
    }
  })

/** promtool compares all annotations: without them a case is about its series alone. */
export const withoutAnnotations = (text: string): string =>
  text.replaceAll(/^ {8}annotations:\n(?: {10}.*\n)+/gm, '')

/** For a Prometheus that is watched for seconds. The expressions and their windows stay as they are. */
export const atOnce = (text: string): string => text.replaceAll(/^( +for:) \w+$/gm, '$1 1s')

/** The names of metrics in every expression. Labels and functions are not metrics. */
export function metricsIn(text: string): string[] {
  const expressions = [...text.matchAll(/^ {8}expr: (>-\n(?: {10}.*\n)+|.*\n)/gm)].map(([, one = '']) =>
    one.replaceAll(/\{[^}]*\}/g, '').replaceAll(/\bexchequer:\S+/g, ''),
  )
  const names = expressions.flatMap((one) => one.match(/\b[a-z]+(?:_[a-z0-9]+)+\b|\bup\b/g) ?? [])
  return [...new Set(names.filter((name) => !functions.has(name)))].sort()
}

const functions: ReadonlySet<string> = new Set([
  'histogram_quantile',
  'min_over_time',
  'sum_over_time',
  'predict_linear',
])
