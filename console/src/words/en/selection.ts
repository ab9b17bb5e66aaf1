/** Members that are selected on the members page, and what can be done with them. */
export const selection = {
  label: 'Selected members',
  selected: (count: string) => `${count} selected`,
  full: (count: string) => `${count} selected, the maximum`,
  select: (name: string) => `Select ${name}`,
  selectAll: (count: string) => `Select all ${count} loaded members`,
  clear: 'Clear selection',
  award: 'Award',
  exportCsv: 'Export as CSV',
  exported: (count: string) => (count === '1' ? '1 member exported' : `${count} members exported`),
  more: 'More',
  hide: {
    label: 'Hide from leaderboards',
    title: (count: string) =>
      count === '1' ? 'Hide 1 member from leaderboards?' : `Hide ${count} members from leaderboards?`,
    effect: 'They are no longer ranked, including on the public page. They keep their points.',
    confirm: 'Hide',
    done: (count: string) =>
      count === '1'
        ? '1 member is hidden from leaderboards'
        : `${count} members are hidden from leaderboards`,
  },
  show: {
    label: 'Show on leaderboards',
    title: (count: string) =>
      count === '1' ? 'Show 1 member on leaderboards?' : `Show ${count} members on leaderboards?`,
    effect: 'They are ranked by their points again, including on the public page.',
    confirm: 'Show',
    done: (count: string) =>
      count === '1' ? '1 member is shown on leaderboards' : `${count} members are shown on leaderboards`,
  },
}
