import { hash as digest } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenStream } from '../../events/streams/index.ts'
import { freshForMs, type PublicBoard, type PublicBoards } from '../../leaderboards/index.ts'
import { ok, type Reply } from '../problem.ts'
import { publicRoute, type Request } from '../route/route.ts'
import { nullable, pointId, realmIdParam, Type } from '../route/schemas.ts'
import { eventStream, eventStreamReply } from '../shared/eventStream.ts'
import { pointBody } from '../shared/realmAnswer.ts'
import { summaryBody, summaryFields } from '../v4/boardQuery.ts'
import { boardPage, nameOf } from './boardPage.ts'
import { forAnyone, readable } from './forAnyone.ts'

/** A realm's public leaderboard, if enabled: names and scores, without ids and wallets. */

const params = { realmID: realmIdParam }
const query = {
  realmPointId: pointId,
  period: Type.Union([Type.Literal('all'), Type.Literal('week'), Type.Literal('month')], {
    description: '`all` ranks by balance; `week` (from Monday) and `month` rank by points gained.',
  }),
}

type BoardRequest = Request<unknown, { readonly realmID: string }>
type PeriodAsked = 'all' | 'week' | 'month'

function asked({ params: { realmID: realmId }, query: given }: BoardRequest, publicBoards: PublicBoards) {
  return publicBoards
    .get({
      realmId,
      point: given.get('realmPointId') ?? undefined,
      period: (given.get('period') ?? 'all') as PeriodAsked,
    })
    .catch(readable)
}

function boardBody({ realm: { id, config }, point, top }: PublicBoard) {
  const { name, emoji } = pointBody(config, point)
  return {
    realm: { id, name: config.name, logo: config.logo, colours: JSON.parse(config.colours ?? 'null') },
    point: { id: point.id, name, emoji },
    members: top.members.map((one) => ({ rank: one.rank, name: nameOf(one), tokens: one.score })),
    ...summaryBody(top),
  }
}

const leaderboard = publicRoute(
  {
    operationId: 'getPublicLeaderboard',
    tag: 'Public leaderboards',
    methods: ['GET'],
    path: '/boards/{realmID}/leaderboard',
    summary: 'Read a public leaderboard',
    description:
      'Needs no key. If the realm’s `publicBoard` is false, the realm is not found. Lists the first 100 ' +
      `members by name, without hidden ones. At most ${freshForMs / 1_000} seconds old.`,
    params,
    query,
    writes: false,
    answer: Type.Object({
      realm: Type.Object(
        {
          id: realmIdParam,
          name: Type.String(),
          logo: nullable(Type.String()),
          colours: nullable(Type.Record(Type.String(), Type.String(), { title: 'Colours' })),
        },
        { title: 'PublicRealm' },
      ),
      point: Type.Object(
        { id: pointId, name: Type.String(), emoji: nullable(Type.String()) },
        { title: 'PublicPoint' },
      ),
      members: Type.Array(
        Type.Object(
          { rank: Type.Integer({ minimum: 1 }), name: Type.String(), tokens: Type.Integer() },
          { title: 'PublicStanding' },
        ),
      ),
      ...summaryFields,
    }),
    refusals: ['route_not_found', 'overloaded'],
  },
  async (request, { publicBoards }) => ok(boardBody(await asked(request, publicBoards)), forAnyone),
)

const page = publicRoute(
  {
    operationId: 'getPublicLeaderboardPage',
    tag: 'Public leaderboards',
    methods: ['GET'],
    path: '/boards/{realmID}',
    summary: 'Open a public leaderboard as a page',
    params,
    query,
    writes: false,
    answerType: 'text/html',
    refusals: ['route_not_found', 'overloaded'],
  },
  async (request, { publicBoards, checkpoints }): Promise<Reply> => {
    const { html, style } = boardPage(await asked(request, publicBoards), checkpoints.isOn)
    const policy = [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      `style-src 'sha256-${digest('sha256', style, 'base64')}'`,
      'img-src https:',
      "base-uri 'none'",
      "form-action 'none'",
    ]
    return {
      status: 200,
      body: html,
      type: 'text/html; charset=utf-8',
      headers: {
        'cache-control': forAnyone['cache-control'],
        'content-security-policy': policy.join('; '),
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      },
    }
  },
)

/** Between two events of a stream. */
const leastMs = 1_000

/** The board is asked for before each event: one that is switched off ends its streams. */
async function* whilePublic(
  { pieces, end }: OpenStream,
  request: BoardRequest,
  publicBoards: PublicBoards,
): AsyncGenerator<string> {
  let nextMs = 0
  try {
    for await (const piece of pieces) {
      if (piece.includes('data:')) {
        const waitMs = publicBoards.moved(request.params.realmID)
        await sleep(Math.max(waitMs, nextMs - performance.now()))
        nextMs = performance.now() + leastMs
      }
      await asked(request, publicBoards)
      yield piece
    }
  } finally {
    end()
  }
}

const stream = publicRoute(
  {
    operationId: 'streamPublicLeaderboard',
    tag: 'Public leaderboards',
    methods: ['GET'],
    path: '/boards/{realmID}/stream',
    summary: 'Follow a public leaderboard',
    description:
      'Needs no key. Server-sent events, at most one a second: `id` is the seq of the last entry, first of ' +
      'the present one. The leaderboard may have changed: read it again to show it.',
    params,
    writes: false,
    answerType: eventStream,
    refusals: ['route_not_found', 'overloaded'],
  },
  async (request, { publicBoards, streams }) => {
    const { realm } = await asked(request, publicBoards)
    const opened = await streams.news({ realm: realm.number, client: `address ${request.by().address}` })
    const pieces = whilePublic(opened, request, publicBoards)
    const reply = eventStreamReply({ ...opened, pieces }, { 'access-control-allow-origin': '*' })
    return { ...reply, check: () => {} }
  },
)

const script = readFileSync(new URL('../../../public/leaderboard.js', import.meta.url))

const liveScript = readFileSync(new URL('../../../public/board.js', import.meta.url))

const pageScript = publicRoute(
  {
    operationId: 'getLeaderboardPageScript',
    tag: 'Public leaderboards',
    methods: ['GET'],
    path: '/board.js',
    summary: 'Load the script of the leaderboard page',
    writes: false,
    answerType: 'text/javascript',
  },
  () => ({
    status: 200,
    body: liveScript,
    type: 'text/javascript; charset=utf-8',
    headers: { ...forAnyone, 'cache-control': 'public, max-age=300' },
  }),
)

const component = publicRoute(
  {
    operationId: 'getLeaderboardComponent',
    tag: 'Public leaderboards',
    methods: ['GET'],
    path: '/leaderboard.js',
    summary: 'Load the <exchequer-leaderboard> element',
    writes: false,
    answerType: 'text/javascript',
  },
  () => ({
    status: 200,
    body: script,
    type: 'text/javascript; charset=utf-8',
    headers: { ...forAnyone, 'cache-control': 'public, max-age=300' },
  }),
)

export const boardRoutes = [page, leaderboard, stream, component, pageScript]
