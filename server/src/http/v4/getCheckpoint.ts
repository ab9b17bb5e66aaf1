import { ok } from '../problem.ts'
import { realmRoute } from '../route/route.ts'
import { realmIdParam, Type } from '../route/schemas.ts'

export const getCheckpoint = realmRoute(
  {
    operationId: 'getCheckpoint',
    tag: 'Journal',
    methods: ['GET'],
    path: '/api/v4/realms/{realmID}/checkpoint',
    summary: 'Get a signed checkpoint of the journal',
    description:
      'A signed statement that entry `seq` has this `hash`, of an entry that is at least 10 seconds old. ' +
      'Store the `note`: with it and the public key, `exchequer verify --against` detects a history that ' +
      'was rewritten later, offline. A note is at most 10 seconds old. docs/checkpoints.md describes it.',
    params: { realmID: realmIdParam },
    scope: 'journal:read',
    writes: false,
    answer: Type.Object({
      seq: Type.String({ description: 'The last signed entry; 0 when there is none yet.' }),
      hash: Type.String({ description: 'Its hash: 64 hex digits.' }),
      origin: Type.String({ description: 'The journal: the name of the key, and the realm’s id.' }),
      signedAt: Type.String({ format: 'date-time', description: 'When it was signed.' }),
      note: Type.String({ description: 'The signed note as text: a C2SP checkpoint.' }),
    }),
    refusals: ['not_set_up'],
  },
  async ({ caller }, { checkpoints }) => {
    const { seq, ...rest } = await checkpoints.of({ number: caller.realm, id: caller.realmId })
    return ok({ seq: String(seq), ...rest })
  },
)
