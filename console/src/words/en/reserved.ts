export const reserved = {
  title: 'Holds',
  what: 'What to show',
  of: {
    holds: {
      name: 'Open holds',
      intro: 'Points that members have reserved, for example for a purchase. Charge or release them here.',
      none: 'No open holds',
      noneHint: 'A hold reserves points until they are charged or released.',
    },
    awards: {
      name: 'Pending awards',
      intro: 'Points that were promised and are not granted yet. Grant or cancel them here.',
      none: 'No pending awards',
      noneHint: 'A pending award is granted later: on a date, or by a person or program.',
    },
  },
  member: 'Member',
  amount: 'Points',
  ends: 'Ends',
  entry: 'Entry',
}
