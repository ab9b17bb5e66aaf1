import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { median } from '../../bench/tools.ts'
import type { Single } from '../chaos/stage.ts'
import type { Checks } from '../security/checks.ts'
import { Client } from '../support/load.ts'
import { type HookRealm, hookRealm } from './deliveries.ts'

const endpointCount = 10
const clientCount = 32
const memberCount = 200
const warmUpMs = 3_000
/** Until deliveries have begun, or have ended. */
const settleMs = 1_000

export type WriteSizes = {
  readonly pairs: number
  readonly sliceMs: number
  /** Changes with the endpoints, relative to those without. */
  readonly leastRatio: number
}

async function startReceiver() {
  const file = fileURLToPath(new URL('acceptAll.ts', import.meta.url))
  // It ends with this process, by the channel between them.
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] })
  if (!child.stdout) throw new Error('the receiver has no output')
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  const close = async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return { url: `http://127.0.0.1:${String(port).trim()}`, close }
}

/** Changes a second, by clients that each wait for their answer. */
class Load {
  readonly #clients: readonly Client[]
  #count = 0

  constructor(url: string, realm: HookRealm) {
    this.#clients = Array.from({ length: clientCount }, () => new Client(url, realm))
  }

  async drive(ms: number): Promise<number> {
    const startedMs = performance.now()
    let done = 0
    const one = async (client: Client) => {
      while (performance.now() - startedMs < ms) {
        const member = String(1 + (this.#count++ % memberCount))
        const { status } = await client.write({ member, tokens: 1 })
        // A server that is overloaded refuses some; they do not count.
        if (status !== 200 && status !== 503) throw new Error(`a change was answered ${status}`)
        if (status === 200) done += 1
      }
    }
    await Promise.all(this.#clients.map(one))
    return done / ((performance.now() - startedMs) / 1_000)
  }

  close(): void {
    for (const client of this.#clients) client.close()
  }
}

type Scene = { readonly realm: HookRealm; readonly load: Load; readonly url: string }

/** The rates of changes with the endpoints and without, in pairs. */
async function measure({ realm, load, url }: Scene, { pairs, sliceMs }: WriteSizes) {
  const ids: string[] = []
  for (let n = 0; n < endpointCount; n++) {
    const { status, json, text } = await realm.send('POST /webhooks', { url: `${url}/${n}` })
    if (status !== 201) throw new Error(`a webhook could not be created: ${text}`)
    ids.push(json.id)
  }
  const rateWith = async (state: 'active' | 'disabled') => {
    for (const id of ids) await realm.send(`PATCH /webhooks/${id}`, { state })
    await sleep(settleMs)
    return load.drive(sliceMs)
  }
  await load.drive(warmUpMs)
  const measured: { with: number; without: number }[] = []
  for (let pair = 0; pair < pairs; pair++) {
    // They take turns at being first, as in bench/pairs.ts.
    const early = pair % 2 === 0 ? await rateWith('active') : undefined
    const without = await rateWith('disabled')
    measured.push({ with: early ?? (await rateWith('active')), without })
  }
  const { data } = (await realm.send('GET /webhooks')).json as { data: { seq: string }[] }
  for (const id of ids) await realm.send(`DELETE /webhooks/${id}`)
  return { measured, delivered: data.reduce((sum, { seq }) => sum + Number(seq), 0) }
}

/** How much slower changes are while ten endpoints of the realm get all of them, in one process. */
export async function checkWrites(stage: Single, sizes: WriteSizes, checks: Checks): Promise<void> {
  const realm = await hookRealm(stage)
  const receiver = await startReceiver()
  const load = new Load(stage.servers[0]?.url ?? '', realm)
  try {
    const { measured, delivered } = await measure({ realm, load, url: receiver.url }, sizes)
    const ratios = measured.map((pair) => pair.with / pair.without)
    const ratio = median(ratios)
    const rate = Math.round(median(measured.map(({ without }) => without)))
    console.log(
      `  ${rate} changes a second without; with them ${ratios.map((one) => one.toFixed(2)).join(' ')}`,
    )
    console.log(`  median ${ratio.toFixed(3)}, at least ${sizes.leastRatio}; ${delivered} events were sent`)
    checks.check(ratio >= sizes.leastRatio, `changes with ${endpointCount} endpoints: ${ratio.toFixed(3)}`)
    checks.check(delivered > 0, 'events were sent meanwhile')
  } finally {
    load.close()
    await receiver.close()
  }
}
