import type { RealmScoped } from '../../db/rowSecurity.ts'
import type { Queryable } from '../../db/session.ts'
import { entryTypeOf, ownerOf } from '../../ledger/index.ts'
import { idCell, numberCell, rowOf, textCell } from './csv.ts'
import { piecesOf } from './pieces.ts'
import { realmLines } from './realm.ts'
import {
  type BalanceRow,
  type ListedEntry,
  MemberLeft,
  readBalancesAt,
  readListedEntries,
  readMembers,
  readRealm,
  readWallets,
  type WalletRow,
  type Whole,
} from './store.ts'

export { unguard } from './guard.ts'

/** An export: text in pieces, consistent as of one entry. */
export type Export = { readonly seq: bigint; readonly hash: string; readonly chunks: AsyncIterable<string> }

export const exportKinds = ['members', 'balances', 'entries'] as const
export type ExportKind = (typeof exportKinds)[number]

/** Exports a realm, in pages and short transactions, while writes go on. */
export class Exports {
  readonly #db: RealmScoped

  constructor(db: RealmScoped) {
    this.#db = db
  }

  /** As CSV. Data that is not in the journal, such as names, is as of when its page is read. */
  async csv(realm: number, kind: ExportKind): Promise<Export> {
    const db = this.#db.within([realm])
    const whole = await readRealm(db, realm)
    return { seq: whole.seq, hash: whole.hash, chunks: writers[kind](db, realm, whole) }
  }

  /** Everything as NDJSON, to be loaded elsewhere. */
  async ndjson(realm: number): Promise<Export> {
    const db = this.#db.within([realm])
    const whole = await readRealm(db, realm)
    return { seq: whole.seq, hash: whole.hash, chunks: realmLines(db, realm, whole) }
  }
}

type Writer = (db: Queryable, realm: number, whole: Whole) => AsyncGenerator<string>

const writers: Readonly<Record<ExportKind, Writer>> = {
  members: memberRows,
  balances: balanceRows,
  entries: entryRows,
}

async function* memberRows(db: Queryable, realm: number, whole: Whole): AsyncGenerator<string> {
  yield rowOf(['id', 'username', 'displayName', 'wallet', 'chain', 'joinedAt'])
  for await (const { rows, ...range } of readMembers(db, realm, whole.next_account)) {
    const wallets = Map.groupBy(await readWallets(db, realm, range), ({ account }) => account)
    const listed = (account: number, field: (wallet: WalletRow) => string) =>
      textCell((wallets.get(account) ?? []).map(field).join(';'))
    yield* piecesOf(rows, ({ account, id, username, display_name: displayName, joined_at: joinedAt }) =>
      rowOf([
        idCell(id),
        textCell(username),
        textCell(displayName),
        listed(account, ({ address }) => address),
        listed(account, ({ chain }) => chain),
        joinedAt,
      ]),
    )
  }
}

/** Each member, with its spendable and held balances. */
async function* balanceRows(db: Queryable, realm: number, whole: Whole): AsyncGenerator<string> {
  const { points, seq } = whole
  const columns = points.flatMap(({ id }) => [`balance:${id}`, `held:${id}`])
  yield rowOf(['id', 'username', 'displayName', ...columns])
  let after = 0
  for await (const { rows, ...range } of readMembers(db, realm, whole.next_account)) {
    after = range.upTo
    const listed = await readBalancesAt(db, realm, { ...range, seq })
    assertOwned(listed, new Set(rows.map(({ account }) => account)))
    const balances = new Map(listed.map((row) => [placeOf(row), row.balance]))
    yield* piecesOf(rows, ({ account, id, username, display_name: displayName }) => {
      const cells = points.flatMap(({ number: point }) => [
        numberCell(balances.get(placeOf({ account, point })) ?? 0n),
        numberCell(balances.get(placeOf({ account: -account, point })) ?? 0n),
      ])
      return rowOf([idCell(id), textCell(username), textCell(displayName), ...cells])
    })
  }
  for (; after < whole.next_account - 1; after += tailPiece) {
    const upTo = Math.min(after + tailPiece, whole.next_account - 1)
    assertOwned(await readBalancesAt(db, realm, { after, upTo, seq }), new Set())
  }
}

/** Accounts after the last member that are read in one transaction. */
const tailPiece = 2_000

/**
 * A member without points may be removed meanwhile; points without a member would be missing from the file.
 */
function assertOwned(balances: readonly BalanceRow[], members: ReadonlySet<number>): void {
  const isOrphan = ({ account, balance }: BalanceRow) => balance > 0n && !members.has(ownerOf(account))
  if (balances.some(isOrphan)) throw new MemberLeft()
}

const placeOf = ({ account, point }: Omit<BalanceRow, 'balance'>): string => `${account}:${point}`

const entryColumns =
  'seq,at,type,keyId,realmPointId,fromId,toId,tokens,fromBalance,toBalance,link,' +
  'reason,reference,metadata,actorId'

async function* entryRows(db: Queryable, realm: number, whole: Whole): AsyncGenerator<string> {
  const points = new Map(whole.points.map(({ number, id }) => [number, id]))
  yield `${entryColumns}\r\n`
  for await (const rows of readListedEntries(db, realm, whole.seq)) {
    yield* piecesOf(rows, (row) => entryRow(row, points.get(row.point) ?? ''))
  }
}

function entryRow(row: ListedEntry, point: string): string {
  return rowOf([
    numberCell(row.seq),
    row.at,
    entryTypeOf(row.kind),
    String(row.key),
    idCell(point),
    idCell(row.from_id),
    idCell(row.to_id),
    numberCell(row.amount),
    numberCell(row.from_balance),
    numberCell(row.to_balance),
    numberCell(row.link),
    textCell(row.reason),
    textCell(row.reference),
    textCell(row.metadata),
    idCell(row.actor_id),
  ])
}
