import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../server/src/dev/postgres.ts'

type Options = { readonly folder: string; readonly rules: string; readonly target: string }
type Firing = { readonly labels: Readonly<Record<string, string>>; readonly state: string }

/** A real Prometheus that scrapes one server each second. */
export class Prometheus {
  readonly url: string
  readonly #child: ChildProcess

  private constructor(url: string, child: ChildProcess) {
    this.url = url
    this.#child = child
  }

  static async open({ folder, rules, target }: Options): Promise<Prometheus> {
    writeFileSync(join(folder, 'live.rules.yml'), rules)
    const config = {
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
      rule_files: ['live.rules.yml'],
      scrape_configs: [{ job_name: 'exchequer', static_configs: [{ targets: [target] }] }],
    }
    const file = join(folder, 'prometheus.yml')
    writeFileSync(file, JSON.stringify(config))
    const address = `127.0.0.1:${await freePort()}`
    const child = spawn(
      'prometheus',
      [
        `--config.file=${file}`,
        `--storage.tsdb.path=${join(folder, 'tsdb')}`,
        `--web.listen-address=${address}`,
        '--log.level=error',
      ],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    )
    const prometheus = new Prometheus(`http://${address}`, child)
    for (let time = 0; time < 300; time++) {
      if (child.exitCode !== null) break
      const answer = await fetch(`${prometheus.url}/-/ready`).catch(() => undefined)
      if (answer?.ok) return prometheus
      await sleep(100)
    }
    child.kill('SIGKILL')
    throw new Error('Prometheus did not start')
  }

  /** The alerts that fire now. */
  async firing(): Promise<readonly string[]> {
    const answer = await fetch(`${this.url}/api/v1/alerts`)
    const { data } = (await answer.json()) as { data: { alerts: readonly Firing[] } }
    return data.alerts.flatMap(({ state, labels }) => (state === 'firing' ? [labels['alertname'] ?? ''] : []))
  }

  /** Whether an alert fires, or does not, within so many seconds. */
  async becomes(alert: string, wanted: boolean, seconds: number): Promise<boolean> {
    for (const deadlineMs = Date.now() + seconds * 1000; ; await sleep(200)) {
      if ((await this.firing()).includes(alert) === wanted) return true
      if (Date.now() > deadlineMs) return false
    }
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null) return
    const exited = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await exited
  }
}
