export const operators = {
  title: 'Operators',
  intro: 'Operators can enter and create realms, and see the health of the installation.',
  list: 'Operators',
  none: 'No operators yet',
  noneHint: 'Invite an operator. They get a link that signs them in.',
  invite: 'Invite an operator',
  inviteIntro: 'They get a link that signs them in once. An operator can do everything in every realm.',
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText:
    'Their name, e-mail address, roles and sign-in methods are deleted in all realms. Their sessions end ' +
    'within a second. Their past actions stay, with their number. Keys and tokens that they issued keep ' +
    'working; you can review them next. This can’t be undone.',
  removeSelf: 'This is you. You will be signed out immediately.',
  removed: (name: string) => `${name} removed`,
  left: (name: string) => `Keys and tokens of ${name} still work`,
  leftIntro: 'Revoke what you don’t recognise. Programs that use it lose access.',
  token: 'Operator token',
  keyOf: (realm: string) => `Key of ${realm}`,
  kind: 'Type',
  done: 'Done',
}
