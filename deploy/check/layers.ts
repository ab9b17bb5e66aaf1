import { lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addedLayers, type Built, exportLayers } from './buildah.ts'
import { run } from './program.ts'

/** Where the project's files are in its images. */
const own = /^(app(\/.*)?|usr|usr\/local|usr\/local\/bin(\/exchequer)?)$/
/** Settings and keys of the machine that built it, by their names. */
const foreignNames =
  /(^|\/)(\.(npmrc|yarnrc|netrc|curlrc|gitconfig|env)|[^/]*\.(pem|crt|cer|key|p12|pfx|jks))$/
const foreignText = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----\r?\n/,
  /-----BEGIN CERTIFICATE-----\r?\n/,
  /^(@[\w-]+:)?registry *= *\S/m,
  /_authToken *=/,
  /"resolved": "https?:/,
]
const foreignVariable = /proxy|registry|token|cert|ssl|npm_config/i

/** Where this machine gets its packages from: its registry, its proxies and its extra authorities. */
function wordsOfMachine(): string[] {
  const registry = new URL(run('npm', ['config', 'get', 'registry']).trim()).origin
  const names = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NODE_EXTRA_CA_CERTS']
  const words = [registry, ...names.map((name) => process.env[name] ?? '')]
  return words.filter((word) => word.length > 7 && word !== 'https://registry.npmjs.org')
}

/** What an image has beyond its base, and should not: machine code, settings, certificates, mirrors. */
export function layerProblems(built: Built, base: Built, folder: string): string[] {
  const added = addedLayers(built, base)
  if (added.length === 0) return ['it adds no layer to its base']
  exportLayers(built, folder)
  const words = wordsOfMachine()
  return [
    ...added.flatMap((layer) => problemsIn(layer.replace('sha256:', ''), folder, words)),
    ...configProblems(built, base, words),
  ]
}

function problemsIn(layer: string, folder: string, words: readonly string[]): string[] {
  const files = join(folder, `files-${layer}`)
  mkdirSync(files)
  run('tar', ['-xf', join(folder, layer), '-C', files])
  return readdirSync(files, { encoding: 'utf8', recursive: true }).flatMap((path) => {
    if (!own.test(path)) return [`${path} is not of the project`]
    if (foreignNames.test(path)) return [`${path} belongs to the machine that built it`]
    if (!lstatSync(join(files, path)).isFile()) return []
    const text = readFileSync(join(files, path), 'latin1')
    if (text.startsWith('\x7fELF')) return [`${path} is machine code`]
    const found = [
      ...foreignText.filter((one) => one.test(text)),
      ...words.filter((one) => text.includes(one)),
    ]
    return found.map((one) => `${path} contains ${one}`)
  })
}

function configProblems(built: Built, base: Built, words: readonly string[]): string[] {
  const inherited = new Set(base.config.Env)
  const variables = (built.config.Env ?? []).filter((one) => !inherited.has(one))
  const history = built.history.slice(base.history.length).map((one) => JSON.stringify(one))
  const named = variables.filter((one) => foreignVariable.test(one.split('=')[0] ?? ''))
  const texts = [...variables, ...history].filter((text) => words.some((word) => text.includes(word)))
  return [...named, ...texts].map((text) => `its configuration contains ${text}`)
}
