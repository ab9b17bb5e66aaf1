import pg from 'pg'
import { entryTypeOf } from '../../src/ledger/rules/entryTypes.ts'
import type { ModelHold, PointType } from './requests.ts'

const texts = {
  rules: `update points set max_balance = $3, max_per_transfer = $4, transferable = $5
    where realm = $1 and id = $2`,
  toggle: `update members set frozen_at = case when frozen_at is null then now() end
    where realm = $1 and id = $2`,
  /** Like every change of data that decisions read. */
  raise: 'update heads set config_version = config_version + 1 where realm = $1',
  due: `update holds set expires_us = case when seq = any ($2::bigint[]) then 1 else 4000000000000000000 end
    where realm = $1 and ended_seq is null`,
  forget: `update refusals set until = now() - interval '1 second' where realm = $1`,
  balances: `select p.id || case when b.account < 0 then ' held ' else ' ' end || m.id as name, b.balance
    from balances b join members m on m.realm = b.realm and m.account = abs(b.account)
    join points p on p.realm = b.realm and p.number = b.point where b.realm = $1`,
  members: 'select id::text from members where realm = $1',
  holds: `select h.seq, m.id::text as member, p.id as point, h.amount, h.ended_seq as "endedBy"
    from holds h join members m on m.realm = h.realm and m.account = h.account
    join points p on p.realm = h.realm and p.number = h.point where h.realm = $1 order by h.seq`,
  refusals: 'select request::text from refusals where realm = $1 and until > now()',
  journal: `select j.seq, j.kind, p.id as point, j.amount, j.from_balance as "fromBalance",
      j.to_balance as "toBalance", j.link, d.reason, j.request::text,
      case when j.from_account < 0 then 'held ' else '' end || g.id as "from",
      case when j.to_account < 0 then 'held ' else '' end || r.id as "to"
    from journal j join points p on p.realm = j.realm and p.number = j.point
    left join members g on g.realm = j.realm and g.account = abs(j.from_account)
    left join members r on r.realm = j.realm and r.account = abs(j.to_account)
    left join details d on d.realm = j.realm and d.seq = j.seq where j.realm = $1 order by j.seq`,
} as const

/** Finds nothing expired: the test controls time, and when holds expire. */
const noneDue = `create or replace function due_holds(most integer) returns table (realm integer, seq bigint)
  language sql stable security definer set search_path = exchequer as 'select 0, 0::bigint where false'`

// biome-ignore lint/suspicious/noExplicitAny: a row's shape is what the tests look at
type Row = any

type HoldRow = Omit<ModelHold, 'expiresUs'>

/** Direct access to the tables, to set them up and inspect them. */
export class StoredTables {
  readonly #client: pg.Client

  constructor(superuserUrl: string) {
    this.#client = new pg.Client({ connectionString: superuserUrl })
    // int8, exactly.
    this.#client.setTypeParser(20, BigInt)
  }

  async open(): Promise<void> {
    await this.#client.connect()
    await this.#client.query('set search_path = exchequer')
    await this.#client.query(noneDue)
  }

  close(): Promise<void> {
    return this.#client.end()
  }

  async #run(name: keyof typeof texts, realm: number, values: unknown[] = []): Promise<Row[]> {
    return (await this.#client.query(texts[name], [realm, ...values])).rows
  }

  async setRules(realm: number, points: readonly PointType[]): Promise<void> {
    for (const { id, maxBalance, maxPerTransfer, transferable } of points) {
      await this.#run('rules', realm, [id, maxBalance, maxPerTransfer, transferable])
    }
    await this.#run('raise', realm)
  }

  /** Freezes a member, or unfreezes it. */
  async toggle(realm: number, member: string): Promise<void> {
    await this.#run('toggle', realm, [member])
    await this.#run('raise', realm)
  }

  /** Of the open holds, only these are expired. */
  async setDue(realm: number, seqs: readonly bigint[]): Promise<void> {
    await this.#run('due', realm, [seqs])
  }

  async forgetRefusals(realm: number): Promise<void> {
    await this.#run('forget', realm)
  }

  async read(realm: number) {
    const balances = await this.#run('balances', realm)
    const journal = await this.#run('journal', realm)
    return {
      balances: new Map<string, bigint>(balances.map(({ name, balance }) => [name, balance])),
      journal: journal.map((row) => ({ ...row, kind: entryTypeOf(row.kind) })),
      members: new Set((await this.#run('members', realm)).map(({ id }) => id as string)),
      holds: (await this.#run('holds', realm)).map((row): HoldRow => ({ ...row })),
      refusals: new Set((await this.#run('refusals', realm)).map(({ request }) => request as string)),
    }
  }
}
