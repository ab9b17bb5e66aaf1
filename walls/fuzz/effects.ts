import { type Draft, decoded, type SecretName, secret } from './draft.ts'
import type { Answer } from './wire.ts'
import { realms } from './world.ts'

/** The keys that requests put where they do not belong, and that may therefore be stored there. */
const misplacedNames = ['canary', 'revoked'] as const satisfies readonly SecretName[]
export type MisplacedName = (typeof misplacedNames)[number]

export const isMisplaced = (name: SecretName): name is MisplacedName =>
  (misplacedNames as readonly SecretName[]).includes(name)

/** A board that was switched off may be read for so long: the server keeps boards for up to 15 seconds. */
const boardStaleMs = 20_000

/** The realm that a path names, as it is written there; undefined where it names none. */
export function realmIn(path: string): string | undefined {
  const [, api, board] = /^\/(?:api\/v4|operator\/v1)\/realms\/([^/?]+)|^\/boards\/([^/?]+)/.exec(path) ?? []
  const id = api ?? board
  return id === undefined ? undefined : decoded(id)
}

/** What a path is about: the word behind the realm, or `realm` for the realm itself. */
const nounIn = (path: string): string =>
  /^\/(?:api\/v4|operator\/v1)\/realms(?:\/[^/?]+(?:\/([^/?]+))?)?/.exec(path)?.[1] ?? 'realm'

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'QUERY', 'OPTIONS', 'TRACE'])

/** Which keys a request has put where they can be stored: a header is not. */
export function keysIn({ path, query, body = '' }: Draft): MisplacedName[] {
  const text = path + query + body
  return misplacedNames.filter((name) => text.includes(secret(name)))
}

/** The ids of realms behind the realm of a path: there they name something that the request makes. */
function idsBehind(path: string): string[] {
  const [, rest = ''] = /^\/(?:api\/v4|operator\/v1)\/realms\/[^/]+\/(.*)$/.exec(path) ?? []
  const segments = rest.split('/').map(decoded)
  return Object.values(realms).flatMap(({ id }) => (segments.includes(id) ? [id] : []))
}

/** A key or a realm's id in a realm (empty: in none), and how many requests have stored it or may do so. */
type Stored = { readonly name: string; readonly realm: string; readonly noun: string; times: number }

/** From when until when a board was open to all, as far as the answers say. */
type Board = {
  /** Requests that may open it and have no answer yet. */
  opening: number
  isOpened: boolean
  /** When the last answer came that says it is open. */
  openedAtMs: number
  /** When the answer came to a request to close it that was sent after that; undefined before. */
  closedAtMs: number | undefined
}

/** In the answer to a successful change of the realm. */
const closed = /"publicBoard":false/

/** In this realm, or in any; as one of these nouns, or as any. */
type Where = { readonly realm: string | undefined; readonly nouns: RegExp | undefined }

/** A request on its way, and what takes its outcome. */
export type Sent = { readonly sentAtMs: number; heard(answers: readonly Answer[]): void }

/**
 * What the requests of a run have changed so that answers to others show it: keys that were stored under a
 * name, and boards that were opened to all. A request counts while it is on its way, as what it changes can
 * be read before its answer comes, and for good once it has succeeded or its answer was lost.
 */
export class Effects {
  readonly #nowMs: () => number
  readonly #stored = new Map<string, Stored>()
  readonly #boards = new Map<string, Board>()

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  send(draft: Draft): Sent {
    const sentAtMs = this.#nowMs()
    if (reads.has(draft.method)) return { sentAtMs, heard: () => {} }
    const realm = realmIn(draft.path) ?? ''
    const names = [...keysIn(draft), ...idsBehind(draft.path)]
    const places = names.map((name) => this.#place(name, realm, nounIn(draft.path)))
    for (const place of places) place.times += 1
    const board = draft.body?.includes('"publicBoard"') ? this.#board(realm) : undefined
    const opens = /"publicBoard"\s*:\s*true/.test(draft.body ?? '')
    if (board && opens) board.opening += 1
    return {
      sentAtMs,
      heard: (answers) => {
        // Fewer answers than are due: it may have succeeded all the same.
        const isRefused = answers.length >= draft.times && answers.every(({ status }) => status >= 400)
        if (isRefused) for (const place of places) place.times -= 1
        if (!board) return
        if (opens) board.opening -= 1
        if (opens && !isRefused) this.#open(board)
        else if (answers.some(({ text }) => closed.test(text))) this.#close(board, sentAtMs)
      },
    }
  }

  /** Whether this key, or this id of a realm, was stored there. */
  hasStored(name: string, { realm, nouns }: Where): boolean {
    return [...this.#stored.values()].some((one) => {
      const isThere = one.name === name && one.times > 0 && (realm === undefined || one.realm === realm)
      return isThere && (nouns?.test(one.noun) ?? true)
    })
  }

  /** Whether a stranger who asked at this time may have read the realm's board. */
  mayShowBoard(realm: string, sentAtMs: number): boolean {
    const board = this.#boards.get(realm)
    if (!board) return false
    if (board.opening > 0) return true
    if (!board.isOpened) return false
    return board.closedAtMs === undefined || sentAtMs < board.closedAtMs + boardStaleMs
  }

  #place(name: string, realm: string, noun: string): Stored {
    const key = JSON.stringify([name, realm, noun])
    const place = this.#stored.get(key) ?? { name, realm, noun, times: 0 }
    this.#stored.set(key, place)
    return place
  }

  #board(realm: string): Board {
    const board = this.#boards.get(realm) ?? {
      opening: 0,
      isOpened: false,
      openedAtMs: 0,
      closedAtMs: undefined,
    }
    this.#boards.set(realm, board)
    return board
  }

  #open(board: Board): void {
    board.isOpened = true
    board.openedAtMs = this.#nowMs()
    board.closedAtMs = undefined
  }

  /** One that was on its way together with one that opened the board may have come first: not counted. */
  #close(board: Board, sentAtMs: number): void {
    if (sentAtMs >= board.openedAtMs) board.closedAtMs ??= this.#nowMs()
  }
}
