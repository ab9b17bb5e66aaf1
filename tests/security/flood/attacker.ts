import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { keyForm } from '../../../server/src/keys/text.ts'

/** Orders for an attacker. It runs in its own process, so that it does not affect the measurement. */
export type Orders = {
  readonly port: number
  readonly mode: Mode
  readonly realm: { readonly id: string; readonly key: string }
}

export const modes = {
  readers: '300 clients of one key that read pages of the journal slowly, and 150 exports that are not read',
  lists: '10 requests a second with a list of 85,000 empty objects, by one key',
  malformed: '100 connections that send malformed keys',
  unknown: '100 connections that send well-formed keys that do not exist',
} as const
export type Mode = keyof typeof modes

/** How many requests were sent, and the answers by status, as far as they were read. */
export type Report = { readonly sent: number; readonly statuses: Readonly<Record<string, number>> }

const readers = 300
const exports = 150
const guessers = 100
const pipelined = 8
const listsPerSecond = 10
/** Waits as `Retry-After` says. */
const againMs = 1_000

let sent = 0
const statuses: Record<string, number> = {}
function count(status: string): void {
  statuses[status] = (statuses[status] ?? 0) + 1
}

const get = (path: string, key: string) =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`

/** Reads 70 kB, pauses 15 s, repeats: just fast enough not to be closed. Retries rejected requests. */
function readSlowly({ port }: Orders, asked: string): void {
  const socket = connect(port, '127.0.0.1')
  let taken = 0
  const ask = () => {
    sent += 1
    taken = 0
    socket.write(asked)
  }
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    const status = taken === 0 ? (chunk.toString('latin1').split(' ')[1] ?? '') : ''
    if (status !== '') count(status)
    taken += chunk.length
    if (status === '429' || status === '503') setTimeout(ask, againMs)
    if (taken % 70_000 > chunk.length) return
    socket.pause()
    setTimeout(() => socket.resume(), 15_000)
  })
  ask()
}

function leaveUnread({ port }: Orders, asked: string): void {
  const socket = connect(port, '127.0.0.1')
  sent += 1
  socket.on('error', () => {})
  socket.pause()
  socket.write(asked)
}

function guess(orders: Orders, keyOf: () => string): void {
  const socket = connect(orders.port, '127.0.0.1')
  const asked = () => get(`/api/v4/realms/${orders.realm.id}/members/1`, keyOf())
  socket.on('connect', () => {
    sent += pipelined
    socket.write(Array.from({ length: pipelined }, asked).join(''))
  })
  socket.on('data', (chunk) => {
    for (const [, status = ''] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d+)/g)) count(status)
  })
  socket.on('error', () => {})
  socket.on('close', () => guess(orders, keyOf))
  setTimeout(() => socket.destroy(), 1_500)
}

const list = `{"changes":[${Array<string>(85_000).fill('{}').join(',')}]}`

function sendList({ port, realm }: Orders, agent: Agent): void {
  const headers = { authorization: `Bearer ${realm.key}`, 'content-length': list.length }
  const path = `/api/v4/realms/${realm.id}/changes`
  const sending = request({ host: '127.0.0.1', port, method: 'POST', path, agent, headers }, (answer) => {
    count(String(answer.statusCode))
    answer.resume()
  })
  sent += 1
  sending.on('error', () => count('error'))
  sending.end(list)
}

function attack(orders: Orders): void {
  const { mode, realm } = orders
  const base = `/api/v4/realms/${realm.id}`
  if (mode === 'readers') {
    for (let place = 0; place < readers; place++)
      setTimeout(() => readSlowly(orders, get(`${base}/journal?limit=1000`, realm.key)), place * 20)
    for (let place = 0; place < exports; place++)
      setTimeout(() => leaveUnread(orders, get(`${base}/export/entries.csv`, realm.key)), place * 20)
  } else if (mode === 'lists') {
    const agent = new Agent({ keepAlive: true, maxSockets: 8 })
    setInterval(() => sendList(orders, agent), 1_000 / listsPerSecond)
  } else {
    const keyOf = mode === 'unknown' ? () => keyForm.make() : () => 'malformed'
    for (let place = 0; place < guessers; place++) guess(orders, keyOf)
  }
  setInterval(() => process.send?.({ sent, statuses } satisfies Report), 250)
}

if (process.send) process.once('message', (orders) => attack(orders as Orders))
