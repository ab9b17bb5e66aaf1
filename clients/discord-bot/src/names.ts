import { MovedError, NotFoundError, type Realm, responseOf } from '@exchequer/sdk'
import type { User } from './interaction.ts'

const knownCap = 10_000

/**
 * Keeps usernames, names and avatars of members as Discord has them. A member has the id of its user.
 * One read for each user after a start, and a write only when something has changed since.
 */
export class Names {
  readonly #realm: Realm
  readonly #known = new Map<string, string>()

  constructor(realm: Realm) {
    this.#realm = realm
  }

  /** Creates a member who is not one yet, so that it can receive points. */
  async keep(user: User): Promise<void> {
    const current = JSON.stringify([user.username, user.displayName, user.avatar])
    if (this.#known.get(user.id) === current) return
    try {
      await this.#put(user)
    } catch (error) {
      // A manager changed the member meanwhile: the next interaction compares again.
      if (error instanceof MovedError) return
      throw error
    }
    if (this.#known.size >= knownCap) this.#known.clear()
    this.#known.set(user.id, current)
  }

  async #put({ id, username, displayName, avatar }: User): Promise<void> {
    const member = this.#realm.member(id)
    const profile = await member.profile().catch((error: unknown) => {
      if (error instanceof NotFoundError && error.code === 'member_not_found') return undefined
      throw error
    })
    const { discordAvatar: had = null, ...others } = (profile?.metadata ?? {}) as Record<string, unknown>
    if (profile?.username === username && profile.displayName === displayName && had === avatar) return
    // Other fields of the metadata are the managers' own.
    const metadata = { ...others, ...(avatar === null ? {} : { discordAvatar: avatar }) }
    const isEmpty = Object.keys(metadata).length === 0
    const etag = profile && responseOf(profile)?.headers.get('etag')
    await member.put(
      {
        username,
        displayName,
        ...(isEmpty && !profile?.metadata ? {} : { metadata: isEmpty ? null : metadata }),
      },
      etag ? { ifMatch: etag } : {},
    )
  }
}
