import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import type { DetailedChecks } from './detailed.ts'
import { alerts, root } from './rules.ts'

const pages = globSync('docs/operate/alerts/*.md', { cwd: root }).sort()
const text = new Map(pages.map((page) => [page, readFileSync(root + page, 'utf8')]))

type Runbook = { readonly name: string; readonly page: string; readonly body: string }

/** The sections that are named like alerts. */
const runbooks: readonly Runbook[] = pages.flatMap((page) =>
  (text.get(page) ?? '').split(/^## /m).flatMap((body) => {
    const [, name] = /^(Exchequer\w+)\n/.exec(body) ?? []
    return name === undefined ? [] : [{ name, page, body }]
  }),
)

/** Every alert has a runbook where its annotation says, and every runbook an alert. */
export function checkRunbooks(checks: DetailedChecks): void {
  const byName = new Map(runbooks.map((one) => [one.name, one]))
  for (const { name, runbook } of alerts) {
    const found = byName.get(name)
    const at = `${found?.page}#${name.toLowerCase()}`
    checks.that(runbook === at, `${name} leads to its runbook`, `${runbook} instead of ${at}`)
    const isWhole = /\*\*Do:\*\* .{20}/.test(found?.body ?? '') && found?.body.includes('**Over when** ')
    const hasCommand = found?.body.includes('```sh\n') === true
    checks.that(isWhole === true && hasCommand, `${name}: a command, what to do, and when it is over`, '')
  }
  const names = new Set(alerts.map(({ name }) => name))
  const lost = runbooks.filter(({ name }) => !names.has(name)).map(({ name }) => name)
  checks.that(lost.length === 0, 'every runbook has an alert', lost.join(', '))
}

/** Metrics that runbooks name must exist; in a pattern their beginning. */
export function checkNames(known: ReadonlySet<string>, checks: DetailedChecks): void {
  const unknown = runbooks.flatMap(({ name, body }) =>
    (body.match(/\bexchequer_[a-z_0-9]*[a-z0-9]/g) ?? [])
      .filter((one) => ![...known].some((metric) => metric.startsWith(one)))
      .map((one) => `${name}: ${one}`),
  )
  checks.that(unknown.length === 0, 'every metric of a runbook exists', unknown.join(', '))
}

type Command = { readonly page: string; readonly code: string }

/** The shell blocks without a reason not to run them, each once. */
function commandsToRun(): Command[] {
  const pattern = /(<!-- not run: .+ -->\n+)?^```sh\n([\s\S]*?)^```$/gm
  const found = pages.flatMap((page) =>
    [...(text.get(page) ?? '').matchAll(pattern)].flatMap(([, isExcused, code = '']) =>
      isExcused === undefined ? [{ page, code }] : [],
    ),
  )
  return [...new Map(found.map((one) => [one.code, one])).values()]
}

async function execute(code: string, env: Readonly<Record<string, string>>) {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', code], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  })
  let [out, all] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => {
    out += String(chunk)
    all += String(chunk)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    all += String(chunk)
  })
  const [status] = (await once(child, 'close')) as [number | null]
  return { ok: status === 0 && out.trim() !== '', all }
}

/** Runs every command against a server, its PostgreSQL and its Prometheus; each must print something. */
export async function checkCommands(
  env: Readonly<Record<string, string>>,
  checks: DetailedChecks,
): Promise<void> {
  const waiting = commandsToRun()
  checks.that(waiting.length > 30, 'the runbooks have commands', `${waiting.length}`)
  const work = async (): Promise<void> => {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      const { ok, all } = await execute(one.code, env)
      checks.that(ok, `${one.page}: ${one.code.split('\n')[0]?.slice(0, 60)}`, one.code + all)
    }
  }
  await Promise.all([work(), work()])
}
