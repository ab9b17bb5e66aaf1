import { withField } from './bodyTwists.ts'
import type { Draft, Twist } from './draft.ts'
import { set } from './headerTwists.ts'

/** Puts a key, or its placeholder, somewhere in a request. */
type Place = (draft: Draft, key: string) => void

const header =
  (name: string, form = (key: string) => key): Place =>
  (draft, key) =>
    set(draft, name, form(key))

const field =
  (name: string, form = (key: string) => `"${key}"`): Place =>
  (draft, key) => {
    draft.body = withField(draft.body, name, form(key))
  }

const headers = [
  'X-Api-Key',
  'Cookie',
  'Host',
  'Referer',
  'User-Agent',
  'X-Request-Id',
  'Content-Type',
  'Accept',
  'Expect',
  'Proxy-Authorization',
  'Idempotency-Key',
  'Origin',
  'Content-Encoding',
  'Upgrade',
  'Transfer-Encoding',
]
const fields = [
  'tokens',
  'reason',
  'reference',
  'realmPointId',
  'name',
  'username',
  'displayName',
  'id',
  'recipientId',
  'actorId',
  'address',
  'chain',
  'defaultPoint',
  'unknownMembers',
  'key',
  'wallets',
  'metadata',
  'members',
]

/** The nth segment from the end of the path. */
const segment =
  (fromEnd: number): Place =>
  (draft, key) => {
    const parts = draft.path.split('/')
    parts[Math.max(parts.length - fromEnd, 1)] = key
    draft.path = parts.join('/')
  }

const query =
  (form: (key: string) => string): Place =>
  (draft, key) => {
    draft.query = `?${form(key)}`
  }

const others: Readonly<Record<string, Place>> = {
  'as Bearer': header('Authorization', (key) => `Bearer ${key}`),
  bare: header('Authorization'),
  'as Token': header('Authorization', (key) => `Token ${key}`),
  'as Basic': header('Authorization', (key) => `Basic ${key}`),
  'as Basic in base 64': header('Authorization', (key) => `Basic ${key.replace('>>', '64>>')}`),
  'with more behind it': header('Authorization', (key) => `Bearer ${key}x`),
  'in a list of wallets': field('wallets', (key) => `["${key}"]`),
  'in metadata': field('metadata', (key) => `{"${key}":"${key}"}`),
  'as the body': (draft, key) => {
    draft.body = `"${key}"`
  },
  'as no JSON': (draft, key) => {
    draft.body = key
  },
  'as a field': (draft, key) => {
    draft.body = withField(draft.body, key, '1')
  },
  'as a field, twice': (draft, key) => {
    draft.body = `{"${key}":1,"${key}":2}`
  },
  'as a header': (draft, key) => void draft.headers.push([key, '1']),
  'as the method': (draft, key) => {
    draft.method = key
    draft.broken = true
  },
  'in the last segment': segment(1),
  'in the segment before': segment(2),
  'in the third from the end': segment(3),
  'behind the path': (draft, key) => {
    draft.path += `/${key}`
  },
  'as the path': (draft, key) => {
    draft.path = `/${key}`
  },
  'in the query': query((key) => `key=${key}`),
  'in the wallets of a query': query((key) => `wallets=${key}`),
  'as the page before': query((key) => `cursor=${key}`),
  'as the name in a query': query((key) => `${key}=1`),
  'as the user of a URL': (draft, key) => {
    draft.path = `http://${key}:x@exchequer.test${draft.path}`
  },
}

/** Everywhere that a client could put its key by mistake. */
const places: readonly (readonly [string, Place])[] = [
  ...Object.entries(others),
  ...headers.map((name) => [`in ${name}`, header(name)] as const),
  ...fields.map((name) => [`as ${name}`, field(name)] as const),
]

export const placeCount = places.length

export function misplaced(place: number, key: string): Twist {
  const [name, put] = places[place % placeCount] ?? ['', () => {}]
  return {
    name: `a key ${name}`,
    apply(draft) {
      put(draft, key)
      if (name === 'in Transfer-Encoding') draft.broken = true
    },
  }
}
