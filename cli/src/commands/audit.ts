import { type Command, command } from '../command.ts'
import { timeText } from '../output.ts'
import { countOf, take } from './values.ts'

export const audit: Command = command({
  words: 'audit',
  what: 'who did what to the realm’s settings, keys and members, the newest first',
  flags: {
    limit: { value: 'N', what: 'how many at most; 50 unless given' },
    server: { what: 'of the whole server instead of a realm; needs an operator token' },
  },
  examples: [{ line: 'exchequer audit --limit 10', what: 'the last ten' }],
  async run({ flags }, { realm, operator, access, out }) {
    const { key, token, realm: id } = access
    const byOperator = key === undefined && token !== undefined && id !== undefined
    const log = flags.server
      ? operator().audit()
      : byOperator
        ? operator().realm(id).audit()
        : realm().audit()
    const acts = await take(log, countOf('--limit', flags.limit, 50))
    const columns = [
      { title: 'TIME' },
      { title: 'WHO', cut: true },
      { title: 'DID' },
      { title: 'TO', cut: true },
      { title: 'FROM' },
    ] as const
    const rows = acts.map((one) => [timeText(one.at), one.actor, one.action, one.subject, one.address])
    out.answer(acts, () => out.table(columns, rows))
  },
})
