export const imports = {
  title: 'Import',
  intro: 'Import members, wallets and opening balances. The whole file is checked before anything changes.',
  drop: 'Drop a CSV or NDJSON file here',
  dropHint: 'CSV in UTF-8 with commas, semicolons or tabs, or NDJSON with one object per line. Up to 32 MB.',
  choose: 'Choose a file',
  tooLarge: 'This file is larger than 32 MB. Import it from the command line: exchequer import FILE',
  notUtf8: 'This file is not UTF-8. Save it as “CSV UTF-8” in your spreadsheet and drop it again.',
  noRows: 'This file has no rows. Is it the right one?',
  wholeRealm:
    'This is the export of a whole realm. The operator can import it: exchequer db realm import FILE',
  wrongFormat: 'This is neither CSV nor NDJSON. Save your table as CSV and drop that file.',
  file: (name: string, size: string) => `${name}, ${size}`,
  rows: (count: string) => (count === '1' ? '1 row' : `${count} rows`),
  other: 'Choose another file',
  columns: 'Match columns',
  columnsHint: 'Matched by name. Correct what is wrong; columns you skip are not imported.',
  ndjsonHint: 'NDJSON fields have fixed names: id, username, displayName, wallet, chain, balance.',
  header: 'First line contains column names',
  column: (name: string) => `Column ${name}`,
  nameless: (nth: string) => `Column ${nth}`,
  sample: 'First rows',
  targets: {
    '': 'Skip',
    id: 'Member ID',
    username: 'Username',
    displayName: 'Display name',
    wallet: 'Wallets',
    chain: 'Wallet chain',
  },
  balance: (kind: string) => `Opening balance: ${kind}`,
  needsId: 'Choose the column with the member IDs.',
  twice: (name: string) => `Two columns are set to “${name}”. Choose one.`,
  name: 'Name of this import',
  nameHint:
    'Each member gets an opening balance once per import name. Keep the name for a corrected file; choose ' +
    'a new one for new data.',
  check: 'Check the file',
  checking: (done: string, all: string) => `Checked ${done} of ${all} rows`,
  result: 'Preview',
  clean: 'Ready to import. Nothing has changed yet.',
  faulty: (count: string) =>
    count === '1'
      ? 'One row needs fixing. Nothing was changed.'
      : `${count} rows need fixing. Nothing was changed.`,
  faultyMore: (count: string) => `More than ${count} rows need fixing. Nothing was changed.`,
  faultyHint: 'Fix them in the file and drop it again.',
  faultList: 'Rows with problems',
  line: 'Line',
  id: 'ID in the file',
  wrong: 'Problem and fix',
  saveFaults: 'Download list',
  mangledTitle: (count: string) =>
    count === '1' ? 'A spreadsheet has mangled one ID' : `A spreadsheet has mangled ${count} IDs`,
  mangledHint:
    'Spreadsheets keep only 15 digits of a number. The original IDs can’t be recovered: open the original ' +
    'file with the column as text and export it again.',
  allowRounded: 'The IDs that end in zeros are correct',
  allowRoundedHint: 'One in ten thousand genuine 19-digit IDs ends like this.',
  mangled: {
    exponent: 'Mangled by a spreadsheet: the digits are gone. Export the column as text.',
    rounded: 'Looks rounded by a spreadsheet: every digit after the 15th is 0. Export the column as text.',
  },
  faults: {
    twice: (line: string) => `This ID is already on line ${line}. Keep one of them.`,
    cells: (cells: string, columns: string) =>
      `This row has ${cells} cells, but there are ${columns} columns. Check for a comma outside quotes.`,
    quote: 'A quotation mark opens here and is never closed.',
  },
  created: 'Members created',
  updated: 'Members updated',
  linked: 'Wallets linked',
  made: 'Opening balances',
  there: 'Already imported',
  onTop: 'Added to existing points',
  onTopTitle: (count: string) =>
    count === '1'
      ? '1 balance is for a member who already has points'
      : `${count} balances are for members who already have points`,
  onTopHint:
    'They have points, a hold or an opening balance. If you imported this file before, go back and use ' +
    'the name it had.',
  addOnTop: 'Add these balances to what the members already have',
  total: (kind: string) => `Total of ${kind}`,
  start: 'Import',
  importing: (done: string, all: string) => `Imported ${done} of ${all} rows`,
  stay: 'Stay on this page until the import is done.',
  stopped: 'The import stopped. Import again to continue where it stopped; nothing is imported twice.',
  done: 'Import complete',
  doneHint: (rows: string) => (rows === '1' ? '1 row imported.' : `${rows} rows imported.`),
  members: 'View members',
}
