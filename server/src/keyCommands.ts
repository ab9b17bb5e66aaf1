import { installation } from './audit/audit.ts'
import { commandLine, issuing, rateLimitOf, telling } from './command.ts'
import { ConfigError } from './config.ts'
import { overlaps, type Scope, scopes } from './keys/keys.ts'

function scopesIn(text: string | undefined): Scope[] | undefined {
  return text?.split(',').map((given) => {
    const scope = scopes.find((one) => one === given.trim())
    if (scope) return scope
    throw new ConfigError(`${given} is no scope; there are ${scopes.join(', ')}.`)
  })
}

function timeIn(text: string): Date {
  const time = new Date(text)
  if (!Number.isNaN(time.getTime())) return time
  throw new ConfigError(`${text} is no time; write it like 2030-01-31T12:00:00Z.`)
}

function secondsIn(text: string | undefined): number {
  const seconds = Number(text ?? overlaps.usual)
  if (Number.isInteger(seconds) && seconds >= 0 && seconds <= overlaps.longest) return seconds
  throw new ConfigError(`--overlap is a whole number of seconds from 0 to ${overlaps.longest}.`)
}

const auditLength = 100

/** Keys, operator tokens, and the log of who did what. */
export const keyCommands = [
  issuing(
    'key issue <realm> [--name <name>] [--scopes <a,b>] [--expires <time>] [--rate-limit <limit>]',
    'issue a key; it is shown once',
    async ({ realms, keys }, [realm = ''], { name, scopes: given, expires, ...values }) => {
      const expiresAt = expires === undefined ? undefined : timeIn(expires)
      const rateLimit = rateLimitOf(values['rate-limit'])
      const input = { name, scopes: scopesIn(given), expiresAt, rateLimit }
      return keys.issue(await realms.number(realm), input, commandLine)
    },
  ),
  telling(
    'key list <realm>',
    'the keys of a realm: all that still work, and the last thousand that do not',
    async ({ realms, keys }, [realm = '']) => (await keys.of(await realms.number(realm))).items,
  ),
  issuing(
    'key rotate <realm> <key> [--overlap <seconds>]',
    'replace a key; the old one works on for a day, or as long as said',
    async ({ realms, keys }, [realm = '', id = ''], { overlap }) =>
      keys.rotate(
        { realm: await realms.number(realm), id },
        { overlapSeconds: secondsIn(overlap) },
        commandLine,
      ),
  ),
  telling(
    'key expire <realm> <key> <time>',
    'let a key end at a time, or never',
    async ({ realms, keys }, [realm = '', id = '', time = '']) => {
      const expiresAt = time === 'never' ? null : timeIn(time)
      return keys.change({ realm: await realms.number(realm), id }, { expiresAt }, commandLine)
    },
  ),
  telling(
    'key revoke <realm> <key>',
    'revoke a key by its id',
    async ({ realms, keys }, [realm = '', id = '']) =>
      keys.revoke({ realm: await realms.number(realm), id }, commandLine),
  ),
  issuing(
    'token issue <name> [--expires <time>]',
    'issue an operator token; it is shown once',
    ({ operators }, [name = ''], { expires }) => {
      const expiresAt = expires === undefined ? null : timeIn(expires)
      return operators.issue({ name, expiresAt }, commandLine)
    },
  ),
  telling(
    'token list',
    'the operator tokens: all that still work, and the last thousand that do not',
    async ({ operators }) => (await operators.list()).items,
  ),
  telling('token revoke <token>', 'revoke an operator token by its id', ({ operators }, [id = '']) =>
    operators.revoke(id, commandLine),
  ),
  telling(
    'audit [--realm <id>]',
    'the last hundred acts in a realm, or of the installation',
    async ({ audit, realms }, _none, { realm }) =>
      audit.page(realm === undefined ? installation : await realms.number(realm), undefined, auditLength),
  ),
]
