import type { Standings } from '../leaderboards/index.ts'
import type { Realm } from '../realms/index.ts'
import { command, everyRealm, withNouns } from './command.ts'

/** Runs it for one realm or all, and counts failures. */
function forRealms(
  id: string | undefined,
  work: (standings: Standings, realm: Realm) => Promise<boolean>,
): Promise<number> {
  return withNouns(async ({ realms, standings }) => {
    let wrong = 0
    for await (const realm of id === undefined ? everyRealm(realms) : [await realms.get(id)])
      if (!(await work(standings, realm))) wrong += 1
    await standings.close()
    return wrong === 0 ? 0 : 1
  })
}

async function printVerdict(standings: Standings, { id, number }: Realm): Promise<boolean> {
  const verdict = await standings.check(number)
  console.log(verdict.ok ? `${id}: leaderboards equal, at ${verdict.seq}` : `${id}: WRONG, ${verdict.why}`)
  return verdict.ok
}

/** Commands for stored leaderboards and statistics. */
export const leaderboardCommands = [
  command(
    'leaderboards check [--realm <id>]',
    'fold the journal of one realm or all from entry 1, and compare it with the stored leaderboards',
    (_none, { realm }) => forRealms(realm, printVerdict),
  ),
  command(
    'leaderboards rebuild [--realm <id>]',
    'rebuild the leaderboards and statistics of one realm or all from the journal',
    (_none, { realm }) =>
      forRealms(realm, async (standings, one) => {
        await standings.rebuild(one.number)
        return printVerdict(standings, one)
      }),
  ),
]
