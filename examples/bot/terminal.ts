import { createInterface } from 'node:readline'
import { Realm } from '@exchequer/sdk'
import { handle } from './points.ts'

/**
 * The bot without a chat platform: each line is an interaction, `MEMBER /COMMAND [name=value ...]`.
 *   echo '1190194345295482952 /tip member=1190194345295482953 amount=5' |
 *     URL=... REALM=... KEY=... npm run --silent node -- examples/bot/terminal.ts
 */
const { URL: url = '', REALM: realm = '', KEY: key = '' } = process.env
const client = new Realm({ url, realm, key })
const started = Date.now()
let count = 0

for await (const line of createInterface({ input: process.stdin })) {
  const [userId = '', command = '', ...options] = line.trim().split(/\s+/)
  const pairs = options.map((option) => option.split('=', 2) as [string, string])
  // A platform assigns ids to interactions; here the time and a counter do.
  const id = `${started}-${++count}`
  const asked = { id, userId, command: command.replace('/', ''), options: Object.fromEntries(pairs) }
  const { content } = await handle(client, asked)
  console.log(content)
}
