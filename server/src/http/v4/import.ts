import { type Fault, RefusalError } from '../../errors.ts'
import { faultCap, faultStop, type LineFault, type Tally } from '../../files/imports/index.ts'
import { refuseLimited } from '../../keys/index.ts'
import { ok } from '../problem.ts'
import { numberParam } from '../route/queryValues.ts'
import { realmRoute } from '../route/route.ts'
import { dryRun, realmIdParam, Type } from '../route/schemas.ts'
import { isDry } from './posting.ts'

const csv = 'text/csv'
const ndjson = 'application/x-ndjson'

const decimal = Type.String({ pattern: '^[0-9]+$' })

const answer = Type.Object({
  dryRun: Type.Boolean(),
  rows: Type.Integer(),
  members: Type.Object({ created: Type.Integer(), updated: Type.Integer() }, { title: 'ImportedMembers' }),
  wallets: Type.Object({ linked: Type.Integer() }, { title: 'ImportedWallets' }),
  openings: Type.Object(
    {
      made: Type.Integer(),
      alreadyThere: Type.Integer(),
      onTop: Type.Integer({
        description:
          'Created opening balances that were added to points, a hold or an opening balance of the same ' +
          'point type that the member already had.',
      }),
    },
    { title: 'ImportedOpenings' },
  ),
  totals: Type.Record(Type.String(), decimal, {
    title: 'ImportTotals',
    description: 'The sum of all rows’ opening balances, by point type, in decimal digits.',
  }),
  faults: Type.Array(Type.Object({ line: Type.Integer(), detail: Type.String() }, { title: 'ImportFault' }), {
    description:
      `With \`dryRun\`: the errors, at most ${faultCap}. Without it, errors return a 400. Reading stops ` +
      `after ${faultStop} errors; the counts cover what was read.`,
  }),
})

function answerOf(tally: Tally, dry: boolean) {
  const { rows, created, updated, linked, made, alreadyThere, onTop, totals, faults } = tally
  return {
    dryRun: dry,
    rows,
    members: { created, updated },
    wallets: { linked },
    openings: { made, alreadyThere, onTop },
    totals: Object.fromEntries(Array.from(totals, ([point, total]) => [point, String(total)])),
    faults,
  }
}

const pointed = ({ line, detail }: LineFault): Fault => ({ pointer: `line:${line}`, detail })

function refusalOf({ faults, faultCount, isWhole }: Tally): RefusalError {
  const [first] = faults
  const count = isWhole ? String(faultCount - 1) : `At least ${faultCount - 1}`
  const more = faultCount > 1 ? ` ${count} more.` : ''
  const detail = `Line ${first?.line}: ${first?.detail}${more} Nothing was imported.`
  return new RefusalError({ code: 'invalid_request', detail, faults: faults.map(pointed) })
}

export const importRows = realmRoute(
  {
    operationId: 'importRows',
    tag: 'Import and export',
    methods: ['POST'],
    path: '/api/v4/realms/{realmID}/import',
    summary: 'Import members, wallets and opening balances',
    description:
      'Columns, or fields of each line: `id`, `username`, `displayName`, `wallet` (several separated by ' +
      '`;`), `chain`, `balance`, `balance:<realmPointId>`. Send a file larger than the body limit in ' +
      'parts, each CSV part with the header line. Sending a part again imports nothing twice.',
    params: { realmID: realmIdParam },
    query: {
      ...dryRun,
      name: Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'The import’s name, 1 to 100 characters: a member gets one opening balance per name.',
      }),
      firstLine: numberParam({
        from: 1,
        to: 999_999_999,
        description: 'The line number of this part’s first row in the whole file.',
      }),
      roundedIds: Type.Union([Type.Literal('allow'), Type.Literal('refuse')], {
        description: '`allow`: accept ids that look as if a spreadsheet rounded them.',
      }),
      onTop: Type.Union([Type.Literal('add'), Type.Literal('refuse')], {
        description:
          'For members who already have points, a hold or an opening balance: `add` adds to what they ' +
          'have, `refuse` (default) rejects the part and counts them.',
      }),
    },
    writes: true,
    scope: 'realm:admin',
    idempotent: 'named',
    textTypes: [csv, ndjson],
    weight: (sent: { text: string } | undefined) => sent?.text.split('\n').length ?? 1,
    body: Type.Object({ type: Type.String(), text: Type.String() }),
    answer,
    refusals: [
      'member_not_found',
      'already_exists',
      'precondition_failed',
      'balance_limit',
      'overloaded',
      'outcome_unknown',
    ],
  },
  async ({ caller, by, requestId, query, body: { type, text } }, { imports }) => {
    refuseLimited(caller.bounds, 'import members')
    const name = query.get('name')
    if (name === null) {
      const detail = 'Missing. Expected a name for the import, the same for all its parts.'
      throw new RefusalError({ code: 'invalid_request', detail, faults: [{ pointer: 'query:name', detail }] })
    }
    const firstLine = query.get('firstLine')
    const wanted = {
      realm: caller.realm,
      key: caller.key,
      by: by(),
      requestId,
      name,
      format: type === csv ? ('csv' as const) : ('ndjson' as const),
      firstLine: firstLine === null ? undefined : Number(firstLine),
      allowRounded: query.get('roundedIds') === 'allow',
      addOnTop: query.get('onTop') === 'add',
    }
    const checked = await imports.check(() => [text], wanted)
    if (isDry(query)) return ok(answerOf(checked, true))
    if (checked.faultCount > 0) throw refusalOf(checked)
    return ok(answerOf(await imports.apply(() => [text], { ...wanted, checked }), false))
  },
)
