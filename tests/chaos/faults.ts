import { setTimeout as sleep } from 'node:timers/promises'
import { Link } from '../support/link.ts'
import { query } from './books.ts'
import type { Fault } from './play.ts'
import { openSingle } from './stage.ts'

/** How soon writes must resume after the database is back, and after any other fault is repaired. */
const backWithinMs = 2_000
const soonMs = 5_000

export const serverKill: Fault = {
  name: 'server-kill',
  title: 'kill -9 of the server',
  times: 20,
  pauseMs: [3_000, 8_000],
  async open(options) {
    const stage = await openSingle(options)
    return {
      stage,
      async inject({ load, resumed }) {
        for (const server of stage.servers) {
          await server.kill()
          await server.start()
        }
        resumed(await load.untilAcknowledged(), soonMs)
      },
    }
  },
}

export const postmasterKill: Fault = {
  name: 'postmaster-kill',
  title: 'kill -9 of PostgreSQL',
  times: 10,
  pauseMs: [2_000, 4_000],
  async open(options) {
    const stage = await openSingle(options)
    const [server] = stage.servers
    return {
      stage,
      async inject({ load, random, resumed, expect }, turn) {
        stage.postmaster.kill(turn % 2 === 0 ? 'all' : 'postmaster')
        await sleep(random.between(200, 2_000))
        expect((await server?.isAlive()) === true, 'the server did not stay alive without its database')
        await stage.postmaster.start()
        resumed(await load.untilAcknowledged(), backWithinMs)
      },
    }
  },
}

/** Backends of the servers, selected one by one. */
const hitText = (how: string, place: number) => `select pg_${how}_backend(pid) as hit from (
    select pid from pg_stat_activity where usename = 'exchequer_server' order by pid offset ${place} limit 1
  ) one`

export const backends: Fault = {
  name: 'backends',
  title: 'backends terminated or cancelled at random',
  times: 200,
  pauseMs: [50, 350],
  async open(options) {
    const stage = await openSingle(options)
    return {
      stage,
      async inject({ random }) {
        const how = random.chance(0.5) ? 'terminate' : 'cancel'
        // A server has few backends; if there is none at this offset, another is tried.
        for (let hit: unknown[] = []; hit.length === 0; )
          hit = await query(stage.superuserUrl, hitText(how, random.between(0, 7)))
      },
    }
  },
}

const frozenText = (name: string) => `select 1 from pg_stat_activity
  where application_name = '${name}' and state = 'idle in transaction'
    and xact_start < now() - interval '20 ms'`

/** Attempts to stop a server in the middle of a batch. */
const tries = 200

export const serverFreeze: Fault = {
  name: 'server-freeze',
  title: 'SIGSTOP of one of two servers in mid-batch',
  times: 10,
  pauseMs: [500, 2_000],
  async open(options) {
    const stage = await openSingle({ ...options, count: 2 })
    return {
      stage,
      async inject({ load, random, resumed, expect }) {
        const place = random.between(0, 1)
        const server = stage.servers[place]
        let caught = false
        for (let left = tries; left > 0 && !caught; left--) {
          server?.freeze()
          await sleep(30)
          caught = (await query(stage.superuserUrl, frozenText(`server${place}`))).length > 0
          if (!caught) server?.thaw()
          if (!caught) await sleep(random.between(5, 50))
        }
        expect(caught, 'a server could not be caught in mid-batch')
        resumed(await load.untilAcknowledged(), 3_000)
        await sleep(5_000)
        server?.thaw()
        await load.untilAcknowledged()
      },
    }
  },
}

export const network: Fault = {
  name: 'network',
  title: 'network to the database cut, silent and late, or slow',
  times: 12,
  pauseMs: [1_500, 3_000],
  async open(options) {
    const links: Link[] = []
    const through = async (url: string) => {
      const link = await Link.to(url)
      links.push(link)
      return link.url
    }
    const stage = await openSingle({ ...options, through })
    const [link] = links
    const [server] = stage.servers
    return {
      stage,
      async inject({ load, random, resumed, expect }, turn) {
        const how = (['cut', 'silent', 'slow'] as const)[turn % 3]
        if (how === 'cut') link?.cut()
        if (how === 'silent') link?.silence()
        if (how === 'slow') link?.slow(random.between(50, 400))
        await sleep(random.between(2_000, 8_000))
        expect((await server?.isAlive()) === true, 'the server did not stay alive without its network')
        if (how !== 'slow') expect((await server?.isReady()) === false, 'ready without a database')
        link?.repair()
        resumed(await load.untilAcknowledged(), backWithinMs)
      },
    }
  },
}
