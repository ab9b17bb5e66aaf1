import type { Act } from '@exchequer/sdk'
import { type Command, command } from '../command.ts'
import { timeText } from '../output.ts'
import type { Column } from '../table.ts'
import { listed, listFlags, showList } from './listing.ts'

const columns: readonly Column[] = [
  { title: 'TIME' },
  { title: 'WHO', cut: true },
  { title: 'ACTION' },
  { title: 'SUBJECT', cut: true },
  { title: 'ADDRESS' },
]
const row = (one: Act) => [timeText(one.at), one.actor, one.action, one.subject, one.address]

export const auditList: Command = command({
  words: 'audit list',
  what: 'list who changed settings, keys and members, newest first',
  flags: {
    server: { what: 'of the whole server instead of a realm; needs an operator token' },
    ...listFlags,
  },
  examples: [
    { line: 'exchequer audit list --limit 10', what: 'the last ten changes of the realm' },
    { line: 'exchequer audit list --server', what: 'of the server' },
  ],
  async run({ flags }, context) {
    const { realm, operator, access } = context
    const { key, token, realm: id } = access
    const byOperator = key === undefined && token !== undefined && id !== undefined
    const log = flags.server
      ? operator().audit()
      : byOperator
        ? operator().realm(id).audit()
        : realm().audit()
    showList(context, await listed(log, flags), { columns, row, empty: 'Nothing was changed yet.' })
  },
})
