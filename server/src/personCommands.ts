import { commandLine, issuing, telling } from './command.ts'
import { type Config, ConfigError } from './config.ts'
import { Site } from './http/console/site.ts'
import { type Role, roles } from './people/people.ts'

function roleIn(text: string | undefined): Role {
  const role = roles.find((one) => one === text)
  if (role) return role
  throw new ConfigError(`--role is one of ${roles.join(', ')}, in the realm that --realm names.`)
}

/** A link from the command line, where no request tells how this server is reached. */
function linkOf(token: string, { console: settings, host, port }: Config): string {
  // A server that listens everywhere is reached on this machine, too, and by that name without https.
  const here = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host
  return new Site(settings).linkOf(token, { host: `${here}:${port}` })
}

/** People who sign in to the console. The first operator is invited here. */
export const personCommands = [
  issuing(
    'person invite <name> [--email <address>] [--operator] [--realm <id>] [--role <role>]',
    'make a one-time link for an operator, or for an owner, manager or viewer of a realm',
    async ({ realms, invitations, config }, [name = ''], { email, operator, realm, role }) => {
      if ((operator === undefined) === (realm === undefined))
        throw new ConfigError('Say --operator, or --realm and --role.')
      const where = realm === undefined ? null : await realms.number(realm)
      const who = { name, email, role: where === null ? null : roleIn(role) }
      const { token, ...shown } = await invitations.invite(where, who, commandLine)
      return { ...shown, link: linkOf(token, config) }
    },
  ),
  telling(
    'person list [--realm <id>]',
    'who looks after a realm, or the operators',
    async ({ realms, people }, _none, { realm }) =>
      realm === undefined ? people.operators() : people.of(await realms.number(realm)),
  ),
  issuing(
    'person link <person>',
    'make a one-time link for a person to sign in again',
    async ({ invitations, config }, [id = '']) => {
      const { token, expiresAt } = await invitations.linkFor(id, undefined, commandLine)
      return { link: linkOf(token, config), expiresAt }
    },
  ),
  telling(
    'person erase <person>',
    'forget a person: name, address, every way to sign in',
    async ({ people }, [id = '']) => {
      const left = await people.erase(id, commandLine)
      return { erased: id, ...left }
    },
  ),
]
