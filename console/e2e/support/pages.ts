/** Every page, by its address below a realm's, for axe and for pictures. A page that is not here is not looked at. */
export const pages: readonly { readonly name: string; readonly path: string; readonly wait?: string }[] = [
  { name: 'overview', path: '' },
  { name: 'overview-24h', path: '?span=24h' },
  { name: 'members', path: '/members' },
  { name: 'member', path: '/members/1190194345295482952' },
  { name: 'award', path: '/members/1190194345295482952?act=award' },
  { name: 'leaderboard', path: '/leaderboard' },
  { name: 'journal', path: '/journal' },
  { name: 'entry', path: '/journal?entry=100' },
  { name: 'awards', path: '/awards' },
  { name: 'import', path: '/import' },
  { name: 'export', path: '/export' },
]
