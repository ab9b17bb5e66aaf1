import type { Health } from '@exchequer/sdk'
import type { Format } from '../../format.ts'
import type { Words } from '../../words/en.ts'

export type State = 'good' | 'warn' | 'bad'
export type HealthItem = { readonly name: string; readonly state: State; readonly text: string }

const oldMs = 36 * 3_600_000
/** Leaderboards are updated four times a second; beyond this lag they are behind. */
const lagWarnMs = 10_000

type Judge = (health: Health, words: Words['health'], format: Format) => HealthItem

const serving: Judge = ({ ready, why }, words) => ({
  name: words.serving,
  state: ready ? 'good' : 'bad',
  text: why ?? words.serves,
})

const database: Judge = (health, words) => ({
  name: words.database,
  state: health.database.up ? 'good' : 'bad',
  text: health.database.up ? words.up : words.down,
})

const durability: Judge = ({ durability: asked, database: { standbyNeeded, standbys } }, words, format) => {
  const named = { name: words.durability }
  const text = words.durable[asked]
  if (standbyNeeded && standbys === 0) return { ...named, state: 'bad', text: words.standbyMissing }
  if (standbys === null) return { ...named, state: 'good', text: `${text} ${words.standbyUnknown}` }
  const standbyText = standbys > 0 ? words.standbys(format.number(standbys)) : words.noStandby
  return { ...named, state: 'good', text: `${text} ${standbyText}` }
}

const standings: Judge = ({ standings: { lagMs, realmsBehind } }, words, format) => {
  const isLate = lagMs > lagWarnMs
  const lag = words.standingsLag(format.number(Math.ceil(lagMs / 1000)), format.number(realmsBehind))
  const text = realmsBehind === 0 ? words.standingsNow : lag
  return {
    name: words.standings,
    state: isLate ? 'warn' : 'good',
    text: isLate ? `${text} ${words.standingsBehind}` : text,
  }
}

const books: Judge = ({ verified }, words, format) => {
  const named = { name: words.verified }
  if (!verified) return { ...named, state: 'warn', text: words.verifiedNever }
  const when = format.ago(verified.at)
  if (!verified.ok) return { ...named, state: 'bad', text: words.verifiedWrong(when) }
  const isOld = Date.now() - Date.parse(verified.at) > oldMs
  const text = words.verifiedAt(when)
  return { ...named, state: isOld ? 'warn' : 'good', text: isOld ? `${text} ${words.verifiedOld}` : text }
}

/** Rates each part of the installation, with what to do about problems. */
export function judge(health: Health, words: Words['health'], format: Format): readonly HealthItem[] {
  return [serving, database, durability, standings, books].map((one) => one(health, words, format))
}

export const worstOf = (judged: readonly HealthItem[]): State =>
  (['bad', 'warn'] as const).find((state) => judged.some((one) => one.state === state)) ?? 'good'
