export const finder = {
  title: 'Find',
  placeholder: 'Start of a member’s name, entry number or page',
  nothing: 'No results. Search matches the start of a name, or a full ID, wallet or entry number.',
  members: 'Members',
  entries: 'Entries',
  places: 'Go to',
  keys: '↑ ↓ to move, Enter to open, Esc to close',
  openEntry: (seq: string) => `Open entry ${seq}`,
}
