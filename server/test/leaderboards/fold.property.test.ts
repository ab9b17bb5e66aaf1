import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Days, dateOf, dayIn, monthOf, weekOf } from '../../src/leaderboards/days.ts'
import { activityOf, fold, type JournalRow } from '../../src/leaderboards/fold.ts'
import { claimed, entryTypes, isMembers } from '../../src/ledger/index.ts'

function draw(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return Math.floor((state / 4_294_967_296) * below)
  }
}

const zones = ['UTC', 'Pacific/Auckland', 'America/St_Johns', 'Asia/Kathmandu', 'Africa/Monrovia']
const hourUs = 3_600_000_000

/** Entries as a ledger could write them, some hours apart, with reversals of earlier ones. */
function journalOf(seed: number, length: number): JournalRow[] {
  const next = draw(seed)
  const rows: JournalRow[] = []
  let atUs = Date.parse('2026-03-20T00:00:00Z') * 1000
  const reversed = new Set<number>()
  for (let index = 0; index < length; index++) {
    atUs += (hourUs * next(5)) / 2
    const [member, other] = [1 + next(9), 10 + next(9)]
    const amount = BigInt(1 + next(1_000))
    const original = rows[next(rows.length)]
    const common = { seq: index + 1, at_us: atUs, point: 1 + next(2), amount }
    const none = { original_at_us: null, original_kind: null }
    const kinds = [
      { kind: entryTypes.adjust.number, from_account: 0, to_account: member },
      { kind: entryTypes.adjust.number, from_account: member, to_account: 0 },
      { kind: entryTypes.transfer.number, from_account: member, to_account: other },
      { kind: entryTypes.opening.number, from_account: 0, to_account: member },
      { kind: entryTypes.hold.number, from_account: member, to_account: -member },
      { kind: entryTypes.capture.number, from_account: -member, to_account: 0 },
      { kind: entryTypes.claim.number, from_account: member, to_account: claimed },
      { kind: entryTypes.lapse.number, from_account: member, to_account: 0 },
    ]
    const chosen = kinds[next(kinds.length)]
    assert.ok(chosen)
    const old = original?.seq
    if (
      original &&
      old &&
      next(4) === 0 &&
      !reversed.has(old) &&
      (original.kind === entryTypes.adjust.number || original.kind === entryTypes.lapse.number)
    ) {
      reversed.add(old)
      rows.push({
        ...common,
        ...none,
        point: original.point,
        amount: original.amount,
        kind: entryTypes.reversal.number,
        from_account: original.to_account,
        to_account: original.from_account,
        original_at_us: original.at_us,
        original_kind: original.kind,
      })
    } else rows.push({ ...common, ...none, ...chosen })
  }
  return rows
}

/** The local date, computed independently for every time. */
const naiveDay = (zone: string, atUs: number): string =>
  new Date(atUs / 1000).toLocaleDateString('sv-SE', { timeZone: zone })

describe('a day', () => {
  it('is the local date of its time zone, for any time and in any order', () => {
    const next = draw(3)
    for (const zone of zones) {
      const days = new Days(zone)
      for (let turn = 0; turn < 400; turn++) {
        const atUs = next(2_000_000_000) * 1_000_000
        assert.equal(dateOf(days.of(atUs)), naiveDay(zone, atUs), `${zone} ${atUs}`)
      }
    }
  })

  it('is 23 or 25 hours long when daylight saving time changes', () => {
    const days = new Days('Europe/Berlin')
    const at = (text: string) => dateOf(days.at(Date.parse(text)))
    assert.equal(at('2026-03-28T23:00:00Z'), '2026-03-29')
    assert.equal(at('2026-03-29T21:59:59.999Z'), '2026-03-29')
    assert.equal(at('2026-03-29T22:00:00Z'), '2026-03-30')
    assert.equal(at('2026-10-25T22:59:59.999Z'), '2026-10-25')
  })

  it('belongs to a week from Monday to Sunday, and of a month', () => {
    const shown = ({ from, to }: { from: number; to: number }) => [dateOf(from), dateOf(to)]
    for (const [date, monday, sunday] of [
      ['2026-11-15', '2026-11-09', '2026-11-15'],
      ['2026-11-16', '2026-11-16', '2026-11-22'],
      ['1969-12-31', '1969-12-29', '1970-01-04'],
    ] as const)
      assert.deepEqual(shown(weekOf(dayIn(date) ?? 0)), [monday, sunday])
    assert.deepEqual(shown(monthOf(dayIn('2028-02-29') ?? 0)), ['2028-02-01', '2028-02-29'])
    assert.deepEqual([dayIn('2026-02-30'), dayIn('2026-13-01')], [undefined, undefined])
  })
})

describe('a fold', () => {
  it('is the sum of its single entries', () => {
    for (const zone of zones) {
      const rows = journalOf(zone.length, 600)
      const { gains, daily, supply } = fold(rows, new Days(zone))
      const gained = new Map<string, bigint>()
      for (const row of rows) {
        const credit = row.kind === entryTypes.adjust.number && row.from_account === 0
        const undone = row.kind === entryTypes.reversal.number && row.to_account === 0
        if (!credit && !undone) continue
        const account = credit ? row.to_account : row.from_account
        const key = `${account} ${row.point} ${naiveDay(zone, row.original_at_us ?? row.at_us)}`
        gained.set(key, (gained.get(key) ?? 0n) + (credit ? row.amount : -row.amount))
      }
      const foldedGains = gains.map(
        ({ account, point, day, by }) => [`${account} ${point} ${dateOf(day)}`, by] as const,
      )
      assert.deepEqual(new Map(foldedGains), gained)
      assert.ok([...gained.values()].every((by) => by >= 0n))
      const counted = daily.reduce((sum, { entries }) => sum + entries, 0)
      assert.equal(counted, rows.length)
      for (const { point, issued, spent, lapsed, held, claimed: taken } of supply) {
        const days = daily.filter((one) => one.point === point)
        const changed = (of: 'issued' | 'spent' | 'lapsed' | 'held') =>
          days.reduce((sum, one) => sum + one[of], 0n)
        assert.deepEqual(
          [changed('issued'), changed('spent'), changed('lapsed'), changed('held')],
          [issued, spent, lapsed, held],
        )
        assert.ok(lapsed > 0n)
        const own = rows.filter((row) => row.point === point)
        const moved = (of: (account: number) => boolean) =>
          own.reduce((sum, { from_account: from, to_account: to, amount }) => {
            return sum + (of(to) ? amount : 0n) - (of(from) ? amount : 0n)
          }, 0n)
        assert.equal(issued - spent - lapsed - held - taken, moved(isMembers))
        assert.equal(
          taken,
          moved((account) => account === claimed),
        )
        assert.equal(
          held,
          moved((account) => account < 0),
        )
      }
    }
  })

  it('of pages of any size is the fold of all entries', () => {
    const rows = journalOf(11, 500)
    const sumOf = (size: number) => {
      const sums = new Map<string, bigint>()
      const add = (key: string, by: bigint) => sums.set(key, (sums.get(key) ?? 0n) + by)
      const latest = new Map<number, number>()
      for (let from = 0; from < rows.length; from += size) {
        const { gains, daily, moved } = fold(rows.slice(from, from + size), new Days('Asia/Kathmandu'))
        for (const { point, day, account, by } of gains) add(`gained ${account} ${point} ${day}`, by)
        for (const { day, point, kind, amount, issued, spent, held } of daily) {
          const key = `${day} ${point} ${kind}`
          add(`daily ${key}`, amount)
          add(`changed ${key}`, issued * 1_000_000n + spent * 1_000n + held)
        }
        const activity = activityOf(moved, latest)
        for (const [account, day] of activity.latest) latest.set(account, day)
        for (const [day, { active, latest: last }] of activity.days) {
          add(`active ${day}`, BigInt(active))
          add(`latest ${day}`, BigInt(last))
        }
      }
      return new Map([...sums].sort(([a], [b]) => a.localeCompare(b)))
    }
    const whole = sumOf(rows.length)
    for (const size of [1, 7, 64]) assert.deepEqual(sumOf(size), whole)
    const total = (what: string) =>
      [...whole].filter(([key]) => key.startsWith(what)).reduce((sum, [, value]) => sum + value, 0n)
    assert.ok(total('latest') <= 18n && total('active') > total('latest'))
  })
})
