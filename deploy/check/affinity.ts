import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkManifest, isTaken, type Manifest, manifestsIn, template } from './chart.ts'
import { project, run } from './program.ts'

type Labels = Readonly<Record<string, string>>
type ServiceManifest = Manifest & {
  readonly spec: { readonly selector: Labels; readonly clusterIP?: string }
}
type ConfigManifest = Manifest & { readonly data: Readonly<Record<string, string>> }
type IngressManifest = { readonly metadata: { readonly annotations?: Labels } }

const byHaproxy = ['realmAffinity.enabled=true', 'settings.TRUSTED_PROXIES=10.0.0.0/8']
const byIngress = ['realmAffinity.enabled=true', 'realmAffinity.by=ingress-nginx', 'ingress.enabled=true']

/** The chart's HAProxy, its Ingress, and the files of deploy/haproxy. */
export async function checkAffinity(): Promise<void> {
  const manifests = await manifestsIn(template(byHaproxy))
  for (const manifest of manifests) await checkManifest(manifest)
  expectServices(manifests)
  const config = manifests.find(({ kind }) => kind === 'ConfigMap') as ConfigManifest
  await expectIngress()
  const refused = [
    ['realmAffinity.enabled=true'],
    byIngress.slice(0, 2),
    [...byHaproxy, 'realmAffinity.by=x'],
  ]
  for (const sets of refused) if (isTaken(...sets)) throw new Error(`the chart accepts ${sets.join()}`)
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-affinity-'))
  try {
    expectSameFiles(config)
    acceptChart(folder, config)
    acceptFiles(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Clients reach HAProxy, and HAProxy the addresses of the servers. */
function expectServices(manifests: readonly Manifest[]): void {
  const componentOf = (name: string): string => {
    const found = manifests.find(({ kind, metadata }) => kind === 'Service' && metadata.name === name)
    return (found as ServiceManifest | undefined)?.spec.selector['app.kubernetes.io/component'] ?? 'none'
  }
  const found = ['points', 'points-servers', 'points-metrics'].map(componentOf).join()
  if (found !== 'haproxy,server,server') throw new Error(`the Services lead to ${found}`)
}

async function expectIngress(): Promise<void> {
  const annotationOf = async (sets: readonly string[]) => {
    const found = (await manifestsIn(template(sets))).find(({ kind }) => kind === 'Ingress')
    const { annotations = {} } = (found as unknown as IngressManifest).metadata
    return annotations['nginx.ingress.kubernetes.io/upstream-hash-by'] ?? 'none'
  }
  const found = [await annotationOf(byIngress), await annotationOf(['ingress.enabled=true'])].join()
  if (found !== '$exchequer_realm,none') throw new Error(`upstream-hash-by is ${found}`)
}

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim())

/** Three configurations find the realm, one text each for two errors: none may drift from the others. */
function expectSameFiles(config: ConfigManifest): void {
  const rules = (text = '') =>
    linesOf(text).filter((line) => /^(http-request set-var|balance|hash-type|retr|option redis)/.test(line))
  const own = rules(readFileSync(`${project}deploy/haproxy/haproxy.cfg`, 'utf8'))
  if (own.length !== 10) throw new Error(`deploy/haproxy/haproxy.cfg has ${own.length} rules`)
  const others = {
    'the chart': config.data['haproxy.cfg'],
    'deploy/ha/haproxy.cfg': readFileSync(`${project}deploy/ha/haproxy.cfg`, 'utf8'),
  }
  for (const [name, text] of Object.entries(others)) {
    const missing = own.filter((line) => !rules(text).includes(line))
    if (missing.length > 0) throw new Error(`${name} lacks ${missing.join('\n')}`)
  }
  for (const name of ['unavailable.http', 'outcome-unknown.http'])
    if (config.data[name]?.trim() !== readFileSync(`${project}deploy/ha/${name}`, 'utf8').trim())
      throw new Error(`${name} of the chart differs from that of deploy/ha`)
}

function acceptChart(folder: string, { data }: ConfigManifest): void {
  for (const [name, text] of Object.entries(data))
    writeFileSync(join(folder, name), text.replaceAll('/etc/haproxy', folder))
  run('haproxy', ['-c', '-q', '-f', join(folder, 'haproxy.cfg')], {
    env: { ...process.env, BASE_PATH: '/points' },
  })
}

function acceptFiles(folder: string): void {
  const files = ['haproxy.cfg', 'cells.cfg'].map((name) => join(folder, name))
  for (const name of ['haproxy.cfg', 'cells.cfg']) {
    const text = readFileSync(`${project}deploy/haproxy/${name}`, 'utf8')
    writeFileSync(join(folder, name), text.replaceAll('/etc/haproxy/errors', `${project}deploy/ha`))
  }
  const map = join(folder, 'cells.map')
  writeFileSync(map, 'guild cell_1\n')
  const [one = '', two = ''] = files
  run('haproxy', ['-c', '-q', '-f', one])
  run('haproxy', ['-c', '-q', '-f', one, '-f', two], { env: { ...process.env, CELLS_MAP: map } })
}
