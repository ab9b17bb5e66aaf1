import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../server/src/app/index.ts'
import { readConfig } from '../../server/src/config/index.ts'
import { prepareDatabase } from '../../server/src/dev/prepare.ts'
import { rowsOf } from '../support/books.ts'
import { startCluster } from '../support/cluster.ts'
import { makeRealm, manager } from '../support/fixture.ts'
import { environment, operatorToken } from '../support/process.ts'
import { checkDeadline, limitTime } from '../support/timeLimit.ts'
import { callData, contracts, startNode } from './node.ts'
import { Endpoint } from './proxy.ts'

/**
 * node tests/web3/figures.ts [wallets]: how long reading many wallets with three collections takes, and how
 * many calls. Node, server and PostgreSQL share the machine.
 */
const count = Number(process.argv[2] ?? 100_000)
const chain = 'eip155:31337'
const everySeconds = 3_600
const readingMs = 20 * 60_000
limitTime({ what: 'web3/figures.ts', minutes: 120 })

const node = await startNode(31337, '--gas-limit', '60000000')
const endpoint = await Endpoint.to(node.url)
const cluster = await startCluster('embedded')
await prepareDatabase(cluster, 'figures')
const url = (role: string) => `postgres://${role}:${cluster.password}@127.0.0.1:${cluster.port}/figures`
const config = readConfig(
  environment(
    { serverUrl: url('exchequer_server'), ownerUrl: url('exchequer_owner') },
    {
      LOG_LEVEL: 'warn',
      CHAINS: `${chain}=${endpoint.url}`,
      CHAIN_TIMEOUT_MS: '30000',
      HOLDINGS_EVERY_SECONDS: String(everySeconds),
    },
  ),
)
const app = await startApp(config)
const superuser = url('postgres')

try {
  const access = { baseUrl: app.url, token: operatorToken }
  const realm = await makeRealm(access)
  const wallets = Array.from({ length: count }, () => randomBytes(20))
  await link(wallets)
  const code = contracts('Tokens.sol')
  const coin = await node.deploy(code.get('Coin'))
  const card = await node.deploy(code.get('Card'))
  await drop(coin, wallets)
  await drop(
    card,
    wallets.filter((_, index) => index % 10 === 0),
  )
  const put = (id: string, body: object) =>
    manager(access, 'PUT', { path: `/realms/${realm.id}/web3/collections/${id}`, body: { chain, ...body } })
  // Before the worker looks for due readings, which it does every second.
  await Promise.all([
    put('coin', { standard: 'erc20', address: coin }),
    put('card', { standard: 'erc721', address: card }),
    put('ether', { standard: 'native' }),
  ])
  await measureReading('the first reading, everything written')
  await due()
  await measureReading('again, nothing changed')
  await drop(coin, wallets.slice(0, Math.ceil(count / 100)))
  await due()
  await measureReading('again, one in a hundred changed')
} finally {
  await app.close()
  endpoint.close()
  await cluster.stop()
  await node.stop()
}

async function link(all: readonly Buffer[]): Promise<void> {
  await rowsOf(
    superuser,
    `insert into members (realm, account, id) select 1, g, g from generate_series(1, $1) g`,
    [count],
  )
  await rowsOf(superuser, 'update heads set next_account = $1 where realm = 1', [count + 1])
  const texts = all.map((wallet) => `0x${wallet.toString('hex')}`)
  await rowsOf(
    superuser,
    `insert into wallets (realm, match, account, address, chain, verified_at)
      select 1, w, n, w, 'eip155', now() from unnest($1::text[]) with ordinality as u (w, n)`,
    [texts],
  )
}

async function drop(token: string, to: readonly Buffer[]): Promise<void> {
  for (let at = 0; at < to.length; at += 500)
    await node.send(
      { to: token, data: callData('drop(bytes)', [Buffer.concat(to.slice(at, at + 500))]) },
      { gas: '0x3473bc0' },
    )
}

async function due(): Promise<void> {
  await rowsOf(superuser, 'update readings set due_at = clock_timestamp()')
}

/** Measured from when the lease was taken, as the worker looks once a second. */
async function measureReading(what: string): Promise<void> {
  const asked = endpoint.asked
  const block = Number(await node.rpc<string>('eth_blockNumber'))
  let startedMs: number | undefined
  const deadlineMs = performance.now() + readingMs
  for (;;) {
    checkDeadline(deadlineMs, 'a reading of every collection')
    const [{ under_way: underWay, done }] = await rowsOf(
      superuser,
      `select (select bool_or(leased_until > clock_timestamp()) from readings) as under_way,
        (select count(*) = 3 and min(block) >= $1 and bool_and(seen_at > clock_timestamp() - interval '1 h')
          from collections) as done`,
      [block],
    )
    if (underWay && startedMs === undefined) startedMs = performance.now()
    if (startedMs !== undefined && !underWay && done) break
    await sleep(20)
  }
  const seconds = (performance.now() - startedMs) / 1000
  const [{ rows }] = await rowsOf(superuser, 'select count(*) as rows from holdings')
  console.log(`${what}: ${seconds.toFixed(1)} s, ${endpoint.asked - asked} calls, ${rows} amounts stored`)
}
