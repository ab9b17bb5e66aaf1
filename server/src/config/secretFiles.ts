import { readFileSync } from 'node:fs'

/** A setting is missing or invalid; the message says what to do. */
export class ConfigError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>

/** Settings that can be read from a file, as `<name>_FILE`, because many can see the environment. */
export const secretNames = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'DIRECTORY_URL',
  'CELL_URLS',
  'KEY_SECRETS',
  'CHECKPOINT_KEY',
  'OPERATOR_TOKEN',
  'OIDC_CLIENT_SECRET',
  'CHAINS',
] as const

/** The environment, with secrets read from their files. A trailing newline is dropped. */
export function withFiles(env: Environment): Environment {
  const read = secretNames.flatMap((name) => {
    const file = env[`${name}_FILE`]
    if (!file) return []
    if (env[name]) throw new ConfigError(`${name} and ${name}_FILE are both set. Remove one of them.`)
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
