export const awards = {
  title: 'Batch awards',
  intro: 'Paste a list and preview it. Either every line is applied, or none.',
  list: 'List',
  listHint:
    'One line per member: ID or name and, optionally, points and a reason. A minus sign deducts points.',
  example: '1190194345295482952, 25, won the quiz\nann, 10\nbob, -5, a mistake',
  points: 'Points for lines without any',
  reason: 'Reason for lines without one',
  check: 'Preview',
  again: 'Edit list',
  clear: 'New list',
  looking: (done: string, all: string) => `Finding members: ${done} of ${all}`,
  table: 'Preview of changes',
  line: 'Line',
  member: 'Member',
  tokens: 'Points',
  after: 'Balance after',
  why: 'Reason',
  newMember: 'new member',
  total: (added: string, taken: string) => `${added} awarded, ${taken} deducted`,
  lines: (count: string) => (count === '1' ? '1 line' : `${count} lines`),
  wrongLines: (count: string) =>
    count === '1'
      ? 'One line needs fixing. Nothing was changed.'
      : `${count} lines need fixing. Nothing was changed.`,
  wouldDo: 'Nothing has changed yet. Either every line is applied, or none.',
  confirm: (count: string) => (count === '1' ? 'Apply 1 change' : `Apply ${count} changes`),
  done: 'All changes applied',
  doneHint: (count: string) => (count === '1' ? '1 entry created.' : `${count} entries created.`),
  seeEntry: 'View first entry',
  entry: 'Entry',
  none: 'The list is empty. Paste a line for each member.',
  tooMany: (most: string) => `A list can have at most ${most} lines. Split it into several lists.`,
  faults: {
    shape: 'Expected an ID or a name, then the points: ann, 10. Or fill in the points for lines without any.',
    amount: (text: string) => `“${text}” is not a valid amount. Use a whole number other than 0.`,
    grouped: (text: string) =>
      `Is “${text}” part of a larger number? Write 1,000 as 1000. A reason can’t be digits only.`,
    mangled: (text: string) => `${text} is a long ID shortened by a spreadsheet. Copy the column as text.`,
    unknown: (text: string) => `No member is called “${text}”. Check the spelling, or use the ID.`,
    unknownId: (text: string) => `Member ${text} does not exist. Add the member first, or check the ID.`,
    ambiguous: (text: string, ids: string) =>
      `Several members are called “${text}”. Use one of these IDs: ${ids}.`,
    many: (text: string) => `Too many members are called “${text}”. Use the ID.`,
    longReason: 'A reason can have at most 500 characters.',
  },
}
