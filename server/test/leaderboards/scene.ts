import { rowsOf } from '../../../tests/support/books.ts'
import { freshDatabase } from '../../../tests/support/suite.ts'
import { openDatabase } from '../../src/db/database.ts'
import { problem } from '../../src/http/problem.ts'
import { type BoardQuery, Standings } from '../../src/leaderboards/index.ts'
import { type Command, Ledger } from '../../src/ledger/index.ts'
import { Members } from '../../src/members/index.ts'
import { Configs, Realms } from '../../src/realms/index.ts'
import { tester } from '../ledger/books.ts'

/** A ledger and its leaderboards on a real PostgreSQL, without HTTP, and with an adjustable clock. */
export async function openScene({ everyMs = 0 }: { readonly everyMs?: number } = {}) {
  const database = await freshDatabase()
  const db = openDatabase(database.serverUrl)
  const configs = new Configs()
  const realms = new Realms(db)
  const members = new Members(db, configs)
  const faults: unknown[] = []
  const onFault = (error: unknown) => void faults.push(error)
  let today = Date.now()
  const nowMs = () => today
  const open = (every: number) => new Standings({ db, configs, everyMs: every, onFault, nowMs })
  const standings = open(everyMs)
  const onWritten = (realm: number) => standings.written(realm)
  const ledger = new Ledger({
    db,
    configs,
    render: problem,
    laneCount: 1,
    deadlineMs: 10_000,
    onFault,
    onWritten,
  })
  const common = { key: 1, requestId: 'test', retry: undefined, details: undefined }
  const post = async (command: Partial<Command> & Pick<Command, 'kind' | 'realm'>): Promise<bigint> => {
    const outcome = await ledger.post({ ...common, point: undefined, ...command } as Command)
    if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome))
    return outcome.receipts[0].seq
  }
  return {
    database,
    db,
    standings,
    open,
    faults,
    post,
    add: (realm: number, member: string, tokens: bigint) => post({ kind: 'adjust', realm, member, tokens }),
    /** Creates a realm in this time zone, with these members. */
    async make(people: readonly string[], timeZone = 'UTC') {
      const { number, id } = await realms.create({ point: { id: 'gold' } }, tester)
      await members.put(
        number,
        people.map((person) => ({ id: person, username: `name ${person}` })),
        tester,
      )
      await this.changeZone(number, timeZone)
      return { number, id }
    },
    changeZone: (realm: number, timeZone: string) =>
      rowsOf(
        database.superuserUrl,
        `with s as (update settings set time_zone = '${timeZone}' where realm = ${realm})
          update heads set config_version = config_version + 1 where realm = ${realm}`,
      ),
    /** Sets the clock, for the entries of a realm and for readers. */
    async turnTo(realm: number, moment: string) {
      today = Date.parse(moment)
      await rowsOf(
        database.superuserUrl,
        `update heads set at_us = ${today * 1000}, config_version = config_version + 1
          where realm = ${realm}`,
      )
    },
    /** Scores and ranks on a board, highest first. */
    async board(realm: number, asked: Partial<BoardQuery> = {}) {
      const whole = { point: undefined, period: 'all', from: undefined, to: undefined, exclude: [] } as const
      const page = { after: undefined, limit: 1_000 }
      const top = await standings.top(realm, { ...whole, ...asked }, page)
      return top.members.map(({ id, score, rank }) => [id, score, rank] as const)
    },
    async close() {
      await ledger.close()
      await standings.close()
      await db.close()
      await database.drop()
    },
  }
}

export type SceneOfStandings = Awaited<ReturnType<typeof openScene>>
