import { fieldOf, type Importer, listIn } from './importer.ts'

/**
 * StreamElements: loyalty points of a Twitch channel, API kappa/v2. From its public documentation and
 * clients, and not checked against the live service.
 *
 *   GET /kappa/v2/points/{channel}/top?limit=1000&offset=0        Authorization: Bearer, optional
 *   {"_total":2345,"users":[{"username":"ada_99","points":1234}]}
 *
 * A viewer has a Twitch name and no id: the member is twitch:ada_99, an identity. 429 with Retry-After.
 */
export const streamelements: Importer = {
  title: 'StreamElements',
  place: {
    what: 'the id of the StreamElements channel, 24 hex digits (Account settings, Account ID)',
    form: /^[0-9a-f]{24}$/i,
  },
  url: 'https://api.streamelements.com',
  provider: 'twitch',
  token: {
    isOptional: true,
    from: 'the JWT token in Account settings, Channels',
    headers: (token) => ({ authorization: `Bearer ${token}` }),
  },
  refusals: {
    401: 'StreamElements rejected the token. Copy the JWT again: it changes when it is refreshed.',
    404: 'StreamElements does not know this channel. Check the id.',
  },
  async *pages(channel, get) {
    for (let offset = 0; ; ) {
      const answer = await get(`/kappa/v2/points/${channel}/top?limit=1000&offset=${offset}`)
      const users = listIn(answer, 'users')
      yield {
        rows: users.map(({ username, points }) => ({ id: username, username, points })),
        total: fieldOf(answer, '_total'),
      }
      offset += users.length
    }
  },
}
