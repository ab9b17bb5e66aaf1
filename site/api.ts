import { slugOf } from './links.ts'
import { read } from './pages.ts'

/** The operations of server/openapi.json as Markdown pages, one for each tag. */

type Operation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
}
type Description = {
  readonly info: { readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
type Call = Operation & { readonly request: string }

/** Text that may name an element, such as `<exchequer-leaderboard>`. */
const escaped = (text: string): string =>
  text.replaceAll(/`[^`]*`|</g, (found) => (found === '<' ? '\\<' : found))

const document = JSON.parse(read('server/openapi.json')) as Description
const calls: readonly Call[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, one]) => ({ ...one, request: `${method.toUpperCase()} ${path}` })),
)
const callsOf = (tag: string): readonly Call[] => calls.filter(({ tags }) => tags[0] === tag)
const aboutTag = (tag: string): string => document.tags.find(({ name }) => name === tag)?.description ?? ''

export const tagGroups = document['x-tagGroups']
export const tagPlace = (tag: string): string => `api/${slugOf(tag)}.md`
const tagUrl = (tag: string): string => `/${tagPlace(tag).replace(/md$/, 'html')}`

const tagPage = (tag: string): string =>
  [
    `# API: ${tag}`,
    aboutTag(tag),
    ...callsOf(tag).map(
      ({ summary, request, description = '' }) =>
        `## ${escaped(summary)}\n\n\`\`\`http\n${request}\n\`\`\`\n\n${escaped(description)}`,
    ),
  ].join('\n\n')

function listOf(tag: string): string {
  const rows = callsOf(tag).map(
    ({ summary, request }) => `| [${escaped(summary)}](${tagUrl(tag)}#${slugOf(summary)}) | \`${request}\` |`,
  )
  const table = ['| operation | request |', '|---|---|', ...rows].join('\n')
  return `### [${tag}](${tagUrl(tag)})\n\n${aboutTag(tag)}\n\n${table}`
}

const overview = (): string =>
  [
    '# API',
    document.info.description,
    `These are its ${calls.length} operations. \`/docs\` of a server shows every field, an example of each ` +
      'request and response, and a form to try a call. The OpenAPI document is ' +
      '[openapi.json](/openapi.json).',
    ...tagGroups.flatMap(({ name, tags }) => [`## ${name}`, ...tags.map(listOf)]),
  ].join('\n\n')

/** The pages by their paths. */
export function apiPages(): Map<string, string> {
  const tags = tagGroups.flatMap((group) => group.tags)
  const lost = calls.filter((call) => !tags.includes(call.tags[0] ?? ''))
  if (lost.length > 0) throw new Error(`Not in a group: ${lost.map((one) => one.operationId).join()}`)
  return new Map([['api/index.md', overview()], ...tags.map((tag) => [tagPlace(tag), tagPage(tag)] as const)])
}
