export const health = {
  title: 'Health',
  intro: 'Live status of the installation, as reported by the server that answered.',
  all: { good: 'All systems operational', warn: 'Needs attention', bad: 'Something is wrong' },
  state: { good: 'OK', warn: 'Check', bad: 'Problem' },
  asOf: (when: string) => `As of ${when}. Updates every 10 seconds.`,
  serving: 'Service',
  serves: 'Serving requests.',
  database: 'Database',
  up: 'PostgreSQL responds.',
  down:
    'PostgreSQL does not respond. Check that it runs and that the network reaches it. Writes get 503 ' +
    'and resume by themselves.',
  durability: 'Durability',
  durable: {
    database: 'Changes are on the database’s disk before they are acknowledged.',
    storage: 'The storage below the database keeps changes, as set by DURABILITY=storage.',
    strict: 'A change is acknowledged when a standby has it.',
  },
  standbyUnknown:
    'The server’s role can’t see whether standbys confirm. Grant it pg_read_all_stats to show it here.',
  standbys: (count: string) => `Standbys that confirm commits: ${count}.`,
  standbyMissing:
    'Commits wait for a standby, and none is connected. Bring one back: writes are blocked until then.',
  noStandby:
    'No standby has a copy: if the database’s disk fails, all changes since the last backup are lost.',
  standings: 'Leaderboards',
  standingsNow: 'Up to date.',
  standingsLag: (seconds: string, realms: string) => `${seconds} s behind, in ${realms} realms.`,
  standingsBehind:
    'Balances are correct. The log gives the reason after “leaderboards could not be updated”.',
  verified: 'Ledger',
  verifiedAt: (when: string) => `Verified ${when}: every entry, balance and hash is correct.`,
  verifiedOld: 'Run verify every night.',
  verifiedNever: 'Not verified in the last five weeks. Run verify every night: it replays every journal.',
  verifiedWrong: (when: string) =>
    `Errors found ${when}. Stop writing to that realm, keep a copy of the database, ` +
    'and read what verify printed.',
  writes: 'Queued writes',
  connections: 'Open connections',
  version: 'Release',
  started: 'Running since',
  facts: 'This server',
}
