import { readFileSync } from 'node:fs'

/** Something in the environment is missing or wrong; the message says what to do. */
export class ConfigError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>

/** What may be handed over as a file, by its name and `_FILE`: the environment is seen by many. */
export const secretNames = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'KEY_SECRETS',
  'OPERATOR_TOKEN',
  'OIDC_CLIENT_SECRET',
  'CHAINS',
] as const

/** The environment with what its files say. A line's end behind a secret is none of it. */
export function withFiles(env: Environment): Environment {
  const read = secretNames.flatMap((name) => {
    const file = env[`${name}_FILE`]
    if (!file) return []
    if (env[name]) throw new ConfigError(`${name} and ${name}_FILE are both set. Leave one of them out.`)
    return [[name, readSecretFile(`${name}_FILE`, file)] as const]
  })
  return read.length === 0 ? env : { ...env, ...Object.fromEntries(read) }
}

function readSecretFile(name: string, file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code = 'unknown error' } = error as { code?: string }
    throw new ConfigError(`${name} is ${file}, which can't be read (${code}).`)
  }
  const secret = text.replace(/\r?\n$/, '')
  if (secret === '') throw new ConfigError(`${name} is ${file}, which is empty.`)
  return secret
}
