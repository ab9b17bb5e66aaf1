import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The pages of the guide, in the order of its navigation. Each is a Markdown file of the project. */

export const root = fileURLToPath(new URL('..', import.meta.url))
export const read = (file: string): string => readFileSync(root + file, 'utf8')

export type Page = { readonly file: string; readonly title: string }
export type Section = { readonly title: string; readonly pages: readonly Page[] }

export const home = 'docs/README.md'

const titled = (file: string): Page => {
  const [, title = file] = /^# (.+)$/m.exec(read(file)) ?? []
  return { file, title: title.replace(/^(\d+)\. /, '$1 ') }
}

export const decisions = globSync('docs/decisions/0*.md', { cwd: root }).sort().map(titled)

export const sections: readonly Section[] = [
  {
    title: 'Begin',
    pages: [
      { file: 'docs/start.md', title: 'Start' },
      { file: 'docs/concepts.md', title: 'Concepts' },
      { file: 'docs/v4.md', title: 'The v4 API' },
      { file: 'docs/moving.md', title: 'Migrating' },
      { file: 'docs/from-another-bot.md', title: 'Move from another bot' },
    ],
  },
  {
    title: 'Build',
    pages: [
      { file: 'docs/members.md', title: 'Members and identities' },
      { file: 'docs/lapse.md', title: 'Points that lapse' },
      { file: 'docs/errors.md', title: 'Errors' },
      { file: 'sdk/README.md', title: 'SDK' },
      { file: 'clients/python/README.md', title: 'Python client' },
      { file: 'clients/csharp/README.md', title: 'C# client' },
      { file: 'docs/cli.md', title: 'Command line' },
      { file: 'clients/discord-bot/README.md', title: 'Discord bot' },
      { file: 'docs/mcp.md', title: 'Assistants (MCP)' },
      { file: 'docs/events.md', title: 'Events' },
      { file: 'examples/README.md', title: 'Examples' },
      { file: 'docs/console.md', title: 'Console' },
      { file: 'docs/webhooks.md', title: 'Webhooks' },
      { file: 'docs/boards.md', title: 'Public leaderboards' },
      { file: 'docs/web3.md', title: 'Wallets and chains' },
      { file: 'docs/claim.md', title: 'Snapshots and claims' },
      { file: 'docs/import-export.md', title: 'Import and export' },
      { file: 'docs/journal.md', title: 'Journal' },
      { file: 'docs/checkpoints.md', title: 'Signed checkpoints' },
    ],
  },
  {
    title: 'Operate',
    pages: [
      { file: 'docs/operate/README.md', title: 'Overview' },
      { file: 'docs/operate/install.md', title: 'Install' },
      { file: 'docs/operate/settings.md', title: 'Settings' },
      { file: 'docs/operate/commands.md', title: 'Commands' },
      { file: 'docs/operate/people.md', title: 'People' },
      { file: 'docs/operate/upgrade.md', title: 'Upgrade' },
      { file: 'docs/operate/backup.md', title: 'Back up' },
      { file: 'docs/operate/watch.md', title: 'Monitor' },
      { file: 'docs/operate/alerts/README.md', title: 'Alerts' },
      { file: 'docs/operate/alerts/service-levels.md', title: 'Alerts: service levels' },
      { file: 'docs/operate/alerts/server.md', title: 'Alerts: servers' },
      { file: 'docs/operate/alerts/database.md', title: 'Alerts: PostgreSQL' },
      { file: 'docs/operate/alerts/storage.md', title: 'Alerts: storage' },
      { file: 'docs/operate/privacy.md', title: 'Privacy and retention' },
      { file: 'docs/operate/cdc.md', title: 'Changes of all realms' },
      { file: 'deploy/ha/README.md', title: 'High availability' },
      { file: 'docs/operate/second-region.md', title: 'A second region' },
      { file: 'deploy/haproxy/README.md', title: 'Load balancing' },
      { file: 'docs/operate/capacity.md', title: 'Capacity' },
      { file: 'docs/operate/cells.md', title: 'Cells' },
      { file: 'docs/operate/troubleshooting.md', title: 'Troubleshooting' },
    ],
  },
  {
    title: 'Evaluate',
    pages: [
      { file: 'docs/comparison.md', title: 'Comparison' },
      { file: 'docs/stability.md', title: 'Stability' },
      { file: 'docs/limits.md', title: 'Limits' },
      { file: 'docs/performance.md', title: 'Performance' },
      { file: 'docs/reliability.md', title: 'Reliability' },
      { file: 'docs/security.md', title: 'Security' },
      { file: 'docs/openssf.md', title: 'OpenSSF’s guide' },
      { file: 'ARCHITECTURE.md', title: 'Architecture' },
      { file: 'docs/decisions/README.md', title: 'Decisions' },
    ],
  },
  {
    title: 'Contribute',
    pages: [
      { file: 'CONTRIBUTING.md', title: 'Contributing' },
      { file: 'CHANGELOG.md', title: 'Changes' },
      { file: 'ROADMAP.md', title: 'Roadmap' },
      { file: 'GOVERNANCE.md', title: 'Governance' },
      { file: 'CODE_OF_CONDUCT.md', title: 'Code of conduct' },
      { file: 'SUPPORT.md', title: 'Support' },
      { file: 'SECURITY.md', title: 'Report a vulnerability' },
    ],
  },
]

/** Every page, including those that the navigation shows only on their parent pages. */
export const pages: readonly Page[] = [
  { file: home, title: 'Exchequer' },
  ...sections.flatMap((section) => section.pages),
  ...decisions,
]

/** Every Markdown file of the project: each is a page of the site, whether the navigation lists it or not. */
export const markdownFiles = (): string[] =>
  globSync('**/*.md', { cwd: root, exclude: ['**/node_modules/**', '**/dist/**', 'site/generated/**'] })

/**
 * The path of a Markdown file in the site: `docs/operate/README.md` is `operate/index.md`. Files of the root
 * get a folder, as SECURITY.md and docs/security.md would be one file on some systems.
 */
export function placeOf(file: string): string {
  if (!file.includes('/')) return `project/${file.toLowerCase()}`
  return file.replace(/^(docs|site\/generated)\//, '').replace(/(^|\/)README\.md$/, '$1index.md')
}
