/**
 * The words of the command line. A command is a noun of the API and a verb: one of the five that all nouns
 * share, or an action. A word alone (`import`, `login`) is an action without a noun.
 */
export const verbs = ['create', 'list', 'show', 'update', 'delete'] as const

/** Actions of the API. */
export const actions = {
  changing: [
    'award',
    'deduct',
    'transfer',
    'apply',
    'capture',
    'release',
    'reverse',
    'rotate',
    'revoke',
    'link',
    'unlink',
    'erase',
    'test',
    'replay',
    'skip',
  ],
  reading: ['check', 'export', 'follow', 'verify'],
} as const

/** Verbs that change something on the server. */
export const changing: readonly string[] = ['create', 'update', 'delete', ...actions.changing]
export const reading: readonly string[] = ['list', 'show', ...actions.reading]

/** Commands of one word: about files, this machine and the server itself. */
export const alone = {
  files: ['import', 'export', 'verify', 'move'],
  events: ['listen'],
  session: ['login', 'logout', 'whoami'],
  server: ['dev', 'serve', 'db'],
  help: ['completion', 'help'],
} as const

/** A short description of each noun. */
export const nouns: Readonly<Record<string, string>> = {
  points: 'award, deduct and transfer points',
  changes: 'many changes in one request',
  holds: 'points that are reserved until they are captured or released',
  entries: 'what happened to a member’s points',
  reversals: 'reverse many entries at once',
  'point-types': 'the point types of a realm and their rules',
  lapse: 'when the points of a point type lapse',
  lapsing: 'who loses which points, and when',
  members: 'the members of a realm',
  identities: 'what other systems call members',
  wallets: 'the wallets of members',
  leaderboard: 'who has the most points',
  rank: 'where one member is on the leaderboard',
  statistics: 'members, activity and points in circulation',
  journal: 'every change of the realm, in order',
  checkpoint: 'a signed statement of what the journal says now',
  webhooks: 'where the realm’s events are sent',
  deliveries: 'what was sent to a webhook, and the answers',
  snapshots: 'balances by wallet as Merkle trees, to be claimed',
  realms: 'realms and their settings',
  keys: 'the API keys of a realm',
  people: 'who manages the realm in the console',
  invitations: 'invitations to manage the realm',
  audit: 'who changed settings, keys and members',
  operators: 'the operators of the server',
  'operator-invitations': 'invitations to new operators',
  'operator-tokens': 'tokens that give an operator’s access',
  health: 'whether the server is ready',
}

/** Everyday words, and the verbs that they may mean: the first that the noun has is suggested. */
export const verbSynonyms: Readonly<Record<string, readonly string[]>> = {
  create: ['apply', 'award', 'link'],
  make: ['create'],
  new: ['create'],
  add: ['create', 'award', 'link'],
  issue: ['create'],
  invite: ['create'],
  take: ['create', 'deduct'],
  put: ['create', 'update'],
  ls: ['list'],
  all: ['list'],
  find: ['list'],
  search: ['list'],
  list: ['show'],
  show: ['list'],
  get: ['show', 'list'],
  read: ['show', 'list'],
  view: ['show', 'list'],
  info: ['show'],
  set: ['update'],
  change: ['update'],
  edit: ['update'],
  patch: ['update'],
  rename: ['update'],
  freeze: ['update'],
  unfreeze: ['update'],
  archive: ['update'],
  suspend: ['update'],
  resume: ['update'],
  rm: ['delete', 'revoke', 'unlink'],
  remove: ['delete', 'revoke', 'unlink', 'deduct'],
  del: ['delete', 'revoke', 'unlink'],
  delete: ['revoke', 'unlink', 'erase'],
  withdraw: ['delete'],
  cancel: ['delete', 'release'],
  forget: ['erase'],
  give: ['award', 'transfer'],
  grant: ['award'],
  adjust: ['award'],
  spend: ['deduct', 'capture'],
  subtract: ['deduct'],
  send: ['transfer', 'apply'],
  run: ['apply'],
  undo: ['reverse'],
  revert: ['reverse'],
  listen: ['follow'],
  watch: ['follow'],
  tree: ['export'],
  prove: ['verify'],
  enable: ['update'],
  disable: ['update'],
  resend: ['replay'],
  ping: ['test'],
  'rotate-secret': ['rotate'],
  secret: ['rotate'],
  webhooks: ['list'],
}

/** Aliases for a whole command, or for another noun. */
export const otherWords: Readonly<Record<string, string>> = {
  award: 'points award',
  deduct: 'points deduct',
  transfer: 'points transfer',
  undo: 'entries reverse',
  reverse: 'entries reverse',
  history: 'entries list',
  transactions: 'entries',
  balance: 'members show',
  users: 'members',
  kinds: 'point-types',
  currencies: 'point-types',
  tokens: 'operator-tokens',
  stats: 'statistics',
  board: 'leaderboard',
  status: 'health',
  endpoints: 'webhooks',
  hooks: 'webhooks',
}
