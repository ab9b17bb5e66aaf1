import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { query } from '../chaos/books.ts'
import { type Answer, call } from '../support/call.ts'
import { managerKey, type RealmAccess } from '../support/fixture.ts'
import { evmSigner } from '../support/signers.ts'
import { startMove } from './mover.ts'
import { accessOf, freshId, makeWritable, persistently } from './realms.ts'
import type { Scene } from './scene.ts'
import type { Cell } from './stage.ts'

const chain = 'eip155:1'

/** A write of one noun, and whether the realm has what it wrote. */
type Noun = {
  readonly name: string
  readonly write: () => Promise<Answer>
  readonly exists: () => Promise<boolean>
  /** Made in several transactions: a retry under its name goes on where a refusal has cut it. */
  readonly isResumed?: boolean
}

type Send = (line: string, body?: unknown) => Promise<Answer>

const isDone = ({ status }: Pick<Answer, 'status'>): boolean => status >= 200 && status < 300

const sendTo =
  (url: string, { id, key }: Pick<RealmAccess, 'id' | 'key'>): Send =>
  (line, body) => {
    const [method = '', path = ''] = line.split(' ')
    return call(method, `${url}/api/v4/realms/${id}${path}`, { key, body })
  }

/** A member with points and a proved wallet, without whom a snapshot would be empty. */
async function proveMember(send: Send): Promise<void> {
  const { address, sign } = evmSigner()
  const { message } = (await send('POST /members/3/wallets/challenges', { address, chain })).json
  const proof = await send('POST /members/3/wallets', { address, message, signature: sign(message) })
  const award = await send('PATCH /members/3/tokenBalance', { tokens: 1 })
  if (!isDone(proof) || !isDone(award)) throw new Error(`a proof: ${proof.text}, an award: ${award.text}`)
}

/** One of each, under names that no other round has used. */
async function nounsOf(send: Send, round: string, opens: (key: string) => Promise<boolean>): Promise<Noun[]> {
  const [plain, proved] = [evmSigner(), evmSigner()]
  const old = (await send('POST /keys', {})).json as { id: string; key: string }
  const asked = await send('POST /members/2/wallets/challenges', { address: proved.address, chain })
  const { message } = asked.json as { message: string }
  const signed = { address: proved.address, message, signature: proved.sign(message) }
  const has = async (line: string, text: string) => (await send(line)).text.includes(text)
  const id = `noun-${round}`
  let key = ''
  let webhook = ''
  return [
    {
      name: 'wallet',
      write: () => send('POST /members/1/wallets', { address: plain.address }),
      exists: () => has('GET /members/1/wallets', plain.address),
    },
    {
      name: 'key',
      async write() {
        const answer = await send('POST /keys', {})
        key = answer.json?.key ?? ''
        return answer
      },
      exists: () => opens(key),
    },
    {
      name: 'revocation',
      write: () => send(`DELETE /keys/${old.id}`),
      exists: async () => !(await opens(old.key)),
    },
    {
      name: 'proof',
      write: () => send('POST /members/2/wallets', signed),
      exists: () => has('GET /members/2/wallets', proved.address),
    },
    {
      name: 'snapshot',
      isResumed: true,
      write: () => send('POST /snapshots', { id, chain }),
      exists: async () => isDone(await send(`GET /snapshots/${id}`)),
    },
    {
      name: 'member',
      write: () => send(`PUT /members/90${round}`, { username: id }),
      exists: async () => isDone(await send(`GET /members/90${round}`)),
    },
    {
      name: 'webhook',
      async write() {
        const answer = await send('POST /webhooks', {
          url: `http://127.0.0.1:9/${id}`,
          types: ['endpoint.disabled'],
        })
        webhook = answer.json?.id ?? ''
        return answer
      },
      exists: async () => webhook !== '' && isDone(await send(`GET /webhooks/${webhook}`)),
    },
  ]
}

const tables = ['wallets', 'wallet_acts', 'keys', 'snapshots', 'members', 'endpoints'].map(
  (name) => `exchequer.${name}`,
)
const waitingText = `select count(*) as waiting from pg_stat_activity
  where wait_event_type = 'Lock' and usename = 'exchequer_server'`
/** Until writes have come to the lock, and less than the pause waits for those before it. */
const reachedMs = 1_500
const heldMs = 700

/** Keeps the writes of these nouns open until `release`. */
async function holdWrites({ postmaster }: Cell) {
  const client = new pg.Client({ connectionString: postmaster.superuserUrl, query_timeout: 10_000 })
  client.on('error', () => {})
  await client.connect()
  await client.query('begin')
  await client.query(`lock table ${tables.join(', ')} in share mode`)
  return {
    async countWaiting(): Promise<number> {
      const [row] = await query<{ waiting: string }>(postmaster.superuserUrl, waitingText)
      return Number(row?.waiting)
    },
    async release(): Promise<void> {
      await client.query('commit')
      await client.end()
    },
  }
}

type Written = { readonly noun: Noun; readonly answer: Answer; readonly atMs: number }

const writeAll = (nouns: readonly Noun[]): Promise<Written[]> =>
  Promise.all(nouns.map(async (noun) => ({ noun, answer: await noun.write(), atMs: performance.now() })))

const resumed = async ({ isResumed, write }: Noun): Promise<Pick<Answer, 'status'>> =>
  isResumed ? write() : { status: 0 }

/** The realm has moved between a write and the reading of its answer. */
const isUnknown = ({ json }: Answer): boolean => json?.code === 'outcome_unknown'

/** Acknowledged writes are on the target, refused ones are not. */
async function judge({ checks }: Scene, when: string, written: readonly Written[]): Promise<number> {
  let done = 0
  for (const { noun, answer } of written) {
    const exists = await noun.exists()
    if (isDone(answer)) done += 1
    const state = exists ? 'exists' : 'is missing'
    const words = `a ${noun.name} ${when} was answered ${answer.status} and ${state}`
    const isRight = isDone(answer) ? exists : !exists || isUnknown(answer) || isDone(await resumed(noun))
    checks.check(isRight, `${words}: ${answer.text.slice(0, 200)}`)
    checks.check(isDone(answer) || answer.status === 503, `${words}: ${answer.text.slice(0, 200)}`)
  }
  return done
}

/** Writes of every noun that are open when the realm is paused, or arrive while it is in no cell. */
export async function checkNouns(scene: Scene): Promise<void> {
  const { stage, gate, checks } = scene
  const realm = await makeWritable(stage, stage.one, freshId('nouns'))
  const key = await managerKey(accessOf(stage), realm.id)
  const send: Send = (line, body) => persistently(() => sendTo(stage.url, { id: realm.id, key })(line, body))
  const sendOnce = sendTo(stage.url, { id: realm.id, key })
  const opens = async (one: string) =>
    one !== '' && isDone(await sendTo(stage.url, { id: realm.id, key: one })('GET /members/1'))
  await proveMember(send)
  // What is read is asked again while the realm moves; what is written is sent once.
  const sending: Send = (line, body) => (line.startsWith('GET') ? send(line, body) : sendOnce(line, body))
  const [open, late] = [await nounsOf(sending, '1', opens), await nounsOf(sending, '2', opens)]
  await gate.stopAt('ready')
  const mover = startMove(stage, realm.id, 2)
  await gate.untilReached(() => mover.isOver)
  const hold = await holdWrites(stage.one)
  const writing = writeAll(open)
  await sleep(reachedMs)
  const waiting = await hold.countWaiting()
  await gate.release()
  await gate.stopAt('paused')
  await sleep(heldMs)
  const releasedMs = performance.now()
  await hold.release()
  const written = await writing
  await gate.untilReached(() => mover.isOver)
  const early = written.filter(({ atMs }) => atMs < releasedMs).map(({ noun }) => noun.name)
  checks.check(early.length === 0, `${early.join(', ')} had an answer before the pause; ${waiting} waited`)
  const refused = await writeAll(late)
  await gate.release()
  const { code, said } = await mover.ended
  checks.check(code === 0, `a move with open writes: ${said}`)
  const kept = await judge(scene, 'open across the pause', written)
  const added = await judge(scene, 'sent during the pause', refused)
  checks.check(kept > 0, 'no write that was open across the pause was kept')
  console.log(
    `  ${kept} of ${open.length} open writes kept, ${added} of ${late.length} sent during the pause`,
  )
}
