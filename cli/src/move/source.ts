import { type Leaderboard, NotFoundError, Realm } from '@exchequer/sdk'
import { withoutLoss } from '../files.ts'

/** A member as the old service returns it. */
export type OldMember = {
  readonly id: string
  readonly username: string | undefined
  readonly displayName: string | undefined
  readonly wallets: readonly { readonly address: string; readonly chain: string | undefined }[]
  /** By the old service's point types, its default first. */
  readonly balances: Readonly<Record<string, number>>
  /** Points on hold there, which are not imported. */
  readonly held: number
}

export type OldAccess = { readonly url: string; readonly realm: string; readonly key: string }

const pageSize = 1000
/** More places than this is not a real leaderboard. */
const pageCap = 100_000

/** IDs may be numbers in its responses: every digit is kept. */
const fetchWithoutLoss: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init)
  const { status, headers } = answer
  return new Response(withoutLoss(await answer.text()), { status, headers })
}

/** A service with the v4 API: an old one or ours. It can't list its members, only rank them. */
export class OldService {
  readonly #realm: Realm

  constructor(access: OldAccess) {
    this.#realm = new Realm({ ...access, fetch: fetchWithoutLoss, retries: 10, longestWaitMs: 60_000 })
  }

  /** The places of its leaderboard, page by page if paged; empty when it has no leaderboard. */
  async *places(realmPointId?: string): AsyncGenerator<Leaderboard['members'][number]> {
    let cursor: string | undefined
    for (let page = 0; page < pageCap; page += 1) {
      const board = await this.#page({
        limit: pageSize,
        ...(realmPointId === undefined ? {} : { realmPointId }),
        ...(cursor === undefined ? {} : { cursor }),
      })
      for (const place of board?.members ?? []) yield { ...place, id: String(place.id) }
      // An old service has no pages and returns no cursor.
      if (!board?.next || board.next === cursor) return
      cursor = board.next
    }
  }

  async #page(options: Parameters<Realm['leaderboard']>[0]): Promise<Partial<Leaderboard> | undefined> {
    try {
      return await this.#realm.leaderboard(options).page()
    } catch (error) {
      if (error instanceof NotFoundError) return undefined
      throw error
    }
  }

  /** One member, with its wallets if requested; undefined when it does not exist. */
  async member(id: string, withWallets: boolean): Promise<OldMember | undefined> {
    try {
      const member = this.#realm.member(id)
      const { username, displayName, balances, tokenBalance, held } = await member.get()
      return {
        id,
        username: username ?? undefined,
        displayName: displayName ?? undefined,
        // A service without point types returns a single balance.
        balances: balances ?? { default: tokenBalance },
        held: Object.values(held ?? {}).reduce((sum, tokens) => sum + tokens, 0),
        wallets: withWallets ? await this.#wallets(id) : [],
      }
    } catch (error) {
      if (error instanceof NotFoundError) return undefined
      throw error
    }
  }

  async #wallets(id: string): Promise<OldMember['wallets']> {
    type OldWallets = readonly ({ readonly address?: string; readonly chain?: string } | string)[]
    const { wallets = [] } = (await this.#realm.member(id).web3()) as unknown as { wallets?: OldWallets }
    return wallets.flatMap((one) => {
      const { address, chain } = typeof one === 'string' ? { address: one, chain: undefined } : one
      return address ? [{ address, chain }] : []
    })
  }
}
