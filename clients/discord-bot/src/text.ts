/** Text of members and managers within a message. */

/** In one line, cut, and without Discord's formatting: a reason can't change how a message looks. */
export function plain(text: string, most = 100): string {
  const line = text.replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
  const cut = Array.from(line)
  const short = cut.length > most ? `${cut.slice(0, most - 1).join('')}…` : line
  return short.replaceAll(/[\\*_~|`<>[\]()#@:]/g, (character) => `\\${character}`)
}

/** A member's name. Ids that Discord did not assign are members of another platform. */
export const nameOf = (id: string | null, displayName?: string | null): string => {
  if (id === null) return 'a removed member'
  return /^[0-9]{17,20}$/.test(id) ? `<@${id}>` : plain(displayName ?? `member ${id}`, 40)
}

export type PointNames = { readonly one: string; readonly many: string }

/** `1 point`, `2,000 points`. */
export const amountOf = (tokens: number, { one, many }: PointNames): string =>
  `${tokens.toLocaleString('en')} ${Math.abs(tokens) === 1 ? one : many}`
