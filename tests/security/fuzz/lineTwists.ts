import fc, { type Arbitrary } from 'fast-check'
import { bytesOf, type Draft, secret, type Twist } from './draft.ts'
import { hostileText } from './values.ts'
import { memberIds, realms } from './world.ts'

const twist = (name: string, apply: (draft: Draft) => void): Twist => ({ name, apply })

/** Text as it may appear in a URL: escaped, escaped twice, or byte by byte. */
function inUrl(text: string, how: 'once' | 'twice' | 'all'): string {
  const bytes = bytesOf(text).slice(0, 6_000)
  const one = (byte: string) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`
  if (how === 'all') return Array.from(bytes.slice(0, 2_000), one).join('')
  const once = bytes.replaceAll(/[^A-Za-z0-9_.~-]/g, one)
  return how === 'once' ? once : once.replaceAll('%', '%25')
}

// biome-ignore format: a table
const tricks = [
  '%2e%2e', '..', '.', '%2e', '%2f', '%5c', '%252e%252e', '%00', '%', '%zz', '%c0%ae', '%ff', '%ed%a0%80',
  ';a=b', '__proto__', 'constructor', 'includes', '%69ncludes', 'Includes', 'includes%2f', '', '*', '~',
  '0', '-1', '1e3', '+1', '01', '9223372036854775808', '99999999999999999999', '%20', '1%20', '１',
  '%d9%a3', 'null', '%0d%0aX-Evil:%201', `${memberIds[0]}%2ftokenBalance`, `..%2f..%2f${realms.beryl.id}`,
  realms.beryl.id,
]

const segment = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...tricks) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(hostileText, fc.constantFrom('once', 'twice', 'all'))
      .map(([text, how]) => inUrl(text, how as 'once' | 'twice' | 'all')),
  },
  { weight: 1, arbitrary: fc.constantFrom(secret('canary'), secret('revoked')) },
)

/** One segment of the path replaced, or one more put in. */
const otherSegment = fc.tuple(segment, fc.nat(9), fc.boolean()).map(([text, at, more]) =>
  twist('another segment', (draft) => {
    // Operator routes keep their realm: their changes can't be undone.
    const parts = draft.path.split('/')
    const first = draft.path.startsWith('/operator') ? 5 : 1
    const place = first + (at % Math.max(parts.length - first, 1))
    parts.splice(Math.min(place, parts.length), more ? 0 : 1, text)
    draft.path = parts.join('/')
  }),
)

const rewrites: Readonly<Record<string, (path: string) => string>> = {
  'a slash behind': (path) => `${path}/`,
  'two slashes': (path) => path.replace('/', '//'),
  'two slashes within': (path) => path.replace(/(?<=.)\//, '//'),
  'in capitals': (path) => path.toUpperCase(),
  'dots before': (path) => `/healthz/..${path}`,
  'escaped dots before': (path) => `/docs/%2e%2e${path}`,
  'an escaped slash': (path) => path.replace(/\/(?=[^/]*$)/, '%2F'),
  'an escaped letter': (path) => path.replace('a', '%61'),
  'a backslash': (path) => path.replaceAll('/', '\\').replace('\\', '/'),
  'a parameter': (path) => `${path};jsessionid=1`,
  'a fragment': (path) => `${path}#x`,
  'very long': (path) => `${path}${'/a'.repeat(4_500)}`,
  'absolute form': (path) => `http://exchequer.test${path}`,
  'absolute form with a user': (path) => `http://${secret('canary')}@exchequer.test${path}`,
  'with high bytes': (path) => `${path}\xff\xfe`,
  'the root': () => '/',
}

const notHttp: Readonly<Record<string, (path: string) => string>> = {
  'no slash': (path) => path.slice(1) || 'x',
  asterisk: () => '*',
  'a space within': (path) => `${path} x`,
  'a tab within': (path) => `${path}\tx`,
  'a NUL within': (path) => `${path}\0x`,
  'another scheme': (path) => `file://${path}`,
  'only a query': () => '?',
  empty: () => '',
}

const rewritten = fc.constantFrom(...Object.entries(rewrites)).map(([name, rewrite]) =>
  twist(name, (draft) => {
    draft.path = rewrite(draft.path)
  }),
)

const misspelt = fc.constantFrom(...Object.entries(notHttp)).map(([name, rewrite]) =>
  twist(name, (draft) => {
    draft.path = rewrite(draft.path)
    draft.broken = true
  }),
)

const cursorOf = (values: unknown): string => Buffer.from(JSON.stringify(values)).toString('base64url')

// biome-ignore format: a table
const queries = [
  '?', '??', '?&', '?=', '?a', '?a=b&a=c', '?dryRun=true', '?%', '?%ff=%fe', '?wallets=', '?wallets=a,b',
  '?wallets=,,,', '?wallets[]=a', '?wallets=a&wallets=b', '?__proto__=1', '?constructor[prototype]=1',
  '?cursor=', '?cursor=__proto__', `?cursor=${realms.beryl.id}`, `?wallets=${realms.beryl.wallet}`,
  `?key=${secret('canary')}`, `?${secret('canary')}=1`, `?wallets=${secret('revoked')}`,
  `?access_token=${secret('own')}`, `?cursor=${secret('revoked')}`, '?limit=1', '?limit=0', '?limit=1001',
  `?cursor=${cursorOf([])}`, `?cursor=${cursorOf(['AAAAAAAAAAA', 1])}`,
]

const query = fc
  .oneof(
    { weight: 3, arbitrary: fc.constantFrom(...queries) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('wallets', 'after', 'x'), hostileText)
        .map(([name, text]) => `?${name}=${inUrl(text, 'once')}`),
    },
    { weight: 1, arbitrary: fc.constantFrom(`?${'a'.repeat(8_200)}`, `?wallets=${'a,'.repeat(1_200)}a`) },
  )
  .map((text) =>
    twist('another query', (draft) => {
      draft.query = text
    }),
  )

// biome-ignore format: a list
const methods = [
  'HEAD', 'OPTIONS', 'TRACE', 'DELETE', 'PUT', 'POST', 'GET', 'QUERY', 'PATCH', 'PROPFIND', 'PURGE',
  'M-SEARCH', 'SOURCE', 'CONNECT',
]
const noMethods = [
  'get',
  'Patch',
  'BREW',
  '',
  'GET\0',
  'G'.repeat(5_000),
  'PATCH ',
  secret('canary'),
  'PRI',
] as const

const method = fc.constantFrom(...methods).map((name) =>
  twist('another method', (draft) => {
    draft.method = name
    if (name === 'CONNECT') draft.path = 'exchequer.test:443'
  }),
)

const noMethod = fc.constantFrom(...noMethods).map((name) =>
  twist('no method', (draft) => {
    draft.method = name
    draft.broken = true
  }),
)

const version = fc
  .constantFrom('HTTP/1.0', 'HTTP/1.0', 'HTTP/0.9', 'HTTP/1.2', 'HTTP/2.0', 'http/1.1', 'HTTP/1.1x', '')
  .map((text) =>
    twist('another version', (draft) => {
      draft.version = text
      if (text !== 'HTTP/1.0') draft.broken = true
    }),
  )

export const lineTwist: Arbitrary<Twist> = fc.oneof(
  { weight: 6, arbitrary: otherSegment },
  { weight: 4, arbitrary: rewritten },
  { weight: 3, arbitrary: query },
  { weight: 2, arbitrary: method },
  { weight: 1, arbitrary: misspelt },
  { weight: 1, arbitrary: noMethod },
  { weight: 1, arbitrary: version },
)
