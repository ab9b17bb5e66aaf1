export const operators = {
  title: 'Operators',
  intro: 'Operators may enter every realm, make new ones, and see how the installation is.',
  list: 'Operators',
  none: 'No operator signs in here yet',
  noneHint: 'Invite somebody: they get a link that signs them in.',
  invite: 'Invite an operator',
  inviteIntro: 'They get a link that signs them in once. An operator may do everything in every realm.',
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText:
    'Name, e-mail address, every role and every way to sign in are forgotten, in all realms. ' +
    'Sessions end within a second. What they did stays, with their number. Keys and tokens that they ' +
    'issued go on working; you see them next. This can’t be undone.',
  removeSelf: 'This is you. You will be signed out at once.',
  removed: (name: string) => `${name} is removed`,
  left: (name: string) => `What ${name} issued still works`,
  leftIntro: 'Revoke what you don’t know. Programs that use it stop working.',
  token: 'Operator token',
  keyOf: (realm: string) => `Key of ${realm}`,
  kind: 'What it is',
  done: 'Done',
}
