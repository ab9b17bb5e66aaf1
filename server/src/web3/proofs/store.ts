import type { Queryable, Writable } from '../../db/session.ts'

/** Times are the database's, so that processes whose clocks differ agree on what has expired. */
export const statements = {
  /** Issued to the millisecond, as the message says it. */
  insertChallenge: {
    name: 'proofs_insert_challenge',
    writes: true,
    text: `insert into challenges (realm, nonce, account, address, chain, issued_at, expires_at)
      select $1::integer, $2::text, $3::integer, $4::text, $5::text, n.at, n.at + $6::integer * interval '1 s'
      from (select date_trunc('milliseconds', clock_timestamp()) as at) n
      returning issued_at, expires_at`,
  },
  /** All challenges of a member but the newest. */
  dropOldest: {
    name: 'proofs_drop_oldest',
    writes: true,
    text: `delete from challenges where realm = $1 and nonce = any (array(
      select nonce from challenges where realm = $1 and account = $2
        order by issued_at desc, nonce offset $3 limit 100))`,
  },
  dropExpired: {
    name: 'proofs_drop_expired',
    writes: true,
    text: `delete from challenges where realm = $1 and nonce = any (array(
      select nonce from challenges where realm = $1 and expires_at < clock_timestamp() - interval '1 hour'
        order by expires_at limit 100))`,
  },
  /** A second caller finds nothing. */
  takeChallenge: {
    name: 'proofs_take_challenge',
    writes: true,
    text: `delete from challenges where realm = $1 and nonce = $2
      returning account, address, chain, issued_at, expires_at,
        expires_at > clock_timestamp() and issued_at <= clock_timestamp() as live`,
  },
  insertLink: {
    name: 'proofs_insert_link',
    writes: true,
    text: `insert into page_links (realm, hash, account, return_url, made_by_person, expires_at)
      values ($1, $2, $3, $4, $5, clock_timestamp() + $6::integer * interval '1 s') returning expires_at`,
  },
  dropLinks: {
    name: 'proofs_drop_links',
    writes: true,
    text: `delete from page_links where realm = $1 and hash = any (array(
      select hash from page_links where realm = $1 and expires_at < clock_timestamp() - interval '1 day'
        order by expires_at limit 100))`,
  },
  readLink: {
    name: 'proofs_read_link',
    text: `select l.account, m.id::text as member, m.username, m.display_name, l.return_url, l.expires_at,
        l.used_at is not null as used, l.expires_at > clock_timestamp() as live
      from page_links l cross join lateral (select id, username, display_name from members
        where realm = $1 and account = l.account limit 1) m
      where l.realm = $1 and l.hash = $2`,
  },
  countChallenge: {
    name: 'proofs_count_challenge',
    writes: true,
    text: `update page_links set challenges = challenges + 1
      where realm = $1 and hash = $2 and used_at is null and challenges < $3
        and expires_at > clock_timestamp()`,
  },
  useLink: {
    name: 'proofs_use_link',
    writes: true,
    text: `update page_links set used_at = clock_timestamp()
      where realm = $1 and hash = $2 and used_at is null and expires_at > clock_timestamp()`,
  },
  forgetChallenges: {
    name: 'proofs_forget_challenges',
    writes: true,
    text: 'delete from challenges where realm = $1 and account = $2',
  },
  /** Those of these realms where a person has made a link: a few, of all that the person was in. */
  listLinkRealms: {
    name: 'proofs_list_link_realms',
    text: `select asked.realm from unnest($1::integer[]) as asked (realm)
      cross join lateral (select from page_links
        where realm = asked.realm and made_by_person = $2 limit 1) f limit 1000`,
  },
  forgetLinksMadeBy: {
    name: 'proofs_forget_links_made_by',
    writes: true,
    text: `delete from page_links l using (
        select asked.realm, f.place from unnest($1::integer[]) as asked (realm)
        cross join lateral (select ctid as place from page_links
          where realm = asked.realm and made_by_person = $2 limit 1000) f offset 0) as made
      where l.ctid = made.place and l.realm = made.realm`,
  },
  forgetLinks: {
    name: 'proofs_forget_links',
    writes: true,
    text: 'delete from page_links where realm = $1 and account = $2',
  },
} as const

export type ChallengeRow = {
  account: number
  address: string
  chain: string
  issued_at: Date
  expires_at: Date
  live: boolean
}

export type NewChallenge = {
  readonly realm: number
  readonly nonce: string
  readonly account: number
  readonly address: string
  readonly chain: string
}

type Life = { readonly issuedAt: Date; readonly expiresAt: Date }

export async function insertChallenge(db: Writable, made: NewChallenge, seconds: number): Promise<Life> {
  const { realm, nonce, account, address, chain } = made
  const values = [realm, nonce, account, address, chain, seconds]
  const { rows } = await db.query<{ issued_at: Date; expires_at: Date }>(statements.insertChallenge, values)
  const [row] = rows
  if (!row) throw new Error('a challenge was not stored')
  return { issuedAt: row.issued_at, expiresAt: row.expires_at }
}

/** Leaves a member its newest `keep` challenges, and deletes expired ones. */
export async function sweep(
  db: Writable,
  { realm, account, keep }: { readonly realm: number; readonly account: number; readonly keep: number },
): Promise<void> {
  await db.query(statements.dropOldest, [realm, account, keep])
  await db.query(statements.dropExpired, [realm])
}

export async function takeChallenge(
  db: Writable,
  realm: number,
  nonce: string,
): Promise<ChallengeRow | undefined> {
  return (await db.query<ChallengeRow>(statements.takeChallenge, [realm, nonce])).rows[0]
}

export type NewLink = {
  readonly realm: number
  readonly hash: Buffer
  readonly account: number
  readonly returnUrl: string | null
  readonly madeByPerson: number | null
}

export async function insertLink(db: Writable, link: NewLink, seconds: number): Promise<Date> {
  const { realm, hash, account, returnUrl, madeByPerson } = link
  await db.query(statements.dropLinks, [realm])
  const values = [realm, hash, account, returnUrl, madeByPerson, seconds]
  const { rows } = await db.query<{ expires_at: Date }>(statements.insertLink, values)
  if (!rows[0]) throw new Error('a link was not stored')
  return rows[0].expires_at
}

export type LinkRow = {
  account: number
  member: string
  username: string | null
  display_name: string | null
  return_url: string | null
  expires_at: Date
  used: boolean
  live: boolean
}

export async function readLink(db: Queryable, realm: number, hash: Buffer): Promise<LinkRow | undefined> {
  return (await db.query<LinkRow>(statements.readLink, [realm, hash])).rows[0]
}

/** False when there were too many already, or the link is no longer valid. */
export async function countChallenge(
  db: Writable,
  { realm, hash, most }: { readonly realm: number; readonly hash: Buffer; readonly most: number },
): Promise<boolean> {
  return (await db.query(statements.countChallenge, [realm, hash, most])).count === 1
}

/** False when it was used before, or has expired. */
export async function useLink(db: Writable, realm: number, hash: Buffer): Promise<boolean> {
  return (await db.query(statements.useLink, [realm, hash])).count === 1
}

export async function forgetProofs(db: Writable, realm: number, account: number): Promise<void> {
  await db.query(statements.forgetChallenges, [realm, account])
  await db.query(statements.forgetLinks, [realm, account])
}

/** The caller must have bound these realms. */
export async function listLinkRealms(
  tx: Queryable,
  realms: readonly number[],
  person: number,
): Promise<number[]> {
  const { rows } = await tx.query<{ realm: number }>(statements.listLinkRealms, [realms, person])
  return rows.map(({ realm }) => realm)
}

/** The caller must have bound these realms. */
export async function forgetLinksMadeBy(
  tx: Writable,
  realms: readonly number[],
  person: number,
): Promise<void> {
  await tx.query(statements.forgetLinksMadeBy, [realms, person])
}
