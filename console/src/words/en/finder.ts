export const finder = {
  title: 'Find',
  placeholder: 'A member, an entry’s number, or what to do',
  nothing: 'Nothing found. Type how a name begins, an id, a wallet, or an entry’s number.',
  members: 'Members',
  entries: 'Entries',
  places: 'Go to',
  keys: '↑ ↓ to move, Enter to open, Esc to close',
  openEntry: (seq: string) => `Open entry ${seq}`,
}
