import { setImmediate as pause } from 'node:timers/promises'
import { plainArray as plain, textArray as texts } from '../db/arrays.ts'
import type { Answer, Queryable } from '../db/session.ts'

const shown = `s.id, p.id as point, s.chain, s.seq, encode(s.hash, 'hex') as hash, s.first_seq, s.taken_at,
        s.members, s.tokens::text, s.unproved, s.unproved_tokens::text, s.frozen, s.frozen_tokens::text,
        encode(substring(s.tree from 1 for 32), 'hex') as root`
const itsPoint = 'cross join lateral (select id from points where realm = $1 and number = s.point limit 1) p'

export const statements = {
  /**
   * Who has points of a kind at an entry, by account, with the wallet that was proved first of those that
   * are the same on this chain: an account's, or a contract's that was proved there. A balance that has moved
   * since is told by the last entry before.
   */
  readHolders: {
    name: 'snapshots_read_holders',
    text: `select h.account, m.id::text, m.frozen_at is not null as frozen, h.balance, h.seq, w.address
      from (select b.account, b.seq, case when b.seq <= $4 then b.balance else (
          select j.balance from (
            (select seq, from_balance as balance from bound_journal
              where b.seq > $4 and realm = $1 and from_account = b.account and from_account > 0 and seq <= $4
                and point = $2 order by seq desc limit 1)
            union all
            (select seq, to_balance from bound_journal
              where b.seq > $4 and realm = $1 and to_account = b.account and to_account > 0 and seq <= $4
                and point = $2 order by seq desc limit 1)
          ) j order by j.seq desc limit 1) end as balance
        from balances b where b.realm = $1 and b.account > $5 and b.point = $2) h
      cross join lateral (select id, frozen_at from members
        where realm = $1 and account = h.account limit 1) m
      left join lateral (select address from wallets
        where realm = $1 and account = h.account and verified_at is not null and chain in ('eip155', $3)
        order by verified_at, match limit 1) w on true
      where h.balance > 0 order by h.account limit $6`,
  },
  readHash: {
    name: 'snapshots_read_hash',
    text: `select h.seq as head, (select encode(j.hash, 'hex') from bound_journal j
          where j.realm = $1 and j.seq = coalesce($2::bigint, h.seq)) as hash
      from heads h where h.realm = $1`,
  },
  count: { name: 'snapshots_count', text: 'select count(*)::integer from snapshots where realm = $1' },
  insert: {
    name: 'snapshots_insert',
    text: `insert into snapshots (realm, id, point, chain, seq, hash, first_seq, members, tokens, unproved,
        unproved_tokens, frozen, frozen_tokens)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
  },
  insertMembers: {
    name: 'snapshots_insert_members',
    text: `insert into snapshot_members (realm, snapshot, account, amount, frozen, address)
      select $1::integer, $2::text, * from unnest($3::integer[], $4::bigint[], $5::boolean[], $6::text[])`,
  },
  list: {
    name: 'snapshots_list',
    text: `select ${shown} from snapshots s ${itsPoint} where s.realm = $1 order by s.taken_at desc, s.id`,
  },
  find: {
    name: 'snapshots_find',
    text: `select ${shown} from snapshots s ${itsPoint} where s.realm = $1 and s.id = $2`,
  },
  /** By account, with the member as long as it is one. */
  readMembers: {
    name: 'snapshots_read_members',
    text: `select s.account, m.id::text, s.amount, s.frozen, s.address, s.leaf, s.place
      from snapshot_members s
      left join lateral (select id from members where realm = $1 and account = s.account limit 1) m on true
      where s.realm = $1 and s.snapshot = $2 and s.account > $3
        and ($5::boolean is null or (s.leaf is null and (s.address is null or s.frozen)) = $5)
      order by s.account limit $4`,
  },
  findMember: {
    name: 'snapshots_find_member',
    text: `select s.account, m.id::text, s.amount, s.frozen, s.address, s.leaf, s.place
      from members m
      cross join lateral (select * from snapshot_members
        where realm = $1 and snapshot = $2 and account = m.account limit 1) s
      where m.realm = $1 and m.id = $3`,
  },
  /** Many bytes at once, or single nodes. */
  readNodes: {
    name: 'snapshots_read_nodes',
    text: `select encode(substring(tree from $3::integer + 1 for $4::integer), 'hex') as nodes
      from snapshots where realm = $1 and id = $2`,
  },
  readSiblings: {
    name: 'snapshots_read_siblings',
    text: `select encode(substring(s.tree from asked.place * 32 + 1 for 32), 'hex') as node
      from snapshots s cross join unnest($3::integer[]) with ordinality as asked (place, step)
      where s.realm = $1 and s.id = $2 order by asked.step`,
  },
  keepPlaces: {
    name: 'snapshots_keep_places',
    text: `with known as (
        select n.place, s.row from unnest($3::integer[], $4::integer[]) as n (account, place)
        cross join lateral (select ctid as row from snapshot_members
          where realm = $1 and snapshot = $2 and account = n.account limit 1) s offset 0)
      update snapshot_members s set place = k.place from known k where s.ctid = k.row
        and s.realm is not distinct from $1`,
  },
  keepTree: {
    name: 'snapshots_keep_tree',
    text: 'update snapshots set tree = $3 where realm = $1 and id = $2',
  },
  deleteMembers: {
    name: 'snapshots_delete_members',
    text: 'delete from snapshot_members where realm = $1 and snapshot = $2',
  },
  delete: {
    name: 'snapshots_delete',
    text: 'delete from snapshots where realm = $1 and id = $2 and first_seq is null',
  },
  readOfAccount: {
    name: 'snapshots_read_of_account',
    text: `select snapshot, amount, address, frozen from snapshot_members
      where realm = $1 and account = $2 and leaf is null`,
  },
  /** Of who is in a tree. */
  forgetAddress: {
    name: 'snapshots_forget_address',
    text: `update snapshot_members set address = null, leaf = $4
      where realm = $1 and snapshot = $2 and account = $3`,
  },
  deleteMember: {
    name: 'snapshots_delete_member',
    text: 'delete from snapshot_members where realm = $1 and snapshot = $2 and account = $3',
  },
} as const

export type HolderRow = {
  account: number
  id: string
  frozen: boolean
  balance: bigint
  seq: bigint
  address: string | null
}
export type SnapshotRow = {
  id: string
  point: string
  chain: string
  seq: bigint
  hash: string
  first_seq: bigint | null
  taken_at: Date
  members: number
  tokens: string
  unproved: number
  unproved_tokens: string
  frozen: number
  frozen_tokens: string
  /** Null until its tree is built. */
  root: string | null
}
export type MemberRow = {
  account: number
  /** Null when it is no longer a member. */
  id: string | null
  amount: bigint
  frozen: boolean
  address: string | null
  leaf: Buffer | null
  place: number | null
}

const pageSize = 2_000

type Asked = {
  readonly point: number
  readonly chain: string
  readonly seq: bigint
}

/** In pages, by account. */
export async function* readHolders(
  db: Queryable,
  realm: number,
  { point, chain, seq }: Asked,
): AsyncGenerator<HolderRow[]> {
  for (let after = 0; ; ) {
    const values = [realm, point, chain, seq, after, pageSize]
    const { rows } = await db.query<HolderRow>(statements.readHolders, values)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    if (rows.length < pageSize) return
    after = last.account
  }
}

/** The hash of an entry, the last one unless given; null when there is no such entry. */
export async function readHash(
  db: Queryable,
  realm: number,
  seq: bigint | undefined,
): Promise<{ head: bigint; hash: string | null }> {
  const { rows } = await db.query<{ head: bigint; hash: string | null }>(statements.readHash, [realm, seq])
  const [row] = rows
  if (!row) throw new Error(`the head of realm ${realm} is missing`)
  return row
}

export async function countSnapshots(db: Queryable, realm: number): Promise<number> {
  return (await db.query<{ count: number }>(statements.count, [realm])).rows[0]?.count ?? 0
}

export type NewSnapshot = Omit<SnapshotRow, 'point' | 'taken_at' | 'root'> & {
  readonly realm: number
  readonly point: number
}

export function insertSnapshot(db: Queryable, made: NewSnapshot): Promise<Answer<never>> {
  const { realm, id, point, chain, seq, hash, first_seq: first, members, tokens } = made
  const apart = [made.unproved, made.unproved_tokens, made.frozen, made.frozen_tokens]
  const values = [realm, id, point, chain, seq, Buffer.from(hash, 'hex'), first, members, tokens, ...apart]
  return db.query(statements.insert, values)
}

export type NewMember = Pick<MemberRow, 'account' | 'amount' | 'frozen' | 'address'>

/** Pages of rows, each sent without waiting for the one before. */
export async function insertMembers(
  db: Queryable,
  { realm, id }: { readonly realm: number; readonly id: string },
  all: readonly NewMember[],
): Promise<void> {
  const sent: Promise<Answer<never>>[] = []
  for (let from = 0; from < all.length; from += pageSize) {
    const some = all.slice(from, from + pageSize)
    const columns = [
      plain(some, ({ account }) => account),
      plain(some, ({ amount }) => amount),
      plain(some, ({ frozen }) => String(frozen)),
      texts(some, ({ address }) => address),
    ]
    const page = db.query<never>(statements.insertMembers, [realm, id, ...columns])
    page.catch(() => {})
    sent.push(page)
    await pause()
  }
  await Promise.all(sent)
}

export async function listSnapshots(db: Queryable, realm: number): Promise<SnapshotRow[]> {
  return (await db.query<SnapshotRow>(statements.list, [realm])).rows
}

export async function findSnapshot(
  db: Queryable,
  realm: number,
  id: string,
): Promise<SnapshotRow | undefined> {
  return (await db.query<SnapshotRow>(statements.find, [realm, id])).rows[0]
}

export type Which = { readonly realm: number; readonly id: string }

export type MemberPage = {
  readonly after: number
  readonly limit: number
  /** Only those who stand apart, or those who do not; all when null. */
  readonly apart: boolean | null
}

export async function readMemberPage(
  db: Queryable,
  { realm, id }: Which,
  { after, limit, apart }: MemberPage,
): Promise<MemberRow[]> {
  return (await db.query<MemberRow>(statements.readMembers, [realm, id, after, limit, apart])).rows
}

export async function* readMembers(db: Queryable, which: Which): AsyncGenerator<MemberRow[]> {
  for (let after = 0; ; ) {
    const rows = await readMemberPage(db, which, { after, limit: pageSize, apart: null })
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.account
  }
}

export async function findMember(
  db: Queryable,
  { realm, id }: Which,
  member: string,
): Promise<MemberRow | undefined> {
  return (await db.query<MemberRow>(statements.findMember, [realm, id, member])).rows[0]
}

/** Bytes of the tree as hex, from one on. */
export async function readNodes(
  db: Queryable,
  { realm, id }: Which,
  { from, length }: { readonly from: number; readonly length: number },
): Promise<string> {
  const { rows } = await db.query<{ nodes: string | null }>(statements.readNodes, [realm, id, from, length])
  return rows[0]?.nodes ?? ''
}

export async function readSiblings(
  db: Queryable,
  { realm, id }: Which,
  places: readonly number[],
): Promise<string[]> {
  const values = [realm, id, plain(places, (place) => place)]
  return (await db.query<{ node: string }>(statements.readSiblings, values)).rows.map(({ node }) => node)
}

export async function keepTree(
  tx: Queryable,
  { realm, id }: Which,
  { nodes, placeOf }: { readonly nodes: Buffer; readonly placeOf: ReadonlyMap<number, number> },
): Promise<void> {
  const all = [...placeOf]
  for (let from = 0; from < all.length; from += pageSize) {
    const some = all.slice(from, from + pageSize)
    const columns = [plain(some, ([account]) => account), plain(some, ([, place]) => place)]
    await tx.query(statements.keepPlaces, [realm, id, ...columns])
  }
  await tx.query(statements.keepTree, [realm, id, nodes])
}

/** Whether it was one that can be deleted. */
export async function deleteSnapshot(tx: Queryable, { realm, id }: Which): Promise<boolean> {
  const { count } = await tx.query(statements.delete, [realm, id])
  if (count === 1) await tx.query(statements.deleteMembers, [realm, id])
  return count === 1
}

type OfAccount = { snapshot: string; amount: bigint; address: string | null; frozen: boolean }

export async function readOfAccount(tx: Queryable, realm: number, account: number): Promise<OfAccount[]> {
  return (await tx.query<OfAccount>(statements.readOfAccount, [realm, account])).rows
}

/** Of someone in the tree its leaf is kept; of others nothing. */
export async function forgetMember(
  tx: Queryable,
  { realm, id }: Which,
  { account, leaf }: { readonly account: number; readonly leaf: Buffer | undefined },
): Promise<void> {
  if (leaf) await tx.query(statements.forgetAddress, [realm, id, account, leaf])
  else await tx.query(statements.deleteMember, [realm, id, account])
}
