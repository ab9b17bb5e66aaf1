import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { checkManifest, isTaken, type Manifest, manifestsIn, template } from './chart.ts'
import { project, tool } from './program.ts'

type Labels = Readonly<Record<string, string>>
type Selector = { readonly matchLabels: Labels }
type Pod = {
  readonly metadata: { readonly labels: Labels }
  readonly spec: {
    readonly priorityClassName?: string
    readonly topologySpreadConstraints?: readonly {
      readonly topologyKey: string
      readonly labelSelector: Selector
    }[]
  }
}
type Deployment = Manifest & {
  readonly spec: {
    readonly replicas?: number
    readonly strategy: { readonly rollingUpdate: object }
    readonly template: Pod
  }
}
type Budget = { readonly spec: { readonly selector: Selector; readonly maxUnavailable?: string } }
type Policy = { readonly spec: { readonly podSelector: Selector } }
type Job = Manifest & {
  readonly metadata: { readonly annotations?: Labels }
  readonly spec: { readonly activeDeadlineSeconds?: number }
}
type Scaler = { readonly spec: { readonly scaleTargetRef: object; readonly maxReplicas: number } }
type Rule = { readonly spec: object }
type Config = Manifest & { readonly metadata: { readonly labels: Labels }; readonly data: Labels }

const withHaproxy = ['realmAffinity.enabled=true', 'settings.TRUSTED_PROXIES=10.0.0.0/8']
const scaled = ['autoscaling.enabled=true', 'autoscaling.maxReplicas=12']
const monitored = ['metrics.prometheusRule.enabled=true', 'metrics.dashboards.enabled=true']

const refused = [
  'podDisruptionBudget.minAvailable=1',
  'podDisruptionBudget.maxUnavailable=many',
  'rollingUpdate.maxSurge=null',
  'autoscaling.targetCPU=much',
]

/** What keeps servers up through upgrades and maintenance, and what monitors them. */
export async function checkOptions(): Promise<void> {
  const manifests = await render(withHaproxy)
  const deployments = allOf<Deployment>(manifests, 'Deployment')
  expectEqual('Deployments', deployments.map(({ metadata }) => metadata.name).sort(), [
    'points',
    'points-haproxy',
  ])
  for (const deployment of deployments) expectUp(deployment, manifests)
  const first = await render([...withHaproxy, 'priorityClassName=high'])
  for (const { spec } of allOf<Deployment>(first, 'Deployment'))
    expectEqual('the priority class', spec.template.spec.priorityClassName, 'high')
  expectMigration(manifests)
  await expectScaling(manifests)
  await expectMonitoring(manifests)
  await expectAuthority()
  for (const set of refused) if (isTaken(set)) throw new Error(`the chart accepts ${set}`)
}

async function render(sets: readonly string[]): Promise<Manifest[]> {
  const manifests = await manifestsIn(template(sets))
  for (const manifest of manifests) await checkManifest(manifest)
  return manifests
}

const allOf = <T>(manifests: readonly Manifest[], wanted: string): T[] =>
  manifests.filter(({ kind }) => kind === wanted) as unknown as T[]

function expectEqual(name: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return
  throw new Error(`${name}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`)
}

/** Spread, replaced and stopped a part at a time, and reached by no pod but through a policy. */
function expectUp({ metadata: { name }, spec }: Deployment, manifests: readonly Manifest[]): void {
  const { labels } = spec.template.metadata
  const isOfPods = ({ matchLabels }: Selector) => isDeepStrictEqual(matchLabels, labels)
  const spread = (spec.template.spec.topologySpreadConstraints ?? [])
    .filter(({ labelSelector }) => isOfPods(labelSelector))
    .map(({ topologyKey }) => topologyKey)
  expectEqual(`${name} is spread over`, spread, ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'])
  const rollout = { maxSurge: '25%', maxUnavailable: 0 }
  expectEqual(`${name} is replaced by`, spec.strategy.rollingUpdate, rollout)
  const budgets = allOf<Budget>(manifests, 'PodDisruptionBudget').filter((one) => isOfPods(one.spec.selector))
  const allowed = budgets.map((budget) => budget.spec.maxUnavailable)
  expectEqual(`${name} may lose`, allowed, ['25%'])
  const policies = allOf<Policy>(manifests, 'NetworkPolicy').filter((one) => isOfPods(one.spec.podSelector))
  expectEqual(`network policies of ${name}`, policies.length, 1)
}

/** Before the new servers, for as long as it takes. */
function expectMigration(manifests: readonly Manifest[]): void {
  const [job, ...others] = allOf<Job>(manifests, 'Job')
  if (!job || others.length > 0) throw new Error('there is not one migration')
  const hook = job.metadata.annotations?.['helm.sh/hook']
  expectEqual('the migration runs at', hook, 'pre-install,pre-upgrade')
  expectEqual('the deadline of the migration', job.spec.activeDeadlineSeconds, undefined)
}

async function expectScaling(plain: readonly Manifest[]): Promise<void> {
  expectEqual('autoscalers by default', allOf(plain, 'HorizontalPodAutoscaler'), [])
  const replicasOf = (manifests: readonly Manifest[]) =>
    allOf<Deployment>(manifests, 'Deployment').find(({ metadata }) => metadata.name === 'points')?.spec
      .replicas
  expectEqual('replicas by default', replicasOf(plain), 2)
  const manifests = await render([...withHaproxy, ...scaled])
  const [scaler] = allOf<Scaler>(manifests, 'HorizontalPodAutoscaler')
  const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'points' }
  expectEqual('the autoscaler’s target', scaler?.spec.scaleTargetRef, target)
  expectEqual('the most servers', scaler?.spec.maxReplicas, 12)
  expectEqual('replicas with an autoscaler', replicasOf(manifests), undefined)
  const haproxy = allOf<Config>(manifests, 'ConfigMap').find(({ data }) => data['haproxy.cfg'])
  const [, places] = /server-template exchequer (\d+) /.exec(haproxy?.data['haproxy.cfg'] ?? '') ?? []
  expectEqual('servers that HAProxy has room for', places, '24')
  if (isTaken('autoscaling.enabled=true', 'autoscaling.maxReplicas=1'))
    throw new Error('the chart accepts fewer servers at most than at least')
}

type Yaml = { readonly parse: (text: string) => object }

/** As deploy/prometheus and deploy/grafana have them: npm run gen copies these files. */
async function expectMonitoring(plain: readonly Manifest[]): Promise<void> {
  expectEqual('rules by default', allOf(plain, 'PrometheusRule'), [])
  const read = (file: string) => readFileSync(`${project}${file}`, 'utf8')
  const manifests = await render(monitored)
  const { parse } = await tool<Yaml>('yaml')
  const [rule] = allOf<Rule>(manifests, 'PrometheusRule')
  const rules = parse(read('deploy/prometheus/exchequer.rules.yml'))
  if (!isDeepStrictEqual(rule?.spec, rules))
    throw new Error('the PrometheusRule differs from deploy/prometheus: run npm run gen')
  const files = globSync('deploy/grafana/*.json', { cwd: project })
  const dashboards = Object.fromEntries(files.map((file) => [basename(file), read(file)]))
  const [config] = allOf<Config>(manifests, 'ConfigMap')
  if (files.length === 0 || !isDeepStrictEqual(config?.data, dashboards))
    throw new Error('the ConfigMap of dashboards differs from deploy/grafana: run npm run gen')
  expectEqual('the label for Grafana', config?.metadata.labels['grafana_dashboard'], '1')
}

/** Every pod that connects to PostgreSQL has the file that its URL names. */
async function expectAuthority(): Promise<void> {
  const kinds = async (set: string) =>
    (await render([set]))
      .filter((one) => JSON.stringify(one).includes('{"key":"database_ca","path":"database_ca"}'))
      .map(({ kind }) => kind)
      .sort()
  expectEqual('pods with the authority', await kinds('databaseCA=database_ca'), [
    'CronJob',
    'Deployment',
    'Job',
  ])
  expectEqual('pods with no authority', await kinds('databaseCA='), [])
}
