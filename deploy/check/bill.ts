import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { project, run } from './program.ts'

type Component = {
  readonly name: string
  readonly version: string
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}

const isBundled = ({ properties = [] }: Component): boolean =>
  properties.some(({ name }) => name === 'exchequer:bundledIn')

/**
 * The image's bill of materials, /app/sbom.cdx.json: it must be what .ci/sbom.ts prints here with the
 * arguments of the Dockerfile, and what it does not call bundled must be installed in the image, each in its
 * version, and nothing else.
 */
export function checkBill(root: string, dockerfile: string): string {
  const text = readFileSync(join(root, 'app/sbom.cdx.json'), 'utf8')
  const [, words = ''] =
    /^RUN node \.ci\/sbom\.ts (.*) >/m.exec(readFileSync(join(project, dockerfile), 'utf8')) ?? []
  if (run(process.execPath, ['.ci/sbom.ts', ...words.split(' ')]) !== text)
    throw new Error(`it is not the bill of materials of ${words}`)
  const { components } = JSON.parse(text) as { components: Component[] }
  const listed = components.filter((one) => !isBundled(one)).map(({ name, version }) => `${name} ${version}`)
  const found = installed(join(root, 'app'))
  const wrong = [
    ...listed.filter((one) => !found.has(one)).map((one) => `it lists ${one}, which is not in the image`),
    ...[...found].filter((one) => !listed.includes(one)).map((one) => `it does not list ${one}`),
  ]
  if (listed.length === 0 || wrong.length > 0) throw new Error(wrong.join('\n'))
  return `${found.size} packages installed, ${components.length - listed.length} more in bundles`
}

/** The packages of a folder, its workspaces and its own: by each package.json with a name and a version. */
function installed(folder: string): Set<string> {
  const inPackage = '{,*/,@*/*/}package.json'
  const patterns = [inPackage, 'clients/*/package.json', `**/node_modules/${inPackage}`]
  const files = globSync(patterns, { cwd: folder })
  const manifests = files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Component)
  return new Set(
    manifests
      .filter(({ name, version }) => name && version && name !== 'exchequer-workspace')
      .map(({ name, version }) => `${name} ${version}`),
  )
}
