import { type Config, ConfigError } from '../config/index.ts'
import { Site } from '../http/wire/site.ts'
import { commandLine, issuing } from './command.ts'

function timeIn(text: string): Date {
  const time = new Date(text)
  if (!Number.isNaN(time.getTime())) return time
  throw new ConfigError(`${text} is not a valid time. Use a format like 2030-01-31T12:00:00Z.`)
}

/** A link from the command line, where no request has the server's host. */
function linkOf(token: string, { console: settings, host, port }: Config): string {
  // A server that listens on all addresses is also at localhost, which works without https.
  const here = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host
  return new Site(settings).linkOf(token, { host: `${here}:${port}` })
}

/** For the first operator; everything else is done over HTTP. */
export const operatorCommands = [
  issuing(
    'token issue <name> [--expires <time>]',
    'issue an operator token; it is shown once',
    ({ operators }, [name = ''], { expires }) => {
      const expiresAt = expires === undefined ? null : timeIn(expires)
      return operators.issue({ name, expiresAt }, commandLine)
    },
  ),
  issuing(
    'operator invite <name> [--email <address>]',
    'create a one-time link for an operator to sign in to the console',
    async ({ invitations, config }, [name = ''], { email }) => {
      const { token, ...shown } = await invitations.invite(null, { name, email, role: null }, commandLine)
      return { ...shown, link: linkOf(token, config) }
    },
  ),
]
