/** Sustained requests per second, and how many at once after a pause. */
export type Limit = { readonly rate: number; readonly burst: number }

/** What an operator sets for a realm or a key: a limit, none, or the default. */
export type LimitSetting = Limit | 'off' | 'default'

/** The greatest rate and burst that can be set. */
export const limitCap = 1_000_000

/** As stored: null for the default, zeros for none. */
export type LimitColumns = { rate: number | null; burst: number | null }

export function columnsOf(setting: LimitSetting): LimitColumns {
  if (setting === 'default') return { rate: null, burst: null }
  return setting === 'off' ? { rate: 0, burst: 0 } : { rate: setting.rate, burst: setting.burst }
}

export function settingOf({ rate, burst }: LimitColumns): LimitSetting {
  if (rate === null || burst === null) return 'default'
  return rate === 0 ? 'off' : { rate, burst }
}

/** `rate:burst`, `off` or `default`, as written in a setting or a command; undefined for anything else. */
export function limitIn(text: string): LimitSetting | undefined {
  if (text === 'off' || text === 'default') return text
  const [, rate, burst] = /^([1-9][0-9]{0,6}):([1-9][0-9]{0,6})$/.exec(text) ?? []
  const limit = { rate: Number(rate), burst: Number(burst) }
  return limit.rate <= limitCap && limit.burst <= limitCap ? limit : undefined
}
