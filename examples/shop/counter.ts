import { Realm } from '@exchequer/sdk'
import { deliverTo } from './deliveries.ts'
import { sell } from './shop.ts'

/**
 * A shop at the command line, whose deliveries are lines of a file. After any failure, run it again with the
 * same order number:
 *   URL=... REALM=... KEY=... npm run --silent node -- examples/shop/counter.ts ORDER BUYER ITEM PRICE
 */
const { URL: url = '', REALM: realm = '', KEY: key = '', DELIVERIES: file = 'deliveries.txt' } = process.env
const [id = '', buyerId = '', item = '', price = ''] = process.argv.slice(2)

const shop = { realm: new Realm({ url, realm, key }), deliver: deliverTo(file) }
console.log(await sell(shop, { id, buyerId, item, price: Number(price) }))
