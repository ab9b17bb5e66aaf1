export const imports = {
  title: 'Import',
  intro: 'Bring members, wallets and opening balances in from a file. It is checked as a whole first.',
  drop: 'Drop a CSV or NDJSON file here',
  dropHint: 'CSV in UTF-8 with commas, semicolons or tabs; NDJSON with an object a line. Up to 32 MB.',
  choose: 'Choose a file',
  tooLarge: 'This file is larger than 32 MB. Use the command line for it: exchequer import FILE',
  notUtf8: 'This file is not UTF-8. Save it as “CSV UTF-8” in your spreadsheet, and drop it again.',
  noRows: 'There is no row in this file. Is it the right one?',
  wholeRealm:
    'This is the export of a whole realm. The operator brings it in: exchequer db realm import FILE',
  wrongFormat: 'This is neither CSV nor NDJSON. Save your table as CSV, and drop that file.',
  file: (name: string, size: string) => `${name}, ${size}`,
  rows: (count: string) => (count === '1' ? '1 row' : `${count} rows`),
  other: 'Another file',
  columns: 'What the columns are',
  columnsHint: 'Guessed by their names. Change what is wrong; what you leave out is not brought in.',
  ndjsonHint: 'NDJSON names its fields itself: id, username, displayName, wallet, chain, balance.',
  header: 'The first line names the columns',
  column: (name: string) => `Column ${name}`,
  nameless: (nth: string) => `Column ${nth}`,
  sample: 'First rows',
  targets: {
    '': 'Left out',
    id: 'Member id',
    username: 'Username',
    displayName: 'Display name',
    wallet: 'Wallets',
    chain: 'Chain of the wallets',
  },
  balance: (kind: string) => `Opening balance: ${kind}`,
  needsId: 'Say which column has the member ids.',
  twice: (name: string) => `Two columns are “${name}”. Choose one.`,
  name: 'Name of this import',
  nameHint:
    'Under one name each member gets an opening balance once. Keep it when you drop a corrected file; take a new one for something new.',
  check: 'Check the file',
  checking: (done: string, all: string) => `Checked ${done} of ${all} rows`,
  result: 'What it would do',
  clean: 'The file is right. Nothing is changed yet.',
  faulty: (count: string) =>
    count === '1'
      ? 'One row has to be mended. Nothing was changed.'
      : `${count} rows have to be mended. Nothing was changed.`,
  faultyMore: (count: string) => `More than ${count} rows have to be mended. Nothing was changed.`,
  mend: 'Mend them in the file, and drop it again.',
  faultList: 'Rows with a fault',
  line: 'Line',
  id: 'Id in the file',
  wrong: 'What is wrong, and what to do',
  saveFaults: 'Save this list',
  mangledTitle: (count: string) =>
    count === '1' ? 'A spreadsheet has mangled one id' : `A spreadsheet has mangled ${count} ids`,
  mangledHint:
    'It keeps 15 digits of a number. The true ids can’t be guessed: open the original again with the column as text, and export it anew.',
  allowRounded: 'The ids that end in zeros are right as they are',
  allowRoundedHint: 'One in ten thousand true ids of 19 digits ends like this.',
  mangled: {
    exponent: 'Mangled by a spreadsheet: the digits are gone. Export the column as text.',
    rounded:
      'Looks rounded by a spreadsheet: everything behind the 15th digit is 0. Export the column as text.',
  },
  faults: {
    twice: (line: string) => `This id is on line ${line} already. Keep one of them.`,
    cells: (cells: string, columns: string) =>
      `This row has ${cells} cells, but there are ${columns} columns. Is a comma not in quotes?`,
    quote: 'A quote is opened here and never closed.',
  },
  created: 'Members made',
  updated: 'Members changed',
  linked: 'Wallets linked',
  made: 'Opening balances',
  there: 'Already there',
  onTop: 'On top',
  onTopTitle: (count: string) =>
    count === '1'
      ? '1 balance is for a member who already has points'
      : `${count} balances are for members who already have points`,
  onTopHint:
    'They have points, a hold or an opening balance. If you imported this file before, go back and use the name it had.',
  addOnTop: 'Add these balances to what the members already have',
  total: (kind: string) => `Total of ${kind}`,
  start: 'Import',
  importing: (done: string, all: string) => `Brought in ${done} of ${all} rows`,
  stay: 'Stay on this page until it is done.',
  stopped: 'It stopped on the way. Import again: it goes on where it was, and nothing is made twice.',
  done: 'The import is done',
  doneHint: (rows: string) => (rows === '1' ? '1 row was brought in.' : `${rows} rows were brought in.`),
  members: 'See the members',
}
