import type { ImporterName } from '../../cli/src/importers/sources.ts'

/** A member as a stand-in returns it. */
export type StandInMember = {
  /** An id in digits, or a Twitch name. */
  readonly id: string
  readonly name: string
  /** As the service writes it: a number in digits, or a text such as "Infinity". */
  readonly points: string
  /** Sends the id as a JSON number. */
  readonly isNumber?: true
}

export type Crowd = {
  readonly members: readonly StandInMember[]
  /** What each member must have at the end, by id or identity. */
  readonly expected: ReadonlyMap<string, bigint>
  /** Members who must be left out. */
  readonly problems: number
  readonly roundedDown: number
}

/** The ids of Discord differ in their last digits, which a number of JavaScript loses. */
const firstId = 1_190_194_345_295_482_001n
const idOf = (index: number): string => String(firstId + BigInt(index) * 4_194_305n)

const names = ['ada', 'Zoë', '🦊 fox', '名前', 'o’neill; "x", =1+1', ' spaced ']

/** Members with different points, some with none, and rows that can’t be imported. */
export function crowdOf(service: ImporterName, count: number): Crowd {
  const isTwitch = service === 'streamelements'
  const members: StandInMember[] = []
  const expected = new Map<string, bigint>()
  let roundedDown = 0
  for (let index = 0; index < count; index += 1) {
    // The greatest balance, then ever fewer points, and none at the end.
    const whole = index === 0 ? 9_007_199_254_740_991n : BigInt(Math.max(0, (count - index - 40) * 7_919))
    const isFraction = index % 97 === 5 && whole > 0n
    if (isFraction) roundedDown += 1
    const id = isTwitch ? `viewer_${index}` : idOf(index)
    const name = isTwitch ? id : `${names[index % names.length]}${index}`
    members.push({ id, name, points: isFraction ? `${whole}.5` : String(whole) })
    expected.set(isTwitch ? `twitch:${id}` : id, whole)
  }
  const wrong: StandInMember[] = [
    { id: isTwitch ? 'debtor' : idOf(count), name: 'debtor', points: '-12' },
    { id: isTwitch ? 'infinite' : idOf(count + 1), name: 'infinite', points: '"Infinity"' },
    isTwitch
      ? { id: 'not a name', name: 'x', points: '1' }
      : {
          id: service === 'csv' ? '1190194345295480000' : '1190194345295483000',
          name: 'x',
          points: '1',
          isNumber: true,
        },
  ]
  const middle = Math.floor(count / 2)
  members.splice(middle, 0, ...wrong)
  return { members, expected, problems: wrong.length, roundedDown }
}

/** The same as a table, as a bot exports it. */
export function tableOf({ members }: Crowd): string {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  const rows = members.map(({ id, name, points }) => `${id},${quoted(name)},${points}`)
  return `User ID,Username,XP\n${rows.join('\n')}\n`
}
