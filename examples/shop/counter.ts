import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { Realm } from '@exchequer/sdk'
import { type Order, sell } from './shop.ts'

/**
 * A shop at the command line, whose deliveries are lines of a file. After any failure, run it again with the
 * same order number:
 *   URL=... REALM=... KEY=... npm run --silent node -- examples/shop/counter.ts ORDER BUYER ITEM PRICE
 */
const { URL: url = '', REALM: realm = '', KEY: key = '', DELIVERIES: file = 'deliveries.txt' } = process.env
const [id = '', buyerId = '', item = '', price = ''] = process.argv.slice(2)

async function deliver(order: Order): Promise<void> {
  const line = `${order.id} ${order.item} to ${order.buyerId}`
  // Once for each order, however often it is called.
  if (existsSync(file) && readFileSync(file, 'utf8').split('\n').includes(line)) return
  appendFileSync(file, `${line}\n`)
}

const shop = { realm: new Realm({ url, realm, key }), deliver }
console.log(await sell(shop, { id, buyerId, item, price: Number(price) }))
