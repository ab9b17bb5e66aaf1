import type { PackedFile } from './pack.ts'

/** Files that a package may contain: code, types, data, and README and LICENSE. */
const belongs = [
  /^dist\/[\w/]+\.(js|d\.ts)$/,
  /^migrations\/[\w-]+(\.online)?\.sql$/,
  /^public\/[\w./-]+$/,
  /^console\/[\w./-]+\.(html|js|css|svg|png|ico|woff2|webmanifest)$/,
  /^(package\.json|README\.md|LICENSE)$/,
]
const papers = ['package.json', 'README.md', 'LICENSE']

/** Files that do not belong into a package, and those that it lacks. */
export function wrongContents({ files }: PackedFile): string[] {
  const paths = files.map(({ path }) => path)
  const strange = paths.filter((path) => !belongs.some((form) => form.test(path)) || /test/i.test(path))
  const missing = papers.filter((paper) => !paths.includes(paper)).map((paper) => `${paper} is missing`)
  return [...strange, ...missing]
}

export const kB = (bytes: number): string => `${(bytes / 1_000).toFixed(0)} kB`
