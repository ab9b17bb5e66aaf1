/** The dialog that undoes what a member gained since a day. */
export const gains = {
  action: 'Undo gains',
  title: (name: string) => `Undo gains of ${name}`,
  intro: 'Points that the member received go back. All entries stay in the journal.',
  since: 'Gained since',
  list: 'Gains to undo',
  backTo: (name: string) => `back to ${name}`,
  states: {
    short: 'Not enough points left',
    gone: 'The sender was removed',
  },
  none: 'No gains to undo since this day.',
  capped: (count: string) => `Only the newest ${count} are listed. Undo the older ones afterwards.`,
  short: (count: string) =>
    count === '1'
      ? '1 gain can’t be undone: its points were spent, transferred or are held.'
      : `${count} gains can’t be undone: their points were spent, transferred or are held.`,
  final: 'A reversal can’t be undone: you would have to award the points again.',
  confirm: (count: string) => (count === '1' ? 'Undo 1 entry' : `Undo ${count} entries`),
  progress: (done: string, all: string) => `${done} of ${all} undone`,
  done: (count: string) => (count === '1' ? '1 entry is undone' : `${count} entries are undone`),
  refused: (count: string) =>
    count === '1' ? '1 entry could not be undone:' : `${count} entries could not be undone:`,
}
