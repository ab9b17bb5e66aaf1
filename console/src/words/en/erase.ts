/** The dialog that erases a member. */
export const erase = {
  action: 'Erase member',
  title: (name: string) => `Erase ${name}?`,
  deleted: 'Deleted',
  deletes: [
    'ID, names, note and metadata',
    'Wallets and names at other services',
    'Reason, reference and metadata of their entries',
  ],
  kept: 'Not deleted',
  keeps: [
    'Amounts and balances in the journal, without a name',
    'The audit log, which has the ID until its rows expire',
    'Backups, exported files, and data that bots and webhooks have received',
  ],
  pointsLeft: (name: string, points: string) =>
    `${name} still has points: ${points}. Deduct, transfer, release or cancel them first.`,
  typeId: 'Type the member ID to confirm',
  typeIdHint: (id: string) => `The ID is ${id}. An erasure can’t be undone.`,
  confirm: 'Erase',
  done: (name: string) => `${name} is erased`,
  details: (count: string) =>
    count === '1' ? 'Details of 1 entry were deleted.' : `Details of ${count} entries were deleted.`,
}
