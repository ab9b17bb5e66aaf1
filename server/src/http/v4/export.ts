import { type Export, exportKinds } from '../../exports/exports.ts'
import type { Streamed } from '../problem.ts'
import { realmRoute } from '../route.ts'
import { realmIdParam } from '../schemas.ts'

const csv = 'text/csv'
const ndjson = 'application/x-ndjson'
const base = '/api/v4/realms/{realmID}/export'
const params = { realmID: realmIdParam }
const seqWords =
  'True as of one entry, which the header `Exchequer-Seq` names; what changes meanwhile is not in it.'

function replyOf({ seq, chunks }: Export, type: string, file: string): Streamed {
  const headers = {
    'exchequer-seq': String(seq),
    'content-disposition': `attachment; filename="${file}"`,
  }
  return { status: 200, body: chunks, type: `${type}; charset=utf-8`, headers }
}

const columns = {
  members: 'Members with their names and wallets, in the columns that an import takes.',
  balances: 'What each member has and what of it is held, by kind of points.',
  entries: 'The journal, with what was said about each entry.',
} as const

const csvRoutes = exportKinds.map((kind) =>
  realmRoute(
    {
      methods: ['GET'],
      path: `${base}/${kind}.csv`,
      summary: `Export ${kind} as CSV`,
      description:
        `${columns[kind]} ${seqWords} Ids are written as \`="1190194345295482952"\`, and text that begins ` +
        'like a formula with an apostrophe before it, so that a spreadsheet leaves them as they are.',
      params,
      writes: false,
      scope: 'journal:read',
      answerType: csv,
    },
    async ({ caller }, { exports }) => replyOf(await exports.csv(caller.realm, kind), csv, `${kind}.csv`),
  ),
)

const realmRouteOut = realmRoute(
  {
    methods: ['GET'],
    path: `${base}/realm.ndjson`,
    summary: 'Export the whole realm as NDJSON',
    description:
      `${seqWords} Loaded elsewhere with \`realm import\`, it has the same balances and the same hashes. ` +
      'The last line is `{"end":true}` with counts: without it, it is not whole. Keys are not in it.',
    params,
    writes: false,
    scope: 'realm:admin',
    answerType: ndjson,
  },
  async ({ caller }, { exports }) => replyOf(await exports.ndjson(caller.realm), ndjson, 'realm.ndjson'),
)

export const exportRoutes = [...csvRoutes, realmRouteOut]
