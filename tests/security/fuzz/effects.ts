import { type Draft, decoded, type SecretName, secret } from './draft.ts'
import type { Answer } from './wire.ts'
import { realms } from './world.ts'

/** The keys that requests put where they do not belong, and that may therefore be stored there. */
const misplacedNames = ['canary', 'revoked'] as const satisfies readonly SecretName[]
export type MisplacedName = (typeof misplacedNames)[number]

export const isMisplaced = (name: SecretName): name is MisplacedName =>
  (misplacedNames as readonly SecretName[]).includes(name)

/** A board can be read for this long after it was closed: the server caches boards for up to 15 seconds. */
const boardStaleMs = 20_000

/** The realm in a path, as written there; undefined when there is none. */
export function realmIn(path: string): string | undefined {
  const [, api, board] = /^\/(?:api\/v4|operator\/v1)\/realms\/([^/?]+)|^\/boards\/([^/?]+)/.exec(path) ?? []
  const id = api ?? board
  return id === undefined ? undefined : decoded(id)
}

/** The resource of a path: the segment after the realm, or `realm` for the realm itself. */
const nounIn = (path: string): string =>
  /^\/(?:api\/v4|operator\/v1)\/realms(?:\/[^/?]+(?:\/([^/?]+))?)?/.exec(path)?.[1] ?? 'realm'

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'QUERY', 'OPTIONS', 'TRACE'])

/** The keys that a request has put where they can be stored; headers are not stored. */
export function keysIn({ path, query, body = '' }: Draft): MisplacedName[] {
  const text = path + query + body
  return misplacedNames.filter((name) => text.includes(secret(name)))
}

/** Realm ids after the realm of a path: there they are ids of resources that the request creates. */
function idsBehind(path: string): string[] {
  const [, rest = ''] = /^\/(?:api\/v4|operator\/v1)\/realms\/[^/]+\/(.*)$/.exec(path) ?? []
  const segments = rest.split('/').map(decoded)
  return Object.values(realms).flatMap(({ id }) => (segments.includes(id) ? [id] : []))
}

/** A key or a realm's id in a realm ('' for none), and how many requests have or may have stored it. */
type Stored = { readonly name: string; readonly realm: string; readonly noun: string; times: number }

/** When a board was public, as far as the responses say. */
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

/** In this realm, or any; in one of these resources, or any. */
type Where = { readonly realm: string | undefined; readonly nouns: RegExp | undefined }

/** A request in flight, and the callback for its outcome. */
export type SentEffect = { readonly sentAtMs: number; heard(answers: readonly Answer[]): void }

/**
 * Changes by the requests of a run that responses to others may show: keys that were stored under a
 * name, and boards that were made public. A request counts while it is in flight, as its changes can
 * be read before its response arrives, and permanently once it succeeded or its response was lost.
 */
export class Effects {
  readonly #nowMs: () => number
  readonly #stored = new Map<string, Stored>()
  readonly #boards = new Map<string, Board>()

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  send(draft: Draft): SentEffect {
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
        // A response is missing: the request may have succeeded.
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

  /** Whether an anonymous client could have read the realm's board at this time. */
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

  /** A request sent while another one opened the board may have run first: it is not counted. */
  #close(board: Board, sentAtMs: number): void {
    if (sentAtMs >= board.openedAtMs) board.closedAtMs ??= this.#nowMs()
  }
}
