/**
 * Things that a route needs to succeed and whose id the server generates: a hold, a snapshot, a session.
 * A draft names one by its kind, its realm and a number, [[hold.amber-41d6c0de.7]]; the id is filled in when
 * the request is sent. So the same seed draws the same drafts, whatever ids a server generates.
 */
export const kinds = [
  'hold',
  'award',
  'entry',
  'wallet',
  'identity',
  'merge',
  /** A member that may be merged. */
  'mergeable',
  'snapshot',
  /** One that may be deleted. */
  'spareSnapshot',
  'collection',
  'webhook',
  /** One that may be deleted. */
  'spareWebhook',
  /** One that waits for an event to be delivered or skipped. */
  'blockedWebhook',
  'key',
  /** One that may be replaced. */
  'rotatableKey',
  /** One that may be revoked. */
  'spareKey',
  'person',
  'invitation',
  /** One to the address of the person who is signed in. */
  'received',
  'token',
  'link',
  'provenLink',
  'proof',
  'signIn',
  'session',
] as const
export type Kind = (typeof kinds)[number]

/** The realm of things that belong to the whole installation. */
export const everywhere = 'all'

const most = 2_000

/** [[kind.realm.number]], case-insensitive: a twist may have upper-cased a path. */
const form = /\[\[([a-z]+\.[a-z0-9-]*)\.(\d+)\]\]/gi

export const thing = (kind: Kind, number: number, realm = '{realmID}'): string =>
  `[[${kind}.${realm}.${number}]]`

/** What a success creates, by the end of its method and path: the field of the response that has its id. */
const makers: readonly (readonly [RegExp, Kind, string])[] = [
  [/^POST \S*\/holds$/, 'hold', 'holdId'],
  [/^POST \S*\/members\/[^/]+\/awards$/, 'award', 'awardId'],
  [/^PATCH \S*\/members\/[^/]+\/tokenBalance$/, 'entry', 'transactionId'],
  [/^POST \S*\/snapshots$/, 'spareSnapshot', 'id'],
  [/^PUT \S*\/web3\/collections\/[^/]+$/, 'collection', 'id'],
  [/^PUT \S*\/identities\/[^/]+$/, 'identity', 'identity'],
  [/^POST \S*\/webhooks$/, 'spareWebhook', 'id'],
  [/^POST \S*\/keys$/, 'rotatableKey', 'id'],
  [/^POST \S*\/invitations$/, 'invitation', 'id'],
  [/^POST \S*\/operator\/v1\/tokens$/, 'token', 'id'],
]

/** Everything created so far, by kind and realm. */
export class Things {
  readonly #made = new Map<string, string[]>()

  add(kind: Kind, realm: string, value: string): void {
    const key = `${kind}.${realm}`.toLowerCase()
    const all = this.#made.get(key) ?? []
    // The first ones stay: some are created only during set-up.
    if (all.length < most) all.push(value)
    this.#made.set(key, all)
  }

  /** Adds what the response to a successful request names. */
  hear(line: string, text: string): void {
    const [, kind, field = ''] = makers.find(([form]) => form.test(line)) ?? []
    if (!kind) return
    const realm = /\/realms\/([^/]+)/.exec(line)?.[1] ?? everywhere
    const value = (JSON.parse(text) as Readonly<Record<string, unknown>>)[field]
    if (typeof value === 'string') this.add(kind, realm, value)
  }

  /** Replaces every thing with its id; one that does not exist acts as a wrong id. */
  fill(text: string): string {
    if (!text.includes('[[')) return text
    return text.replaceAll(form, (_all, key: string, number: string) => {
      const all = this.#made.get(key.toLowerCase()) ?? []
      return all[Number(number) % all.length] ?? '999999'
    })
  }
}
