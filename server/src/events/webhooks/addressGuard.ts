import { type LookupAddress, lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/**
 * Which addresses a webhook may reach: none of the networks that only this server is in. A host name is
 * resolved once for a connection; every address is checked, and the connection is made to one of those.
 */

/** Not on the public internet, by the registries of special addresses, and one metadata service that is. */
const closedV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** Within 2000::/3. All else in IPv6 is closed: mapped and translated addresses, local ones, multicast. */
const closedV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']
const openV6 = ['2000::/3']
const loopback = ['127.0.0.0/8', '::1/128']

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    const family = familyOf(address)
    list.addSubnet(address, Number(prefix ?? (family === 'ipv4' ? 32 : 128)), family)
  }
  return list
}

const familyOf = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6')
const isIn = (list: BlockList, address: string): boolean => list.check(address, familyOf(address))

/** Without the brackets of IPv6 in a URL and the dot at the end of a full name. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

const isRange = (entry: string): boolean => isIP(entry.split('/')[0] ?? '') !== 0

export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

const resolveHost: Resolve = (host) =>
  new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)))
  })

/** The message is shown to the endpoint's owner, and names no address. */
export class ClosedAddress extends Error {}

export class AddressGuard {
  readonly #closed = listOf([...closedV4, ...closedV6])
  readonly #open = listOf(openV6)
  readonly #loopback = listOf(loopback)
  readonly #allowed: BlockList
  readonly #allowedHosts: ReadonlySet<string>
  readonly #resolve: Resolve

  /** `allow`: names of hosts, addresses and CIDRs that are allowed wherever they are. */
  constructor(allow: readonly string[], resolve: Resolve = resolveHost) {
    this.#allowed = listOf(allow.filter(isRange))
    this.#allowedHosts = new Set(allow.filter((entry) => !isRange(entry)))
    this.#resolve = resolve
  }

  /** What is wrong with a URL as it is given; undefined when it may be stored. */
  problemOf(url: URL): string | undefined {
    if (url.username !== '' || url.password !== '') return 'The URL must not have a user name or password.'
    if (url.hash !== '') return 'The URL must not have a fragment.'
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'The URL must begin with https://.'
    const host = hostOf(url)
    if (isIP(host) !== 0) return this.#problemOfAddress(host, url)
    if (url.protocol === 'http:' && !(host === 'localhost' && this.#allowedHosts.has(host))) return mustBeTls
    return undefined
  }

  /** For one connection. An IP address in the URL is never looked up, so it is checked here. */
  lookupFor(url: URL): LookupFunction {
    const problem = this.problemOf(url)
    if (problem !== undefined) throw new ClosedAddress(problem)
    return (host, { all }, done) => {
      this.#resolve(host)
        .then((addresses) => this.#checked(addresses, url))
        .then(
          (addresses) => {
            const [first] = addresses
            if (!first) done(new ClosedAddress('The host name has no address.'), '')
            else if (all) done(null, [...addresses])
            else done(null, first.address, first.family)
          },
          (error: unknown) => done(error as Error, ''),
        )
    }
  }

  /** All of them must be allowed: a name with one closed address is not one of the public internet. */
  #checked(addresses: readonly LookupAddress[], url: URL): readonly LookupAddress[] {
    for (const { address } of addresses) {
      const problem = this.#problemOfAddress(address, url)
      if (problem !== undefined) throw new ClosedAddress(problem)
    }
    return addresses
  }

  #problemOfAddress(address: string, url: URL): string | undefined {
    const isAllowed = this.#allowedHosts.has(hostOf(url)) || isIn(this.#allowed, address)
    if (!isAllowed && this.#isClosed(address)) return notPublic
    if (url.protocol === 'http:' && !(isAllowed && isIn(this.#loopback, address))) return mustBeTls
    return undefined
  }

  #isClosed(address: string): boolean {
    // A zone, as in fe80::1%eth0, exists only for link-local addresses.
    if (address.includes('%') || isIn(this.#closed, address)) return true
    return isIP(address) !== 4 && !isIn(this.#open, address)
  }
}

const notPublic =
  'The host is not on the public internet. The operator can allow it: WEBHOOK_ALLOW in ' +
  'docs/operate/settings.md.'
const mustBeTls = 'The URL must begin with https://. http:// is only for a receiver on the same machine.'
