import { connect, type Socket } from 'node:net'

/** Orders for an attacker. It runs in its own process, so that it does not disturb the measurement. */
export type Orders = {
  readonly port: number
  readonly mode: Mode
  readonly connections: number
  readonly realm: { readonly id: string; readonly key: string }
}

export const modes = {
  headers: 'headers, a byte a second',
  body: 'a body, a byte a second, with a key',
  stranger: 'a body, a byte a second, without a key',
  idle: 'nothing at all',
  deaf: 'requests for long answers that are never read',
  reset: 'connections that are reset as soon as they are open',
} as const
export type Mode = keyof typeof modes

export type AttackFigures = { readonly held: number; readonly opened: number; readonly answered: number }

/** Several addresses, so that the limit per address is not the only one tested. */
const addresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5']
const dripEveryMs = 1_000
/** A closed connection is opened again after up to this long. */
const returnMs = 1_000
const wallets = Array.from({ length: 1000 }, (_, index) => `0x${String(index).padStart(40, '0')}`)

const lines = (...all: readonly string[]) => `${all.join('\r\n')}\r\n\r\n`

/** What a connection sends at once, and then byte by byte. */
function script({ mode, realm }: Orders, place: number): { first: string; drip: string } {
  const patch = `PATCH /api/v4/realms/${realm.id}/members/1/tokenBalance HTTP/1.1`
  const key = `authorization: Bearer ${realm.key}`
  switch (mode) {
    case 'headers':
      return { first: 'GET /healthz HTTP/1.1\r\nhost: x\r\npadding: ', drip: 'x' }
    case 'body':
      return { first: lines(patch, 'host: x', key, 'content-length: 250000') + start(place), drip: ' ' }
    case 'stranger':
      return { first: lines(patch, 'host: x', 'content-length: 100000'), drip: ' ' }
    case 'deaf':
      return { first: place % 20 === 0 ? longAnswer(realm) : docs.repeat(8), drip: '' }
    case 'reset':
      return { first: lines('GET /healthz HTTP/1.1', 'host: x'), drip: '' }
    case 'idle':
      return { first: '', drip: '' }
  }
}

/** One of twenty sends most of a big body at once, and only its end byte by byte. */
const start = (place: number) => (place % 20 === 0 ? ' '.repeat(200_000) : '')

const docs = lines('GET /docs HTTP/1.1', 'host: x')

function longAnswer({ id, key }: Orders['realm']): string {
  const body = JSON.stringify({ wallets })
  const line = `POST /api/v4/realms/${id}/members/includes HTTP/1.1`
  const one = lines(line, 'host: x', `authorization: Bearer ${key}`, `content-length: ${body.length}`)
  return one + body
}

function attack(orders: Orders): void {
  const { port, mode, connections } = orders
  const sockets = new Set<Socket>()
  let opened = 0
  let answered = 0
  const open = (place: number) => {
    const { first, drip } = script(orders, place)
    const localAddress = addresses[place % addresses.length] ?? ''
    const socket = connect({ host: '127.0.0.1', port, localAddress, allowHalfOpen: true })
    let dripping: NodeJS.Timeout | undefined
    if (mode !== 'deaf') socket.on('data', () => void answered++)
    socket.on('connect', () => {
      opened += 1
      sockets.add(socket)
      socket.write(first)
      if (drip !== '') dripping = setInterval(() => socket.write(drip), dripEveryMs)
      if (mode === 'reset') setImmediate(() => socket.resetAndDestroy())
    })
    // A client that never reads or writes would not notice that the server closed the connection.
    socket.on('end', () => socket.write('x'))
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(dripping)
      sockets.delete(socket)
      setTimeout(() => open(place), Math.random() * returnMs)
    })
  }
  for (let place = 0; place < connections; place++) setTimeout(() => open(place), Math.random() * returnMs)
  setInterval(() => process.send?.({ held: sockets.size, opened, answered } satisfies AttackFigures), 500)
}

if (process.send) process.once('message', (orders) => attack(orders as Orders))
