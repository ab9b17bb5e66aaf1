import type { Queryable } from '../db/session.ts'

export const statements = {
  /** What still works, by the secret of KEY_SECRETS that it was hashed with. */
  countUses: {
    name: 'people_count_secret_uses',
    text: `select used.what, used.secret_id, count(*)::int as count from (
        select 'operatorTokens' as what, secret_id from operator_tokens
          where revoked_at is null and (expires_at is null or expires_at > now())
        union all select 'invitations', secret_id from invitations where expires_at > now()
        union all select 'sessions', secret_id from sessions where ended_at is null and expires_at > now()
        union all select 'sessionTokens', secret_id from session_keys
          where ended_at is null and expires_at > now()) used
      group by used.what, used.secret_id`,
  },
} as const

export type SecretUse = {
  readonly what: 'operatorTokens' | 'invitations' | 'sessions' | 'sessionTokens'
  readonly secret_id: string
  readonly count: number
}

/** Of the whole installation, whose people are in the directory. */
export async function countSecretUses(directory: Queryable): Promise<SecretUse[]> {
  return (await directory.query<SecretUse>(statements.countUses)).rows
}
