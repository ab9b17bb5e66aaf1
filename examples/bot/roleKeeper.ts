import { Realm } from '@exchequer/sdk'
import { serveWebhooks } from '../events/serve.ts'
import { updateRole } from './roles.ts'

/**
 * Gives roles for points, by webhooks of type balance.crossed, and prints what it would do in a chat.
 * ROLES lists the roles with their balances, which are the webhook's thresholds:
 *   URL=... REALM=... KEY=... SECRET=whsec_... PORT=3000 ROLES=100=regular,1000=veteran \
 *     npm run --silent node -- examples/bot/roleKeeper.ts
 */
const { URL: url = '', REALM: realm = '', KEY: key = '', SECRET: secret = '', PORT: port } = process.env
const { ROLES: list = '100=regular', INBOX: inbox = 'roles.sqlite' } = process.env
const roleAt = new Map(
  list.split(',').map((pair) => {
    const [tokens, role = ''] = pair.split('=', 2)
    return [Number(tokens), role] as const
  }),
)
// On Discord: PUT and DELETE /guilds/GUILD/members/MEMBER/roles/ROLE.
const roles = {
  give: async (memberId: string, role: string) => console.log(`gave ${role} to ${memberId}`),
  take: async (memberId: string, role: string) => console.log(`took ${role} from ${memberId}`),
}
const bot = { realm: new Realm({ url, realm, key }), roles, roleAt }

serveWebhooks({ secret, port: Number(port ?? 3000), inbox, handle: (event) => updateRole(bot, event) })
