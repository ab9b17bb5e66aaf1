import { Realm, RefusedError } from '@exchequer/sdk'
import { reserve } from './shop.ts'

/**
 * Takes an order at the command line: holds its price, and leaves the rest to the warehouse.
 *   URL=... REALM=... KEY=... npm run --silent node -- examples/shop/checkout.ts ORDER BUYER ITEM PRICE
 */
const { URL: url = '', REALM: realm = '', KEY: key = '' } = process.env
const [id = '', buyerId = '', item = '', price = ''] = process.argv.slice(2)

try {
  await reserve(new Realm({ url, realm, key }), { id, buyerId, item, price: Number(price) })
  console.log('ordered')
} catch (error) {
  if (!(error instanceof RefusedError && error.code === 'insufficient_points')) throw error
  console.log('too few points')
}
