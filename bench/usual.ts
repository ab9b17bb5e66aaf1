import fastify from 'fastify'
import pg from 'pg'

/**
 * The usual hand-written server: Fastify, a pool, one transaction per request. Same tables and responses, an
 * idempotency key looked up and stored, the balance row locked. No batching and no hash chain. For comparison
 * only.
 */

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 20 })
const app = fastify()

type Client = pg.PoolClient
type Params = { realmID: string; memberID: string }

async function inTransaction<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    client.release(true)
    throw error
  }
}

async function realmOf(client: Client | pg.Pool, id: string): Promise<number> {
  const found = await client.query({
    name: 'realm',
    text: 'select realm from exchequer.realms where id = $1',
    values: [id],
  })
  return found.rows[0].realm
}

async function alreadyDone(client: Client, realm: number, request: string): Promise<boolean> {
  const found = await client.query({
    name: 'request',
    text: 'select 1 from exchequer.journal where realm = $1 and request = $2',
    values: [realm, request],
  })
  return found.rowCount === 1
}

async function move(client: Client, realm: number, change: { account: number; by: number }): Promise<number> {
  const locked = await client.query({
    name: 'lock',
    text: 'select balance from exchequer.balances where realm = $1 and account = $2 and point = 1 for update',
    values: [realm, change.account],
  })
  const balance = Number(locked.rows[0].balance) + change.by
  if (balance < 0) throw new Error('insufficient points')
  await client.query({
    name: 'move',
    text: 'update exchequer.balances set balance = $3 where realm = $1 and account = $2 and point = 1',
    values: [realm, change.account, balance],
  })
  return balance
}

type Row = {
  realm: number
  amount: number
  from: number
  to: number
  fromBalance: number | null
  toBalance: number
}

async function record(client: Client, row: Row & { request: string }): Promise<void> {
  await client.query({
    name: 'record',
    text: `insert into exchequer.journal (realm, key, seq, at_us, amount, from_balance, to_balance,
        from_account, to_account, point, kind, encoding, hash, request, fingerprint)
      values ($1, 1, nextval('bench_seq'), (extract(epoch from clock_timestamp()) * 1000000)::bigint, $2, $3,
        $4, $5, $6, 1, 1, 1, '\\x0000000000000000000000000000000000000000000000000000000000000000', $7, $7)`,
    values: [row.realm, row.amount, row.fromBalance, row.toBalance, row.from, row.to, row.request],
  })
}

app.patch<{ Params: Params; Body: { tokens: number } }>(
  '/api/v4/realms/:realmID/members/:memberID/tokenBalance',
  (call) =>
    inTransaction(async (client) => {
      const realm = await realmOf(client, call.params.realmID)
      const request = String(call.headers['idempotency-key'])
      if (await alreadyDone(client, realm, request)) return { message: 'Ok' }
      const account = Number(call.params.memberID)
      const { tokens } = call.body
      const toBalance = await move(client, realm, { account, by: tokens })
      await record(client, {
        realm,
        amount: tokens,
        from: 0,
        to: account,
        fromBalance: null,
        toBalance,
        request,
      })
      return { newBalance: toBalance }
    }),
)

app.patch<{ Params: Params; Body: { tokens: number; recipientId: string } }>(
  '/api/v4/realms/:realmID/members/:memberID/transfer',
  (call) =>
    inTransaction(async (client) => {
      const realm = await realmOf(client, call.params.realmID)
      const request = String(call.headers['idempotency-key'])
      if (await alreadyDone(client, realm, request)) return { message: 'Ok' }
      const [from, to] = [Number(call.params.memberID), Number(call.body.recipientId)]
      const amount = call.body.tokens
      const sides = [
        { account: from, by: -amount },
        { account: to, by: amount },
      ].sort((a, b) => a.account - b.account)
      const after = new Map<number, number>()
      for (const side of sides) after.set(side.account, await move(client, realm, side))
      const [fromBalance, toBalance] = [after.get(from) ?? 0, after.get(to) ?? 0]
      await record(client, { realm, amount, from, to, fromBalance, toBalance, request })
      return { message: 'Ok', newBalance: fromBalance, recipientBalance: toBalance }
    }),
)

app.get<{ Params: Params }>('/api/v4/realms/:realmID/members/:memberID', async (call) => {
  const realm = await realmOf(pool, call.params.realmID)
  const found = await pool.query({
    name: 'member',
    text: `select m.id, m.username, m.display_name, m.joined_at, b.balance from exchequer.members m
      left join exchequer.balances b on b.realm = m.realm and b.account = m.account
      where m.realm = $1 and m.id = $2`,
    values: [realm, call.params.memberID],
  })
  return found.rows[0]
})

app.post<{ Params: Params; Body: { wallets: string[] } }>(
  '/api/v4/realms/:realmID/members/includes',
  async (call) => {
    const realm = await realmOf(pool, call.params.realmID)
    const found = await pool.query({
      name: 'wallets',
      text: `select w.match, m.id from exchequer.wallets w join exchequer.members m using (realm, account)
      where w.realm = $1 and w.match = any($2)`,
      values: [realm, call.body.wallets.map((wallet) => wallet.toLowerCase())],
    })
    return { wallets: found.rows }
  },
)

const url = await app.listen({ port: 0, host: '127.0.0.1' })
console.log(JSON.stringify({ url }))
process.once('SIGTERM', () => {
  process.exit(0)
})
