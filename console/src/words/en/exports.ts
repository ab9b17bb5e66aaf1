export const exports = {
  title: 'Export',
  intro: 'Files are made as of one entry of the journal, while everything goes on.',
  files: {
    'members.csv': {
      name: 'Members',
      what: 'Ids, names and wallets, in the columns that an import takes.',
    },
    'balances.csv': {
      name: 'Balances',
      what: 'What each member can spend, and what is held, by kind of points.',
    },
    'entries.csv': { name: 'Entries', what: 'Every entry of the journal, with what was said about it.' },
    'realm.ndjson': {
      name: 'The whole realm',
      what: 'Everything but keys, as NDJSON: to keep, to check, or to move to another server.',
    },
  },
  spreadsheet: 'CSV opens in a spreadsheet: ids keep all their digits, and no name becomes a formula.',
  download: (name: string) => `Download ${name}`,
  save: 'Download',
  stop: 'Stop',
  needsOwner: 'Only owners can take the whole realm out.',
  running: (lines: string, size: string) => `${lines} lines, ${size} so far`,
  done: (lines: string, size: string) => `${lines} lines, ${size} saved`,
  asOf: (seq: string) => `as of entry ${seq}`,
  cut: 'The connection broke before the file was whole. Nothing was saved: download it again.',
}
