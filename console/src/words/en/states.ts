/** What is said when something is not there, and what to do. */
export const states = {
  notFound: 'There is no such page',
  notFoundHint: 'The address may be mistyped. The menu leads to all that is here.',
  noAccess: 'You have no role in this realm',
  noAccessHint: 'Ask an owner of the realm to add you, or choose another realm.',
  offline: 'The server can’t be reached',
  offlineHint: 'Check your connection. Nothing that you typed is lost.',
  offlineBanner: 'The server can’t be reached. What you see may be old; it is tried again by itself.',
  failed: 'That did not work',
  failedHint: 'Try again. If it fails again, tell the operator this number:',
  limited: 'Too many requests at once. Wait a moment and try again.',
  notAllowed: 'Your role does not allow this. Ask an owner of the realm.',
  crash: 'This page has failed',
  crashHint: 'Load it again. What you changed before is safe.',
  reload: 'Load again',
  requestId: (id: string) => `Request ${id}`,
}
