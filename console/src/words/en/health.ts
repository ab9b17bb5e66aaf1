export const health = {
  title: 'Health',
  intro: 'How the installation is, as the server sees it that answered just now.',
  all: { good: 'All is well', warn: 'Something wants to be looked at', bad: 'Something is wrong' },
  state: { good: 'fine', warn: 'look at it', bad: 'wrong' },
  asOf: (when: string) => `As of ${when}; read again every 10 seconds.`,
  serving: 'Service',
  serves: 'It serves requests.',
  database: 'Database',
  up: 'PostgreSQL answers.',
  down:
    'PostgreSQL does not answer. Is it there, and the network to it? Writes are answered 503 and go ' +
    'on by themselves.',
  durability: 'Durability',
  durable: {
    database: 'Changes are on the database’s disk before they are acknowledged.',
    storage: 'The storage below the database keeps changes, as DURABILITY=storage says.',
    strict: 'A change is acknowledged when a standby has it.',
  },
  standbyUnknown:
    'Whether standbys confirm is hidden from the server’s role: grant it pg_read_all_stats to see it here.',
  standbys: (count: string) => `${count} confirm commits.`,
  standbyMissing:
    'A commit waits for a standby, and none is there. Bring one back: writes stand still until then.',
  noStandby: 'No standby has a copy: what came after the last backup would be lost with its disk.',
  standings: 'Leaderboards',
  standingsNow: 'They show every change.',
  standingsLag: (seconds: string, realms: string) => `${seconds} s behind, in ${realms} realms.`,
  standingsBehind: 'Balances are right. The log says “standings could not follow”, and why.',
  verified: 'Books',
  verifiedAt: (when: string) => `Verified ${when}: every entry, balance and hash is right.`,
  verifiedOld: 'Run verify each night.',
  verifiedNever: 'Not verified in the last five weeks. Run verify each night: it replays every journal.',
  verifiedWrong: (when: string) =>
    `Found wrong ${when}. Stop writing to that realm, keep a copy of the database, ` +
    'and read what verify printed.',
  writes: 'Writes that wait',
  connections: 'Open connections',
  version: 'Release',
  started: 'Running since',
  facts: 'This server',
}
