import { discordServer, fieldOf, type Importer, listIn } from './importer.ts'

/**
 * AmariBot: API v1. From public clients (amari.py and others) and memory of the documentation; not checked
 * against the live service.
 *
 *   GET /api/v1/guild/leaderboard/{server}?page=1&limit=1000        Authorization: the key
 *   {"guild":"…","count":1000,"total_count":2345,"data":[{"id":"…","username":"…","exp":1234,"level":5}]}
 *
 * Pages count from 1. After the end `data` is empty, or the status is 501. 60 requests a minute: 429.
 */
export const amari: Importer = {
  title: 'AmariBot',
  place: discordServer,
  url: 'https://amaribot.com',
  token: {
    from: 'the API key that AmariBot’s support server issues',
    headers: (token) => ({ authorization: token }),
  },
  refusals: {
    403: 'AmariBot rejected the API key.',
    404: 'AmariBot has no leaderboard for this server. Check the id.',
  },
  async *pages(server, get) {
    for (let page = 1; ; page += 1) {
      const answer = await get(`/api/v1/guild/leaderboard/${server}?page=${page}&limit=1000`, [501])
      if (answer === undefined) return
      const places = listIn(answer, 'data')
      yield {
        rows: places.map(({ id, username, exp }) => ({ id, username, points: exp })),
        total: fieldOf(answer, 'total_count'),
      }
    }
  },
}
