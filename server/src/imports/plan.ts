import type { Database } from '../db/database.ts'
import { fingerprintOf, greatest, requestOf } from '../ledger/ledger.ts'
import type { RealmConfig } from '../realms/realms.ts'
import type { LinkRow, Wallets } from '../wallets/wallets.ts'
import type { Page } from './pages.ts'
import type { LineFault, Row } from './rows.ts'
import { readBalances, readMembers, readOpenings } from './store.ts'

/** An opening balance, and the request that makes it once, however often it is sent. */
export type Opening = {
  readonly line: number
  readonly member: string
  readonly point: string
  readonly amount: bigint
  readonly request: string
  readonly fingerprint: string
}

/** What is to be done for a page of rows. Where there is a fault, nothing is. */
export type Plan = {
  readonly rows: number
  readonly faults: readonly LineFault[]
  readonly created: readonly Row[]
  readonly updated: readonly Row[]
  readonly links: readonly LinkRow[]
  /** All that the rows tell of, and those among them that are still to be made. */
  readonly openings: readonly Opening[]
  readonly due: readonly Opening[]
}

export type Planning = {
  readonly db: Database
  readonly wallets: Wallets
  readonly realm: number
  readonly config: RealmConfig
  /** Of the import: with the member and the kind of points it names an opening balance. */
  readonly name: string
}

const nothingSaid = { reason: undefined, reference: undefined, metadata: undefined, actorId: undefined }

function openingsOf({ line, id, balances }: Row, name: string): Opening[] {
  return balances.map(({ point, amount }) => ({
    line,
    member: id,
    point,
    amount,
    // With blanks: no Idempotency-Key that came through the door is the same.
    request: requestOf(`import ${JSON.stringify(name)} member ${id} point ${point}`),
    fingerprint: fingerprintOf({
      kind: 'opening',
      said: [id, undefined, String(amount)],
      point,
      details: nothingSaid,
    }),
  }))
}

/** Compares a page with what is there. Changes nothing. */
export async function planPage(page: Page, planning: Planning): Promise<Plan> {
  const { db, wallets, realm, name } = planning
  const { rows } = page
  const own = db.within([realm])
  const openings = rows.flatMap((row) => openingsOf(row, name))
  const linked = rows.flatMap((row) => row.wallets.map((wallet) => ({ ...wallet, row })))
  const [members, there, owners] = await Promise.all([
    readMembers(
      own,
      realm,
      rows.map(({ id }) => id),
    ),
    readOpenings(
      own,
      realm,
      openings.map(({ request }) => request),
    ),
    wallets.ownersOf(
      realm,
      linked.map(({ match }) => match),
    ),
  ])
  const due = openings.filter(({ request }) => !there.has(request))
  const updated = rows.filter(({ id, username, displayName }) => {
    const names = members.get(id)
    if (!names) return false
    return (
      (username ?? names.username) !== names.username ||
      (displayName ?? names.display_name) !== names.display_name
    )
  })
  const old = due.filter(({ member }) => members.has(member))
  return {
    rows: rows.length,
    faults: [
      ...page.faults,
      ...changed(openings, there),
      ...taken(linked, owners),
      ...(old.length > 0 ? await tooMuch(old, planning) : []),
    ],
    created: rows.filter(({ id }) => !members.has(id)),
    updated,
    links: linked.flatMap(({ row, match, shown, chain }, index) =>
      owners[index] === null ? [{ member: row.id, match, shown, chain }] : [],
    ),
    openings,
    due,
  }
}

function changed(openings: readonly Opening[], there: ReadonlyMap<string, bigint>): LineFault[] {
  return openings.flatMap(({ line, member, amount, request }) => {
    const made = there.get(request)
    if (made === undefined || made === amount) return []
    const detail = `Member ${member} was given an opening balance of ${made} by this import before, not ${amount}.`
    return [{ line, detail }]
  })
}

type Linked = { readonly shown: string; readonly row: Row }

function taken(linked: readonly Linked[], owners: readonly (string | null)[]): LineFault[] {
  return linked.flatMap(({ shown, row }, index) => {
    const owner = owners[index] ?? null
    if (owner === null || owner === row.id) return []
    return [
      { line: row.line, detail: `Wallet ${shown} is linked to member ${owner}. Unlink it there first.` },
    ]
  })
}

/** Openings of members who have points already, which together would be too many. */
async function tooMuch(old: readonly Opening[], { db, realm, config }: Planning): Promise<LineFault[]> {
  const asked = old.map(({ member: id, point }) => ({ id, point: config.points.get(point)?.number ?? 0 }))
  const balances = await readBalances(db.within([realm]), realm, asked)
  return old.flatMap(({ line, member, point, amount }, index) => {
    const has = balances[index] ?? 0n
    const most = config.points.get(point)?.maxBalance ?? greatest
    if (has + amount <= most) return []
    return [
      { line, detail: `Member ${member} has ${has} already; with ${amount} it would be more than ${most}.` },
    ]
  })
}
