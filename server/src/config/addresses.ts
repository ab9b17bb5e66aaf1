import { isIP } from 'node:net'
import { ConfigError } from './secretFiles.ts'

/** Settings that list addresses and hosts. */

const listIn = (text = ''): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)

/** An IP address, or a CIDR. */
function isRange(entry: string): boolean {
  const [address = '', prefix = '0', ...rest] = entry.split('/')
  const family = isIP(address)
  const fits = /^[0-9]{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128)
  return family !== 0 && fits && rest.length === 0
}

export function readProxies(given: string | undefined): string[] {
  const entries = listIn(given)
  const wrong = entries.find((entry) => !isRange(entry))
  if (wrong === undefined) return entries
  throw new ConfigError(
    `TRUSTED_PROXIES has ${wrong}; it must list IP addresses and CIDRs, as in 10.0.0.0/8.`,
  )
}

const hostName = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/

/** Receivers of webhooks that are not on the public internet. */
export function readWebhookAllow(given: string | undefined): string[] {
  const entries = listIn(given).map((entry) => entry.toLowerCase())
  const wrong = entries.find((entry) => !isRange(entry) && !hostName.test(entry))
  if (wrong === undefined) return entries
  throw new ConfigError(
    `WEBHOOK_ALLOW has ${wrong}; it must list host names, IP addresses and CIDRs, as in ` +
      'bot.internal,10.0.0.0/8.',
  )
}
