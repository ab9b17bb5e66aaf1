export const exports = {
  title: 'Export',
  intro: 'Each file is a consistent snapshot. Exporting does not interrupt anything.',
  files: {
    'members.csv': {
      name: 'Members',
      what: 'IDs, names and wallets, in the columns that an import accepts.',
    },
    'balances.csv': {
      name: 'Balances',
      what: 'What each member can spend and what is on hold, by currency.',
    },
    'entries.csv': { name: 'Entries', what: 'Every journal entry with its details.' },
    'realm.ndjson': {
      name: 'The whole realm',
      what: 'Everything except keys, as NDJSON: to archive, verify or move to another server.',
    },
  },
  spreadsheet: 'Safe to open in a spreadsheet: IDs keep all digits, and names never become formulas.',
  download: (name: string) => `Download ${name}`,
  save: 'Download',
  stop: 'Stop',
  needsOwner: 'Only owners can export the whole realm.',
  running: (lines: string, size: string) => `${lines} lines, ${size} so far`,
  done: (lines: string, size: string) => `${lines} lines, ${size} saved`,
  asOf: (seq: string) => `as of entry ${seq}`,
  cut: 'The connection was lost before the download finished. Nothing was saved; download it again.',
}
