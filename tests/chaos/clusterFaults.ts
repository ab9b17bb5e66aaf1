import { setTimeout as sleep } from 'node:timers/promises'
import { checkDeadline } from '../support/timeLimit.ts'
import type { Fault, Scene } from './play.ts'
import { type Cluster, openCluster } from './stage.ts'

/** With a lease of 10 s. */
const failoverMs = 20_000
const soonMs = 5_000
/** Longer than the lease. */
const frozenMs = 15_000
/** Longer than a write may take. */
const deadlineMs = 6_000
const healthySeconds = '90'

/** A fault of the cluster, injected under load, until the cluster has recovered. */
function onCluster(
  names: Pick<Fault, 'name' | 'title'>,
  inject: (cluster: Cluster, scene: Scene) => Promise<void>,
): Fault {
  return {
    ...names,
    times: 5,
    pauseMs: [2_000, 5_000],
    async open(options) {
      const stage = await openCluster(options)
      return {
        stage,
        async inject(scene) {
          await inject(stage, scene)
          await stage.ha('wait', healthySeconds)
        },
      }
    },
  }
}

export const primaryKill = onCluster(
  { name: 'primary-kill', title: 'cluster: kill -9 of the primary' },
  async ({ ha }, { load, resumed }) => {
    const node = await ha('kill')
    resumed(await load.untilAcknowledged(), failoverMs)
    await ha('join', node)
  },
)

export const primaryFreeze = onCluster(
  { name: 'primary-freeze', title: 'cluster: the primary frozen past its lease' },
  async ({ ha }, { load, resumed }) => {
    const node = await ha('freeze')
    const [tookMs] = await Promise.all([load.untilAcknowledged(), sleep(frozenMs)])
    resumed(tookMs, failoverMs)
    await ha('thaw', node)
  },
)

export const switchover = onCluster(
  { name: 'switchover', title: 'cluster: switchover' },
  async ({ ha }, { load, resumed }) => {
    await ha('switchover')
    resumed(await load.untilAcknowledged(), soonMs)
  },
)

export const standbysKill = onCluster(
  { name: 'standbys-kill', title: 'cluster: both standbys killed' },
  async ({ ha }, { load, resumed, expect }) => {
    const nodes = (await ha('kill-standbys')).split('\n')
    await sleep(deadlineMs)
    const before = load.acknowledged
    await sleep(3_000)
    expect(load.acknowledged === before, 'acknowledged: writes went on without any standby')
    await Promise.all(nodes.map((node) => ha('join', node)))
    resumed(await load.untilAcknowledged(), failoverMs)
  },
)

const restarts = 20
const readyMs = 60_000

/** One server after the other, like an upgrade: no client may be cut off. */
export const rollingRestart: Fault = {
  name: 'rolling-restart',
  title: 'rolling restarts of two servers behind HAProxy',
  times: restarts,
  pauseMs: [500, 1_500],
  async open(options) {
    const stage = await openCluster(options)
    return {
      stage,
      async inject({ load, expect }, turn) {
        const before = load.broken
        const server = stage.servers[turn % stage.servers.length]
        await server?.stop()
        await server?.start()
        const deadlineMs = performance.now() + readyMs
        while (!(await server?.isReady())) {
          checkDeadline(deadlineMs, 'readiness after a restart')
          await sleep(50)
        }
        await load.untilAcknowledged()
        expect(load.broken === before, `cut off: ${load.broken - before} requests by a restart`)
      },
    }
  },
}
