import { discordServer, type Importer, listIn } from './importer.ts'

/**
 * Tatsu: API v1 (dev.tatsu.gg). From public clients of it, and not checked against the live service.
 *
 *   GET /v1/guilds/{server}/rankings/all?offset=0        Authorization: the key
 *   {"guild_id":"…","rankings":[{"rank":1,"score":1234,"user_id":"…"}]}
 *
 * Pages have up to 100 places, and there are no names. 60 requests a minute: X-RateLimit-Remaining,
 * X-RateLimit-Reset in seconds since 1970, 429.
 */
export const tatsu: Importer = {
  title: 'Tatsu',
  place: discordServer,
  url: 'https://api.tatsu.gg',
  token: {
    from: 'the API key that t!apikey create returns in Discord',
    headers: (token) => ({ authorization: token }),
  },
  refusals: { 404: 'Tatsu does not know this server. Check the id, and that Tatsu is in it.' },
  async *pages(server, get) {
    for (let offset = 0; ; ) {
      const rankings = listIn(await get(`/v1/guilds/${server}/rankings/all?offset=${offset}`), 'rankings')
      yield { rows: rankings.map(({ user_id: id, score }) => ({ id, points: score })) }
      offset += rankings.length
    }
  },
}
