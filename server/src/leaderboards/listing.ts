import type { Ranking } from './ranking.ts'

/** Where a page ended: the next one begins after it, even if ranks change meanwhile. */
export type Cursor = { readonly score: number; readonly account: number }

export type RankedAccount = { readonly account: number; readonly score: number; readonly rank: number }

export type Listing = {
  readonly ranked: readonly RankedAccount[]
  /** Undefined after the last page. */
  readonly next: Cursor | undefined
  /** How many members are ranked. */
  readonly total: number
}

type Accounts = ReadonlySet<number>

/** One more than the number of members with a greater score; excluded members do not count. */
export function rankOf(ranking: Ranking, score: number, without: Accounts): number {
  let rank = 1 + ranking.greater(score)
  for (const account of without) {
    if (ranking.isListed(account) && ranking.scoreOf(account) > score) rank -= 1
  }
  return rank
}

function totalOf(ranking: Ranking, without: Accounts): number {
  let total = ranking.size
  for (const account of without) if (ranking.isListed(account)) total -= 1
  return total
}

/** The accounts from a position on, without excluded ones. */
function some(ranking: Ranking, at: { from: number; count: number }, without: Accounts): number[] {
  const found = ranking.slice(at.from, at.count + without.size)
  return found.filter((account) => !without.has(account)).slice(0, at.count)
}

function ranked(ranking: Ranking, accounts: readonly number[], without: Accounts): RankedAccount[] {
  let last: RankedAccount | undefined
  return accounts.map((account) => {
    const score = ranking.scoreOf(account)
    const rank = last?.score === score ? last.rank : rankOf(ranking, score, without)
    last = { account, score, rank }
    return last
  })
}

export type RankingQuery = {
  readonly after: Cursor | undefined
  readonly limit: number
  readonly without: Accounts
}

export function listOf(ranking: Ranking, { after, limit, without }: RankingQuery): Listing {
  const from = after ? ranking.before({ score: after.score, account: after.account + 1 }) : 0
  // One more than the limit, to know whether there is a next page.
  const accounts = some(ranking, { from, count: limit + 1 }, without)
  const shown = ranked(ranking, accounts.slice(0, limit), without)
  const last = shown.at(-1)
  return {
    ranked: shown,
    next: accounts.length > limit && last ? { score: last.score, account: last.account } : undefined,
    total: totalOf(ranking, without),
  }
}

export type Neighbourhood = {
  /** Undefined for a member that is not ranked. */
  readonly own: RankedAccount | undefined
  /** The members directly above, best first, and those directly below. */
  readonly above: readonly RankedAccount[]
  readonly below: readonly RankedAccount[]
  readonly total: number
}

/** A member's rank, and the ranks around it. */
export function placeOf(
  ranking: Ranking,
  account: number,
  { neighbours, without }: { readonly neighbours: number; readonly without: Accounts },
): Neighbourhood {
  const total = totalOf(ranking, without)
  if (!ranking.isListed(account)) return { own: undefined, above: [], below: [], total }
  // The requested member itself is never excluded.
  const others = new Set([...without].filter((one) => one !== account))
  const score = ranking.scoreOf(account)
  const at = ranking.before({ score, account })
  const room = neighbours + others.size
  const before = ranking.slice(Math.max(0, at - room), Math.min(at, room))
  const above = before.filter((one) => !others.has(one)).slice(neighbours === 0 ? before.length : -neighbours)
  const below = some(ranking, { from: at + 1, count: neighbours }, others)
  return {
    own: { account, score, rank: rankOf(ranking, score, others) },
    above: ranked(ranking, above, others),
    below: ranked(ranking, below, others),
    total: totalOf(ranking, others),
  }
}
