/** Numbers and times in the reader's locale. */
export type Format = ReturnType<typeof formatOf>

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export function formatOf(locale: string) {
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
  const signed = new Intl.NumberFormat(locale, { maximumFractionDigits: 0, signDisplay: 'exceptZero' })
  const percent = new Intl.NumberFormat(locale, { style: 'percent', signDisplay: 'exceptZero' })
  const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })
  const shortDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const localDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
  const longDay = new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const range = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const hour = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' })
  const ago = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'long' })
  return {
    locale,
    /** A whole number, however large. */
    number: (value: number | bigint) => whole.format(value),
    signed: (value: number | bigint) => signed.format(value),
    compact: (value: number | bigint) => compact.format(value),
    /** A change: 12 is +12 %. */
    percent: (value: number) => percent.format(value / 100),
    /** The size of a file. */
    bytes: (size: number) => bytesOf(locale, size),
    day: (at: string | number | Date) => day.format(new Date(at)),
    moment: (at: string | number | Date) => moment.format(new Date(at)),
    exact: (at: string | number | Date) => exact.format(new Date(at)),
    hour: (at: string | number | Date) => hour.format(new Date(at)),
    /** A day such as 2026-01-31, independent of its time zone. */
    dayName: (name: string) => longDay.format(new Date(`${name}T00:00:00Z`)),
    /** Both days are included. */
    dayRange: (from: string, to: string) =>
      range.formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`)),
    /** The month of a day such as 2026-01-31. */
    monthName: (name: string) => month.format(new Date(`${name}T00:00:00Z`)),
    shortDay: (at: string | number | Date) => localDay.format(new Date(at)),
    shortDayName: (name: string) => shortDay.format(new Date(`${name}T00:00:00Z`)),
    ago: (at: string | number | Date) => agoOf(ago, new Date(at).getTime() - Date.now()),
  }
}

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

function bytesOf(locale: string, size: number): string {
  const step = Math.min(byteUnits.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, size)) / 3)))
  const exact = { unitDisplay: 'long', maximumFractionDigits: 0 }
  const options = {
    style: 'unit',
    unit: byteUnits[step],
    ...(step === 0 ? exact : { maximumFractionDigits: 1 }),
  }
  return new Intl.NumberFormat(locale, options as Intl.NumberFormatOptions).format(size / 1000 ** step)
}

function agoOf(format: Intl.RelativeTimeFormat, ms: number): string {
  const size = Math.abs(ms)
  if (size < minuteMs) return format.format(0, 'second')
  if (size < hourMs) return format.format(Math.round(ms / minuteMs), 'minute')
  if (size < dayMs) return format.format(Math.round(ms / hourMs), 'hour')
  if (size < 31 * dayMs) return format.format(Math.round(ms / dayMs), 'day')
  if (size < 365 * dayMs) return format.format(Math.round(ms / (30.4 * dayMs)), 'month')
  return format.format(Math.round(ms / (365.25 * dayMs)), 'year')
}
