import { type Export, type ExportKind, exportKinds } from '../../files/exports/index.ts'
import type { Scope } from '../../keys/index.ts'
import type { StreamReply } from '../problem.ts'
import { realmRoute } from '../route/route.ts'
import { realmIdParam } from '../route/schemas.ts'
import type { ExportSlots } from '../wire/exportSlots.ts'

const csv = 'text/csv'
const ndjson = 'application/x-ndjson'
const base = '/api/v4/realms/{realmID}/export'
const params = { realmID: realmIdParam }
const seqWords =
  'A consistent snapshot as of the entry in the header `Exchequer-Seq`; later changes are not included.'

type File = { readonly realm: number; readonly type: string; readonly name: string }

async function replyOf(
  { realm, type, name }: File,
  exportSlots: ExportSlots,
  read: () => Promise<Export>,
): Promise<StreamReply> {
  const ended = exportSlots.take(realm)
  try {
    const { seq, chunks } = await read()
    const headers = {
      'exchequer-seq': String(seq),
      'content-disposition': `attachment; filename="${name}"`,
    }
    return { status: 200, body: chunks, type: `${type}; charset=utf-8`, headers, ended }
  } catch (error) {
    ended()
    throw error
  }
}

type Content = { readonly operationId: string; readonly words: string; readonly scope: readonly Scope[] }

const contents: Readonly<Record<ExportKind, Content>> = {
  members: {
    operationId: 'exportMembers',
    words: 'Members with their names and wallets, in the columns of an import.',
    scope: ['members:read', 'wallets:read'],
  },
  balances: {
    operationId: 'exportBalances',
    words: 'Each member’s balance and held points, by point type.',
    scope: ['members:read', 'journal:read'],
  },
  entries: {
    operationId: 'exportEntries',
    words: 'The journal, with the details of each entry.',
    scope: ['journal:read'],
  },
}

const csvRoutes = exportKinds.map((kind) =>
  realmRoute(
    {
      operationId: contents[kind].operationId,
      tag: 'Import and export',
      methods: ['GET'],
      path: `${base}/${kind}.csv`,
      summary: `Export ${kind} as CSV`,
      description:
        `${contents[kind].words} ${seqWords} Ids are written as \`="1190194345295482952"\`, and text that ` +
        'could start a formula is prefixed with an apostrophe, so that a spreadsheet does not change it.',
      params,
      writes: false,
      scope: contents[kind].scope,
      answerType: csv,
    },
    ({ caller: { realm } }, { exports, exportSlots }) =>
      replyOf({ realm, type: csv, name: `${kind}.csv` }, exportSlots, () => exports.csv(realm, kind)),
  ),
)

const realmRouteOut = realmRoute(
  {
    operationId: 'exportRealm',
    tag: 'Import and export',
    methods: ['GET'],
    path: `${base}/realm.ndjson`,
    summary: 'Export the whole realm as NDJSON',
    description:
      `${seqWords} Loaded elsewhere with \`realm import\`, it has the same balances and hashes. The last ` +
      'line is `{"end":true}` with counts; without it the file is incomplete. Keys are not included.',
    params,
    writes: false,
    scope: 'realm:admin',
    answerType: ndjson,
  },
  ({ caller: { realm } }, { exports, exportSlots }) =>
    replyOf({ realm, type: ndjson, name: 'realm.ndjson' }, exportSlots, () => exports.ndjson(realm)),
)

export const exportRoutes = [...csvRoutes, realmRouteOut]
