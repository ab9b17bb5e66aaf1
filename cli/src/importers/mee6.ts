import { discordServer, type Importer, listIn } from './importer.ts'

/**
 * MEE6: the leaderboard that its web page shows. MEE6 documents no API; the address and the fields are
 * those of public clients (mee6-levels-api and others), and could not be checked against the live service.
 *
 *   GET /api/plugins/levels/leaderboard/{server}?limit=1000&page=0
 *   {"players":[{"id":"…","username":"…","xp":1234,"level":3,"avatar":"…"}],"page":0,…}
 *
 * Pages count from 0, and the first one after the end is empty. Limits are not documented: 429, Retry-After.
 */
export const mee6: Importer = {
  title: 'MEE6',
  place: discordServer,
  url: 'https://mee6.xyz',
  refusals: {
    401: 'The leaderboard is not public: in MEE6’s dashboard, Levels, make it public while you import.',
    404: 'MEE6 has no leaderboard for this server. Check the id, and that Levels is on.',
  },
  async *pages(server, get) {
    for (let page = 0; ; page += 1) {
      const answer = await get(`/api/plugins/levels/leaderboard/${server}?limit=1000&page=${page}`)
      const players = listIn(answer, 'players')
      yield { rows: players.map(({ id, username, xp }) => ({ id, username, points: xp })) }
    }
  },
}
