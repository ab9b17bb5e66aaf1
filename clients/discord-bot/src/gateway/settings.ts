import { type BotSettings, type Env, readSettings, SettingsError } from '../settings.ts'
import type { Kind } from './activity.ts'

/** What an activity earns. */
export type Rule = {
  readonly tokens: number
  /** The least time between two activities of a member that earn points. */
  readonly spacingMs: number
  /** How often a member earns them in a day. */
  readonly mostPerDay: number
}

export type GatewaySettings = {
  readonly bot: BotSettings
  /** A kind without a rule earns nothing. */
  readonly rules: Readonly<Partial<Record<Kind, Rule>>>
  readonly ignoredChannels: ReadonlySet<string>
  readonly ignoredRoles: ReadonlySet<string>
}

type Problems = string[]
type Range = { readonly usual: number; readonly least: number; readonly most: number }

const tokensCap = 1_000_000_000
const listCap = 500

function wholeOf(env: Env, name: string, { usual, least, most }: Range) {
  return (problems: Problems): number => {
    const text = env[name] || String(usual)
    const number = Number(text)
    if (/^[0-9]{1,10}$/.test(text) && number >= least && number <= most) return number
    problems.push(`${name} must be a whole number from ${least} to ${most}, not ${text}.`)
    return usual
  }
}

type Names = { readonly points: string; readonly seconds: string; readonly perDay: string }

function ruleOf(env: Env, { points, seconds, perDay }: Names, usualPerDay: number) {
  return (problems: Problems): Rule | undefined => {
    const tokens = wholeOf(env, points, { usual: 1, least: 0, most: tokensCap })(problems)
    const spacing = wholeOf(env, seconds, { usual: 60, least: 1, most: 86_400 })(problems)
    const most = wholeOf(env, perDay, { usual: usualPerDay, least: 0, most: tokensCap })(problems)
    if (tokens === 0 || most === 0) return undefined
    if (most < tokens) problems.push(`${perDay} must be at least ${points}, or 0.`)
    return { tokens, spacingMs: spacing * 1000, mostPerDay: Math.floor(most / tokens) }
  }
}

function idsOf(env: Env, name: string, problems: Problems): Set<string> {
  const ids = (env[name] ?? '').split(/[\s,]+/).filter((id) => id !== '')
  if (ids.length > listCap || !ids.every((id) => /^[0-9]{15,20}$/.test(id)))
    problems.push(`${name} must be at most ${listCap} ids, separated by commas.`)
  return new Set(ids)
}

const ofMessages = {
  points: 'MESSAGE_POINTS',
  seconds: 'MESSAGE_COOLDOWN_SECONDS',
  perDay: 'MESSAGE_POINTS_PER_DAY',
}
const ofVoice = {
  points: 'VOICE_POINTS',
  seconds: 'VOICE_PERIOD_SECONDS',
  perDay: 'VOICE_POINTS_PER_DAY',
}

function botOf(env: Env, problems: Problems): BotSettings | undefined {
  try {
    return readSettings(env)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    problems.push(error.message)
    return undefined
  }
}

/** The bot's settings, and the variables of the gateway. */
export function readGatewaySettings(env: Env): GatewaySettings {
  const problems: Problems = []
  const bot = botOf(env, problems)
  const message = ruleOf(env, ofMessages, 60)(problems)
  const voice = ruleOf(env, ofVoice, 120)(problems)
  const ignoredChannels = idsOf(env, 'IGNORED_CHANNELS', problems)
  const ignoredRoles = idsOf(env, 'IGNORED_ROLES', problems)
  if (!message && !voice && problems.length === 0)
    problems.push('MESSAGE_POINTS and VOICE_POINTS are both 0: the gateway would award nothing.')
  if (!bot || problems.length > 0) throw new SettingsError(problems)
  const rules = { ...(message ? { message } : {}), ...(voice ? { voice } : {}) }
  return { bot, rules, ignoredChannels, ignoredRoles }
}
