import type { ListedMember, Realm } from '@exchequer/sdk'
import { isAddress, isIdentity, isMemberId } from '../members/memberId.ts'
import type { Line, LineFault } from './parse.ts'

export type ResolvedLine = Line & { readonly member?: FoundMember }
/** `isNew`: the award creates the member, in a realm where every valid ID is a member. */
export type FoundMember = Pick<ListedMember, 'id' | 'username' | 'displayName'> & { readonly isNew: boolean }

const atOnce = 6
const namesakes = 20

type Looking = {
  readonly client: Realm
  /** Whether every valid ID is a member. */
  readonly open: boolean
  readonly signal: AbortSignal
  readonly tell: (done: number, all: number) => void
}

/** Finds the member of each line by ID, identity or name, with one request per distinct text. */
export async function resolveAll(lines: readonly Line[], looking: Looking): Promise<readonly ResolvedLine[]> {
  const wanted = [...new Set(lines.filter(({ fault }) => !fault).map(({ who }) => who))]
  const found = new Map<string, FoundMember | LineFault>()
  const queue = wanted.values()
  const work = async () => {
    for (const who of queue) {
      found.set(who, await resolve(who, looking))
      looking.tell(found.size, wanted.length)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return lines.map((line) => {
    const one = line.fault ? undefined : found.get(line.who)
    if (!one) return line
    return 'name' in one ? { ...line, fault: one } : { ...line, member: one }
  })
}

async function resolve(who: string, { client, open, signal }: Looking): Promise<FoundMember | LineFault> {
  // The award has it in its body; a search would have it in a URL.
  if (isAddress(who)) return { id: who, username: null, displayName: null, isNew: false }
  if (isMemberId(who) || isIdentity(who)) {
    const [member] = (await client.members.list({ id: who, signal }).page()).data
    if (member) return { ...member, isNew: false }
    const made = { id: who, username: null, displayName: null, isNew: true } as FoundMember
    return open ? made : { name: 'unknownId', text: who }
  }
  const named = client.members.list({ search: who.slice(0, 100), signal })
  const { data, nextCursor } = await named.page({ limit: namesakes })
  const same = data.filter((member) => isNamed(member, who))
  // Members with exactly this name are listed first: others may be on a page that was not read.
  if (nextCursor !== null && same.length === data.length) return { name: 'many', text: who.slice(0, 60) }
  const [only] = same
  if (!only) return { name: 'unknown', text: who.slice(0, 60) }
  if (same.length > 1) return { name: 'ambiguous', text: who, ids: same.map(({ id }) => id).join(', ') }
  return { ...only, isNew: false }
}

const isNamed = ({ username, displayName }: ListedMember, who: string): boolean =>
  isSame(username, who) || isSame(displayName, who)

const isSame = (name: string | null | undefined, who: string): boolean =>
  name?.toLowerCase() === who.toLowerCase()
