import { Realm } from '@exchequer/sdk'
import { serveWebhooks } from '../events/serve.ts'
import { deliverTo } from './deliveries.ts'
import { fulfil } from './fulfil.ts'

/**
 * Delivers orders as they are placed, by webhooks of type hold.created with `includeDetails`:
 *   URL=... REALM=... KEY=... SECRET=whsec_... PORT=3000 npm run --silent node -- examples/shop/warehouse.ts
 */
const { URL: url = '', REALM: realm = '', KEY: key = '', SECRET: secret = '', PORT: port } = process.env
const { DELIVERIES: file = 'deliveries.txt', INBOX: inbox = 'orders.sqlite' } = process.env
const shop = { realm: new Realm({ url, realm, key }), deliver: deliverTo(file) }

serveWebhooks({
  secret,
  port: Number(port ?? 3000),
  inbox,
  async handle(event) {
    const result = await fulfil(shop, event)
    if (result !== undefined) console.log(`${event.id}: ${result}`)
  },
})
