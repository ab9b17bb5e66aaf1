import { readFileSync } from 'node:fs'

/**
 * The server's software bill of materials (CycloneDX): its run-time packages by package-lock.json. Not from
 * `npm sbom`: with `--omit dev` that omits packages that a development tool needs too, such as pino and jose
 * (npm/cli#7909).
 */

type Locked = {
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly link?: boolean
  readonly optional?: boolean
}

const lock = new URL('../package-lock.json', import.meta.url)
const { packages, version } = JSON.parse(readFileSync(lock, 'utf8')) as {
  packages: Record<string, Locked>
  version: string
}

const marker = 'node_modules/'
const components = Object.entries(packages).flatMap(([path, locked]) => {
  const { dev, link, optional, integrity = '', license = '' } = locked
  if (!path.includes(marker) || dev || link || optional) return []
  const name = path.slice(path.lastIndexOf(marker) + marker.length)
  const [algorithm = '', digest = ''] = integrity.split('-')
  return [
    {
      type: 'library',
      name,
      version: locked.version,
      purl: `pkg:npm/${name.replace('@', '%40')}@${locked.version}`,
      licenses: [{ expression: license }],
      hashes: [
        { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') },
      ],
    },
  ]
})

const component = { type: 'application', name: 'exchequer', version }
console.log(
  JSON.stringify(
    { bomFormat: 'CycloneDX', specVersion: '1.5', metadata: { component }, components },
    null,
    2,
  ),
)
