/** The dialogs that freeze and unfreeze one member or many. */
export const freeze = {
  freeze: {
    label: 'Freeze',
    title: (name: string) => `Freeze ${name}?`,
    titleMany: (count: string) => `Freeze ${count} members?`,
    effects: [
      'A frozen member can’t spend, transfer or hold points, nothing can be deducted from them, and held ' +
        'points can’t be charged.',
      'They can still receive points from you, from bots and from other members.',
    ],
    option: 'Also hide from leaderboards',
    optionHint: 'Otherwise they keep their rank, including on the public page.',
    optionDone: 'They are already hidden from leaderboards.',
    done: (name: string) => `${name} is frozen`,
    doneMany: (count: string) => (count === '1' ? '1 member is frozen' : `${count} members are frozen`),
    noteLine: (day: string, reason: string) => `${day}: frozen. ${reason}`,
  },
  unfreeze: {
    label: 'Unfreeze',
    title: (name: string) => `Unfreeze ${name}?`,
    titleMany: (count: string) => `Unfreeze ${count} members?`,
    effects: ['They can spend, transfer and hold points again.'],
    option: 'Show on leaderboards again',
    optionHint: 'Otherwise they stay hidden, including on the public page.',
    optionDone: 'They are shown on leaderboards.',
    done: (name: string) => `${name} is no longer frozen`,
    doneMany: (count: string) =>
      count === '1' ? '1 member is no longer frozen' : `${count} members are no longer frozen`,
    noteLine: (day: string, reason: string) => `${day}: unfrozen. ${reason}`,
  },
  reason: 'Reason',
  reasonHint: 'Added to the note with today’s date. Only managers see it.',
  noteFull: (name: string) => `The note of ${name} has no room for this. Shorten the reason or the note.`,
  reading: (done: string, all: string) => `Reading members: ${done} of ${all}`,
  leftOut: (count: string) =>
    count === '1' ? '1 was skipped: removed or merged.' : `${count} were skipped: removed or merged.`,
  stopped: 'This member is frozen: you can award points, but not deduct, transfer or hold them.',
  stoppedCharge: 'This member is frozen: held points can’t be charged.',
}
