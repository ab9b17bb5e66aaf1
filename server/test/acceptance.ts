import { type ClientName, clients, runAcceptance } from '../../tests/support/acceptance.ts'
import type { Fixture } from '../../tests/support/fixture.ts'
import { scriptOptions } from '../../tests/support/scriptOptions.ts'
import { withWhole } from '../../tests/support/whole.ts'

/**
 * Runs the black-box check of the contract against a real server on a real PostgreSQL: `npm run acceptance`.
 * With `-- --client sdk`, `python` or `csharp` that client sends the requests, where it can send such a one.
 */

const values = scriptOptions({ debian: { type: 'boolean', default: false }, client: { type: 'string' } })
const { client } = values
if (client !== undefined && !(client in clients))
  throw new Error(`--client is one of ${Object.keys(clients).join(', ')}, not ${client}`)

async function acceptance(fixture: Fixture): Promise<number> {
  const { code, said } = await runAcceptance(fixture, client as ClientName | undefined)
  process.stdout.write(said)
  return code
}

const extra = { REALM_RATE: '', KEY_RATE: '' }
process.exitCode = await withWhole({ flavour: values.debian ? 'debian' : 'embedded', extra }, acceptance)
