import { countIn } from './exact.ts'
import { discordServer, fieldOf, type Importer, listIn } from './importer.ts'

/**
 * UnbelievaBoat: API v1 (unbelievaboat.com/api/docs). From its own client unb-api and memory of the
 * documentation; not checked against the live service.
 *
 *   GET /api/v1/guilds/{server}/users?sort=total&limit=1000&page=1        Authorization: the token
 *   {"users":[{"rank":"1","user_id":"…","cash":10,"bank":90,"total":100}],"total_pages":3}
 *
 * Balances can be negative, fractions, or "Infinity". 429 with Retry-After, which its client reads as
 * milliseconds.
 */
export const unbelievaboat: Importer = {
  title: 'UnbelievaBoat',
  place: discordServer,
  url: 'https://unbelievaboat.com',
  retryAfterMs: 1,
  token: {
    from: 'the token of an application at unbelievaboat.com/applications, authorised for the server',
    headers: (token) => ({ authorization: token }),
  },
  refusals: {
    403: 'The application has no access to this server: authorise it with “economy” at unbelievaboat.com.',
    404: 'UnbelievaBoat is not in this server. Check the id.',
  },
  async *pages(server, get) {
    for (let page = 1; ; page += 1) {
      const answer = await get(`/api/v1/guilds/${server}/users?sort=total&limit=1000&page=${page}`)
      const users = listIn(answer, 'users')
      yield { rows: users.map(({ user_id: id, total }) => ({ id, points: total })) }
      if (page >= (countIn(fieldOf(answer, 'total_pages')) ?? page + 1)) return
    }
  },
}
