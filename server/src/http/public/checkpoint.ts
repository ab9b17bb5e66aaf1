import { ok, type Reply } from '../problem.ts'
import { publicRoute } from '../route/route.ts'
import { realmIdParam, Type } from '../route/schemas.ts'
import { forAnyone, readable } from './forAnyone.ts'

/** Signed checkpoints of realms with a public leaderboard, and the keys to verify any checkpoint. */

const checkpoint = publicRoute(
  {
    operationId: 'getPublicCheckpoint',
    tag: 'Public leaderboards',
    methods: ['GET'],
    path: '/boards/{realmID}/checkpoint',
    summary: 'Get a signed checkpoint of a public realm',
    description:
      'The signed note as text, as `GET /api/v4/realms/{realmID}/checkpoint` returns it. Needs no key. If ' +
      'the realm’s `publicBoard` is false, the realm is not found.',
    params: { realmID: realmIdParam },
    writes: false,
    answerType: 'text/plain',
    refusals: ['route_not_found', 'not_set_up', 'overloaded'],
  },
  async ({ params: { realmID: realmId } }, { publicBoards, checkpoints }): Promise<Reply> => {
    const note = async () => {
      const { realm } = await publicBoards.get({ realmId, point: undefined, period: 'all' })
      return (await checkpoints.of(realm)).note
    }
    return {
      status: 200,
      body: await note().catch(readable),
      type: 'text/plain; charset=utf-8',
      headers: forAnyone,
    }
  },
)

const keys = publicRoute(
  {
    operationId: 'getCheckpointKeys',
    tag: 'Service',
    methods: ['GET'],
    path: '/checkpoint-keys',
    summary: 'List the public keys of checkpoints',
    description:
      'The key that signs, then older ones whose notes are still valid; empty where no checkpoints are ' +
      'signed. Store the key with your note: a server that is not honest could list another one later.',
    writes: false,
    answer: Type.Object({
      data: Type.Array(
        Type.Object(
          {
            name: Type.String({ description: 'The name of the server that signs.' }),
            id: Type.String({ description: 'The first 4 bytes of a hash of name and key: 8 hex digits.' }),
            key: Type.String({ description: 'Name, id and Ed25519 public key: a C2SP verifier key.' }),
            status: Type.Union([Type.Literal('signing'), Type.Literal('retired')], {
              description: '`signing` for the key of new notes, `retired` for those of older ones.',
            }),
          },
          { title: 'CheckpointKey' },
        ),
        { description: 'The key that signs first, then older ones.' },
      ),
    }),
  },
  (_request, { checkpoints }) =>
    ok({ data: checkpoints.keys() }, { ...forAnyone, 'cache-control': 'public, max-age=300' }),
)

export const checkpointRoutes = [checkpoint, keys]
