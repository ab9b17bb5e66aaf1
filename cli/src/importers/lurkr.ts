import { discordServer, fieldOf, type Importer, listIn } from './importer.ts'

/**
 * Lurkr: API v2 (api.lurkr.gg). From public clients of it, and not checked against the live service.
 *
 *   GET /v2/levels/{server}?page=1        X-API-Key: the key, if the leaderboard is not public
 *   {"guild":{…},"levels":[{"userId":"…","xp":1234,"level":5,"user":{"username":"…"}}]}
 *
 * Pages count from 1 and have 100 places (a client expects 1,000); the first one after the end is empty.
 * 429 with Retry-After.
 */
export const lurkr: Importer = {
  title: 'Lurkr',
  place: discordServer,
  url: 'https://api.lurkr.gg',
  token: {
    isOptional: true,
    from: 'an API key of your Lurkr account',
    headers: (token) => ({ 'x-api-key': token }),
  },
  refusals: {
    401: 'The leaderboard is not public: make it public in Lurkr’s dashboard, or give an API key.',
    403: 'The leaderboard is not public: make it public in Lurkr’s dashboard, or give an API key.',
    404: 'Lurkr has no leaderboard for this server. Check the id, and that Levels is on.',
  },
  async *pages(server, get) {
    for (let page = 1; ; page += 1) {
      const levels = listIn(await get(`/v2/levels/${server}?page=${page}`), 'levels')
      const rows = levels.map(({ userId: id, xp, user }) => ({
        id,
        points: xp,
        username: fieldOf(user, 'username'),
      }))
      yield { rows }
    }
  },
}
