import { scopes } from '../../../server/src/keys/scopes.ts'
import { makeRealm, operator, type RealmAccess } from '../../../tests/support/fixture.ts'
import { operatorToken } from '../../../tests/support/process.ts'
import { type CommandResult, type RunOptions, run, words } from './run.ts'

/** A new realm, with a key that has every scope. */
export async function realmWithKey(baseUrl: string, body: object = {}): Promise<RealmAccess> {
  const at = { baseUrl, token: operatorToken }
  const made = await makeRealm(at, body)
  const path = `/realms/${made.id}/keys`
  const issued = await operator(at, 'POST', { path, body: { name: 'all', scopes } })
  return { ...made, key: (issued as { key: string }).key }
}

/** Runs command lines with a realm's key in the environment. */
export function commandLine(baseUrl: string, { id, key }: { readonly id: string; readonly key: string }) {
  const env = { EXCHEQUER_URL: baseUrl, EXCHEQUER_REALM: id, EXCHEQUER_KEY: key }
  return {
    env,
    run: (line: string, options: RunOptions = {}): Promise<CommandResult> =>
      run(words(line), { ...options, env: { ...env, HOME: '/nonexistent', ...options.env } }),
    /** Its output as JSON; the command must succeed. */
    async json<T>(line: string, options: RunOptions = {}): Promise<T> {
      const { code, out, err } = await run([...words(line), '--json'], {
        ...options,
        env: { ...env, HOME: '/nonexistent', ...options.env },
      })
      if (code !== 0) throw new Error(`${line}: ${code} ${err}`)
      return JSON.parse(out) as T
    },
  }
}
