import type { Operation } from './document.ts'
import { everywhere, thing } from './things.ts'
import { chain, coin, coinCollection, deafUrl, memberIds, realms, yard } from './world.ts'

/** What makes a request succeed where its schema alone does not: things that exist, values that fit. */
export type Recipe = {
  readonly segments?: Readonly<Record<string, string>>
  readonly body?: string
  readonly query?: string
  /** The body is sent though the document has no schema for it. */
  readonly isRaw?: boolean
  readonly headers?: readonly (readonly [string, string])[]
}

/** Drawn for each request. */
type Make = (number: number) => Recipe

const json = (value: object): string => JSON.stringify(value)
const unmarkedWallet = '0x52908400098527886E0F7030069857D2E4169EE7'

/** A request of the console's page, with the cookie of a signed-in person. */
const fromPage = ['Sec-Fetch-Site', 'same-origin'] as const
const signedIn = (number: number): Recipe['headers'] => {
  const value = thing('session', number, everywhere)
  return [['Cookie', `exchequer-session=${value}; __Secure-exchequer-session=${value}`], fromPage]
}
/** The first session is never used to sign out, so that one is left until the end. */
const lastSession = (number: number): Recipe['headers'] => signedIn(1 + (number % 5))

const standards = [
  { chain, standard: 'native' },
  { chain, standard: 'erc20', address: coin },
]

const changes = (n: number): object[] =>
  [n, n + 1, n + 2].map((one) => ({ memberId: memberIds[one % 12], tokens: 1 + (one % 9) }))

/** By what a method and a path end with; the first that fits. */
const recipes: readonly (readonly [RegExp, Make])[] = [
  [/^DELETE \/console\/session$/, (n) => ({ headers: lastSession(n) ?? [] })],
  [/ \/console\/session\/keys$/, () => ({ headers: signedIn(0) ?? [], body: json({ realm: yard }) })],
  [
    / \/console\/session\/invitations\/\{invitationID\}\/accept$/,
    (n) => ({
      segments: { invitationID: thing('received', n % 3, everywhere) },
      headers: signedIn(0) ?? [],
      body: '{}',
      isRaw: true,
    }),
  ],
  [
    / \/console\/session\/invitations\/\{invitationID\}\/decline$/,
    (n) => ({
      segments: { invitationID: thing('received', 3 + (n % 3), everywhere) },
      headers: signedIn(0) ?? [],
      body: '{}',
      isRaw: true,
    }),
  ],
  [/ \/console\/session/, () => ({ headers: signedIn(0) ?? [], body: '{}', isRaw: true })],
  [
    /^POST .*\/web3\/awards$/,
    (n) => ({ body: json({ collection: coinCollection, atLeast: '1', tokens: 1 + (n % 9), block: '1' }) }),
  ],
  [/^POST .*\/members\/\{memberID\}\/awards$/, (n) => ({ body: json({ tokens: 1 + (n % 20) }) })],
  [/\/awards\/\{awardID\}/, (n) => ({ segments: { awardID: thing('award', n) }, body: '{}' })],
  [/^POST .*\/holds$/, (n) => ({ body: json({ tokens: 1 + (n % 20) }) })],
  [/\/holds\/\{holdID\}\/release$/, (n) => ({ segments: { holdID: thing('hold', n) }, body: '{}' })],
  [
    /\/holds\/\{holdID\}/,
    (n) => ({ segments: { holdID: thing('hold', n) }, body: json(n % 2 ? { tokens: 1 + (n % 5) } : {}) }),
  ],
  [
    /^POST .*\/reverse$/,
    (n) => ({ segments: { transactionID: thing('entry', n) }, body: json({ reason: `by ${n}` }) }),
  ],
  [/\/entries\/\{transactionID\}$/, (n) => ({ segments: { transactionID: thing('entry', n) } })],
  [/^POST .*\/reversals$/, (n) => ({ body: json({ filter: { reference: `set-up ${n % 6}` } }) })],
  [
    /^PUT .*\/web3\/collections\//,
    (n) => ({ segments: { collectionID: `spare-${n % 40}` }, body: json(standards[n % 2] ?? {}) }),
  ],
  [/\/web3\/collections\/\{/, (n) => ({ segments: { collectionID: thing('collection', n) } })],
  [
    /^POST .*\/snapshots$/,
    (n) => ({ body: json({ id: `drawn-${n}`, chain, ...(n % 8 === 7 ? { claimable: true } : {}) }) }),
  ],
  [/^DELETE .*\/snapshots\//, (n) => ({ segments: { snapshotID: thing('spareSnapshot', n) } })],
  [
    /\/snapshots\/\{snapshotID\}/,
    (n) => ({
      segments: { snapshotID: thing('snapshot', n), memberID: memberIds.at(-1 - (n % 2)) ?? '' },
    }),
  ],
  [/^POST .*\/webhooks$/, (n) => ({ body: json({ url: deafUrl, description: `drawn ${n}` }) })],
  [/^DELETE .*\/webhooks\//, (n) => ({ segments: { webhookID: thing('spareWebhook', n) } })],
  [
    /\/webhooks\/\{webhookID\}\/replay$/,
    (n) => ({ segments: { webhookID: thing('webhook', n) }, body: json({ from: '1', to: '2' }) }),
  ],
  [/\/webhooks\/\{webhookID\}\/skip$/, (n) => ({ segments: { webhookID: thing('blockedWebhook', n) } })],
  [
    /\/webhooks\/\{webhookID\}\/rotate-secret$/,
    (n) => ({ segments: { webhookID: thing('webhook', n) }, body: '{"overlapSeconds":60}' }),
  ],
  [
    /^PATCH .*\/webhooks\/\{webhookID\}$/,
    (n) => ({ segments: { webhookID: thing('webhook', n) }, body: json({ description: `renamed ${n}` }) }),
  ],
  [/\/webhooks\/\{webhookID\}/, (n) => ({ segments: { webhookID: thing('webhook', n) } })],
  [
    /\/keys\/\{keyID\}\/rotate$/,
    (n) => ({ segments: { keyID: thing('rotatableKey', n) }, body: '{"overlapSeconds":60}' }),
  ],
  [/^DELETE .*\/keys\/\{keyID\}$/, (n) => ({ segments: { keyID: thing('spareKey', n) } })],
  [
    /\/keys\/\{keyID\}/,
    (n) => ({ segments: { keyID: thing('key', n) }, body: json({ name: `renamed ${n}` }) }),
  ],
  [/\/keys$/, (n) => ({ body: json({ name: `drawn ${n}` }) })],
  [/ \/operator\/v1\/tokens\/\{/, (n) => ({ segments: { tokenID: thing('token', n, everywhere) } })],
  [/^POST \/operator\/v1\/tokens/, (n) => ({ body: json({ name: `drawn ${n}` }) })],
  [/ \/operator\/v1\/people\//, (n) => ({ segments: { personID: thing('person', n, everywhere) } })],
  [
    /\/people\/\{personID\}/,
    (n) => ({
      segments: { personID: thing('person', n) },
      body: json({ role: n % 2 ? 'viewer' : 'manager' }),
    }),
  ],
  [
    / \/operator\/v1\/invitations\//,
    (n) => ({ segments: { invitationID: thing('invitation', n, everywhere) } }),
  ],
  [/\/invitations\/\{/, (n) => ({ segments: { invitationID: thing('invitation', n) } })],
  [/ \/operator\/v1\/invitations$/, (n) => ({ body: json({ name: `Drawn ${n}` }) })],
  [/\/invitations$/, (n) => ({ body: json({ name: `Drawn ${n}`, role: 'viewer' }) })],
  [
    /^POST .*\/import$/,
    (n) => ({
      query: `?name=drawn-${n}`,
      body: `id\n${memberIds[n % memberIds.length]}\n`,
      headers: [['Content-Type', 'text/csv']],
      isRaw: true,
    }),
  ],
  [
    /\/wallets\/\{address\}$/,
    (n) => ({ segments: { memberID: memberIds[2] ?? '', address: thing('wallet', n) } }),
  ],
  [
    /^PUT .*\/identities\/\{identity\}$/,
    (n) => ({
      segments: { memberID: memberIds[2] ?? '', identity: `shop:drawn-${n % 8}` },
      body: json({ name: `Drawn ${n}` }),
    }),
  ],
  [
    /\/identities\/\{identity\}$/,
    (n) => ({ segments: { memberID: memberIds[2] ?? '', identity: thing('identity', n) } }),
  ],
  [
    /^POST .*\/members\/\{memberID\}\/merges$/,
    (n) => ({ segments: { memberID: '6599' }, body: json({ from: thing('mergeable', n), force: true }) }),
  ],
  [/\/merges\/\{mergeNumber\}/, (n) => ({ segments: { mergeNumber: thing('merge', n) } })],
  [/^POST .*\/wallets\/(challenges)$/, () => ({ body: json({ address: unmarkedWallet, chain }) })],
  [/^POST .*\/wallets\/links$/, () => ({ body: '{}' })],
  [
    /^POST .*\/members\/\{memberID\}\/wallets$/,
    () => ({ segments: { memberID: memberIds[1] ?? '' }, body: json({ address: unmarkedWallet }) }),
  ],
  [
    /^POST \/link\/\{token\}\/wallets$/,
    (n) => ({ segments: { token: thing('provenLink', n, yard) }, body: thing('proof', n, yard) }),
  ],
  [
    / \/link\/\{token\}/,
    (n) => ({ segments: { token: thing('link', n, yard) }, body: json({ address: unmarkedWallet, chain }) }),
  ],
  [
    /^POST \/console\/sign-in\/link$/,
    (n) => ({ body: json({ token: thing('signIn', n, everywhere) }), headers: [fromPage] }),
  ],
  [/^PATCH \/operator\/v1\/realms\/\{realmID\}$/, () => ({ body: json({ rateLimit: 'off' }) })],
  [/^PATCH \S*\/realms\/\{realmID\}$/, () => ({ body: json({ publicBoard: true }) })],
  [/\/leaderboard\/\{memberID\}$/, (n) => ({ segments: { memberID: memberIds[n % 12] ?? '' } })],
  [
    /\/points\/\{realmPointId\}$/,
    (n) => ({ segments: { realmPointId: 'silver' }, body: json({ name: `Silver ${n}` }) }),
  ],
  [
    /^PUT .*\/points\/\{realmPointId\}\/lapse$/,
    (n) => ({ segments: { realmPointId: 'silver' }, body: json({ after: { days: 300 + (n % 100) } }) }),
  ],
  [/^DELETE .*\/points\/\{realmPointId\}\/lapse$/, () => ({ segments: { realmPointId: 'bronze' } })],
  [/^GET .*\/points\/\{realmPointId\}\/(lapse|lapsing)$/, () => ({ segments: { realmPointId: 'silver' } })],
  [/^POST .*\/points$/, (n) => ({ body: json({ id: `drawn${n % 20}` }) })],
  [/^GET .*\/members\/includes$/, () => ({ query: `?wallets=${unmarkedWallet}` })],
  [/^PATCH .*\/members\/tokenBalance$/, (n) => ({ body: json({ entries: changes(n) }) })],
  [/^POST .*\/changes$/, (n) => ({ body: json({ changes: changes(n), atomic: n % 2 === 0 }) })],
  [/^POST \/operator\/v1\/realms$/, (n) => ({ body: json({ name: `Drawn ${n}` }) })],
  [
    /^PATCH .*\/members\/\{memberID\}\/tokenBalance$/,
    (n) => ({ body: json({ tokens: 1 + (n % 60), reference: `set-up ${n % 6}` }) }),
  ],
]

/** A recipe may use the names of two realms, and a public board would reveal them. */
const hasMarks = (realm: string): boolean => Object.values(realms).some(({ id }) => id === realm)

export function recipeFor({ title }: Operation, number: number, realm: string): Recipe {
  const [, make] = recipes.find(([form]) => form.test(title)) ?? []
  const made = make?.(number) ?? {}
  return made.body?.includes('publicBoard') && hasMarks(realm)
    ? { ...made, body: '{"publicBoard":false}' }
    : made
}
