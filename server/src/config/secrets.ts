import { type CheckpointKeys, checkpointKeysIn } from '../events/checkpoints/index.ts'
import type { KeySecret } from '../keys/index.ts'
import { ConfigError, type Environment, withFiles } from './secretFiles.ts'

export function need(env: Environment, name: string, why: string): string {
  const value = env[name]
  if (!value) throw new ConfigError(`${name} is not set. ${why}`)
  return value
}

/** The database of cell 0, which says where each realm is: for commands that need no other setting. */
export function readDirectoryUrl(given: Environment): string {
  const env = withFiles(given)
  return env['DIRECTORY_URL'] || need(env, 'DATABASE_URL', 'Or set DIRECTORY_URL to the database of cell 0.')
}

const secretHelp = 'Create one with: echo "k1:$(openssl rand -hex 32)"'

/**
 * Comma-separated `id:secret` pairs: the first one hashes new keys, the others still verify keys that they
 * hashed.
 */
export function readSecrets(env: Environment): KeySecret[] {
  return need(env, 'KEY_SECRETS', `API keys are hashed with it. ${secretHelp}`)
    .split(',')
    .map((entry) => {
      const [, id, secret] = /^([A-Za-z0-9_-]{1,32}):(.{32,})$/.exec(entry.trim()) ?? []
      if (id === undefined || secret === undefined) {
        throw new ConfigError(
          `KEY_SECRETS must be id:secret, with a secret of at least 32 characters. ${secretHelp}`,
        )
      }
      return { id, secret }
    })
}

/** The text is a secret: an error names only the position in the list. */
export function readCheckpointKeys(env: Environment): CheckpointKeys | undefined {
  const given = env['CHECKPOINT_KEY']
  if (!given) return undefined
  const keys = checkpointKeysIn(given)
  if ('signer' in keys) return keys
  throw new ConfigError(
    `CHECKPOINT_KEY: key ${keys.wrong} of the list is invalid. The first must be a private key, older ones ` +
      'may be public. Create one with the server’s command: checkpoint keygen points.example.com',
  )
}

export function readToken(env: Environment): string | undefined {
  const token = env['OPERATOR_TOKEN'] || undefined
  if (token !== undefined && token.length < 32) {
    throw new ConfigError('OPERATOR_TOKEN must have at least 32 characters. Create one: openssl rand -hex 32')
  }
  return token
}
