import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

/** The client's IP address. */
export type AddressOf = (request: IncomingMessage) => string

const unknown = '0.0.0.0'
/** The most hops that are read: a client can send a list of any length. */
const hopsCap = 32

/**
 * The socket's address. Behind trusted proxies (IPs or CIDRs), the last address in X-Forwarded-For, or else
 * in Forwarded, that is not a trusted proxy. Any client can forge the addresses before it.
 */
export function makeAddressOf(trusted: readonly string[]): AddressOf {
  const isProxy = makeIsProxy(trusted)
  return (request) => {
    let address = plainAddress(request.socket.remoteAddress ?? '') ?? unknown
    if (trusted.length === 0 || !isProxy(address)) return address
    for (const said of hopsIn(request).reverse().slice(0, hopsCap)) {
      const before = plainAddress(said)
      // A proxy that does not name its client counts as the client.
      if (before === undefined) return address
      address = before
      if (!isProxy(address)) return address
    }
    return address
  }
}

/** Whether an address is a trusted proxy. */
export function makeIsProxy(trusted: readonly string[]): (address: string) => boolean {
  const proxies = blockListOf(trusted)
  return (address) => proxies.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

function blockListOf(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return list
}

/** The addresses that proxies added, nearest last. */
function hopsIn({ headers }: IncomingMessage): string[] {
  const listed = headers['x-forwarded-for']
  if (listed !== undefined) return String(listed).split(',')
  const { forwarded } = headers
  if (forwarded === undefined) return []
  return forwarded.split(',').map((hop) => /(?:^|;)\s*for="?([^";,\s]+)"?/i.exec(hop)?.[1] ?? '')
}

/** Without brackets, port and zone; IPv4-mapped IPv6 as IPv4. Undefined for an invalid address. */
export function plainAddress(text: string): string | undefined {
  const trimmed = text.trim()
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed) ?? []
  const [, beforePort] = /^([\d.]+):\d+$/.exec(trimmed) ?? []
  const address = (bracketed ?? beforePort ?? trimmed).replace(/%.*$/, '')
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? []
  if (mapped !== undefined && isIPv4(mapped)) return mapped
  return isIP(address) ? address.toLowerCase() : undefined
}

/** The network of one subscriber: an IPv4 address, or the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [front = '', back] = address.split('::')
  const head = front === '' ? [] : front.split(':')
  const tail = back === undefined || back === '' ? [] : back.split(':')
  const tailGroups = tail.length + (tail.at(-1)?.includes('.') ? 1 : 0)
  const zeros = back === undefined ? 0 : Math.max(0, 8 - head.length - tailGroups)
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...tail].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
