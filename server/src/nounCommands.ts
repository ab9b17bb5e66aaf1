import { command, commandLine, everyRealm, print, telling, withNouns } from './command.ts'
import { ConfigError } from './config.ts'
import { isMemberId } from './members/members.ts'
import type { Realm } from './realms/realms.ts'

function shown({ id, config }: Realm) {
  const points = [...config.points.values()].map((point) => ({ id: point.id, name: point.name }))
  return {
    id,
    name: config.name,
    unknownMembers: config.unknownMembers,
    defaultPointId: config.defaultPoint.id,
    points,
  }
}

function unknownMembers(value: string | undefined): 'refuse' | 'create' | undefined {
  if (value === undefined || value === 'refuse' || value === 'create') return value
  throw new ConfigError('--unknown-members is refuse or create.')
}

function memberId(text: string): string {
  if (isMemberId(text)) return text
  throw new ConfigError(`${text} is no member id: a whole number from 1 to 9223372036854775807.`)
}

/** Realms, kinds of points, members and wallets. */
export const nounCommands = [
  telling(
    'realm create [--id <id>] [--name <name>] [--unknown-members <refuse|create>] [--point <id>]',
    'make a realm with its first kind of points',
    async ({ realms }, _none, { id, name, point, ...values }) => {
      const settings = { id, name, unknownMembers: unknownMembers(values['unknown-members']) }
      return shown(await realms.create({ ...settings, point: { id: point } }, commandLine))
    },
  ),
  command('realm list', 'every realm', () =>
    withNouns(async ({ realms }) => {
      for await (const realm of everyRealm(realms)) print(shown(realm))
      return undefined
    }),
  ),
  telling(
    'realm change <realm> [--name <name>] [--unknown-members <refuse|create>] [--default-point <id>]',
    'change settings',
    async ({ realms }, [realm = ''], { name, ...values }) => {
      const open = unknownMembers(values['unknown-members'])
      const change = { name, unknownMembers: open, defaultPoint: values['default-point'] }
      return shown(await realms.change(realm, change, commandLine))
    },
  ),
  telling(
    'point create <realm> [--id <id>] [--name <name>]',
    'add a kind of points',
    async ({ realms }, [realm = ''], { id, name }) =>
      shown(await realms.addPoint(realm, { id, name }, commandLine)),
  ),
  telling(
    'member put <realm> <member> [--username <name>] [--display-name <name>]',
    'make or rename a member',
    async ({ realms, members }, [realm = '', member = ''], { username, ...values }) => {
      const number = await realms.number(realm)
      const put = { id: memberId(member), username, displayName: values['display-name'] }
      await members.put(number, [put], commandLine)
      return members.get(number, member)
    },
  ),
  telling(
    'wallet link <realm> <member> <address> [--chain <caip-2>]',
    'link a wallet without proof',
    async ({ realms, wallets }, [realm = '', member = '', address = ''], { chain }) => {
      const number = await realms.number(realm)
      await wallets.link({ realm: number, member: memberId(member), address, chain }, commandLine)
      return wallets.of(number, member)
    },
  ),
  telling(
    'wallet unlink <realm> <member> <address>',
    'unlink a wallet',
    async ({ realms, wallets }, [realm = '', member = '', address = '']) => {
      const number = await realms.number(realm)
      await wallets.unlink({ realm: number, member: memberId(member), address }, commandLine)
      return wallets.of(number, member)
    },
  ),
]
