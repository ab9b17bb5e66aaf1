import { readFileSync } from 'node:fs'
import type { Settings } from './index.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** The settings are not valid; the message lists all that is wrong. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

function keyOf(env: Env, problems: string[]): string {
  const { EXCHEQUER_KEY: key, EXCHEQUER_KEY_FILE: file } = env
  if (key) return key
  if (!file) {
    problems.push('EXCHEQUER_KEY or EXCHEQUER_KEY_FILE is not set.')
    return ''
  }
  try {
    const text = readFileSync(file, 'utf8').trim()
    if (!text) problems.push(`EXCHEQUER_KEY_FILE: ${file} is empty.`)
    return text
  } catch (error) {
    problems.push(`EXCHEQUER_KEY_FILE: ${file} can’t be read: ${(error as NodeJS.ErrnoException).code}.`)
    return ''
  }
}

export function readSettings(env: Env, flags: readonly string[]): Settings {
  const problems = flags
    .filter((one) => one !== '--allow-writes')
    .map((one) => `${one} is not an option. See --help.`)
  const { EXCHEQUER_URL: url = '', EXCHEQUER_REALM: realm = '' } = env
  if (!/^https?:\/\/\S+$/.test(url))
    problems.push('EXCHEQUER_URL must be the address of the server: https://…')
  if (!realm) problems.push('EXCHEQUER_REALM must be the id of the realm.')
  const key = keyOf(env, problems)
  if (problems.length > 0) throw new SettingsError(problems.join('\n'))
  return { url, realm, key, allowWrites: flags.includes('--allow-writes') }
}
