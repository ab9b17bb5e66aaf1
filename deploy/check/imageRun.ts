import { join } from 'node:path'
import { checkBot } from './botImage.ts'
import {
  type Built,
  baseName,
  build,
  driver,
  hasImage,
  imageOf,
  inspect,
  mounted,
  remove,
  userOf,
} from './buildah.ts'
import { type Check, has, runChecks } from './checks.ts'
import { checkServer, inFolder } from './imageServer.ts'
import { layerProblems } from './layers.ts'
import { run } from './program.ts'

/**
 * npm run image: builds the images of the server and of the Discord bot, twice, looks into their layers, and
 * starts them on a read-only root next to a real PostgreSQL. It ends with the line "N passed, N failed".
 * -- TEXT for the checks whose name contains it; --keep keeps the images, and uses those that were kept.
 */
const args = process.argv.slice(2)
const keeps = args.includes('--keep')
const wanted = args.filter((arg) => !arg.startsWith('--'))

function missing(): string | undefined {
  const programs = ['buildah', 'bwrap'].filter((program) => !has(program))
  if (programs.length > 0) return `it needs ${programs.join(' and ')}: apt-get install buildah bubblewrap`
  if (process.getuid?.() !== 0) return 'it needs root, to open the images that it builds'
  if (hasImage(baseName)) return undefined
  return `there is no base image ${baseName}: STORAGE_DRIVER=${driver} buildah pull ${baseName}`
}

type Source = { readonly what: string; readonly name: string; readonly dockerfile: string }

const server: Source = { what: 'the server’s image', name: 'exchequer', dockerfile: 'Dockerfile' }
const bot: Source = {
  what: 'the bot’s image',
  name: 'exchequer-discord-bot',
  dockerfile: 'clients/discord-bot/Dockerfile',
}
const sources = [server, bot]
const nameOf = ({ name }: Source, which = 'check'): string => `localhost/${name}:${which}`

/** The image, built unless there is one. */
const builtOf = (source: Source): Built =>
  hasImage(nameOf(source)) ? inspect(nameOf(source)) : build(nameOf(source), source.dockerfile)

const bytesIn = (folder: string): number => Number(run('du', ['-s', '-B1', '-x', folder]).split('\t')[0])
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`

function checkEqual(source: Source): void {
  const [first, second] = ['check', 'again'].map((which) => build(nameOf(source, which), source.dockerfile))
  if (!first || first.layers.join() !== second?.layers.join() || first.id !== second.id)
    throw new Error(`${first?.id} ${first?.layers.join(' ')}\n${second?.id} ${second?.layers.join(' ')}`)
}

const checkLayers = (source: Source): Promise<void> =>
  inFolder(async (folder) => {
    const problems = layerProblems(builtOf(source), inspect(baseName), folder)
    if (problems.length > 0) throw new Error(problems.slice(0, 20).join('\n'))
  })

/** An unprivileged user, to whom nothing of the image belongs. */
const checkUser = (source: Source): Promise<void> =>
  opened(source, async (root, built) => {
    const { uid } = userOf(built, root)
    if (uid === 0) throw new Error('it runs as root')
    const writable = ['(', '-uid', String(uid), '-o', '-perm', '-o+w', ')', '!', '-type', 'l']
    const found = run('find', [join(root, 'app'), join(root, 'usr'), ...writable])
    if (found !== '') throw new Error(`it can change\n${found.slice(0, 1_000)}`)
    const base = await mounted(inspect(baseName), bytesIn)
    const size = bytesIn(root)
    console.log(`  ${source.what}: ${megabytes(size)}, of which ${megabytes(size - base)} beyond its base`)
  })

/** Its files in a folder, and what its configuration says. */
function opened<T>(source: Source, use: (root: string, built: Built) => Promise<T>): Promise<T> {
  const built = builtOf(source)
  return mounted(built, (root) => use(root, built))
}

const checks: readonly Check[] = [
  ...sources.flatMap((source) => [
    { name: `${source.what}: two builds have equal layers`, run: () => checkEqual(source) },
    {
      name: `${source.what}: its layers have only files of the project; no registry, certificate or mirror`,
      run: () => checkLayers(source),
    },
    { name: `${source.what}: an unprivileged user, who owns nothing in it`, run: () => checkUser(source) },
  ]),
  {
    name: 'the server’s image: healthy on a read-only root, and makes a first award once',
    run: () => opened(server, async (root, built) => checkServer(imageOf(built, root))),
  },
  {
    name: 'the bot’s image: healthy on a read-only root, and answers /award of a stand-in for Discord once',
    run: () =>
      opened(server, (serverRoot, serverBuilt) =>
        opened(bot, (root, built) => checkBot(imageOf(serverBuilt, serverRoot), imageOf(built, root))),
      ),
  },
]

function removeBuilt(): void {
  if (!keeps) remove(sources.flatMap((source) => [nameOf(source), nameOf(source, 'again')]))
}

const chosen = checks.filter(({ name }) => wanted.length === 0 || wanted.some((one) => name.includes(one)))
const lack = chosen.length === 0 ? `no check has ${wanted.join(' or ')} in its name` : missing()
if (lack === undefined) {
  removeBuilt()
  try {
    await runChecks(chosen)
  } finally {
    removeBuilt()
  }
} else {
  console.error(`No image was built: ${lack}.`)
  process.exitCode = 1
}
