import { type Machine, makeBase, thisMachine } from './base.ts'
import { checkBot } from './botImage.ts'
import { baseName, buildah, driver, hasImage, imageOf, pull, remove } from './buildah.ts'
import { type Check, has, installMissing, installTools, runChecks } from './checks.ts'
import { checkServer, inFolder } from './imageServer.ts'
import { bot, Images, server, sources } from './images.ts'

/**
 * npm run image: builds the images of the server and of the Discord bot, looks into their layers, and starts
 * them on a read-only root next to a real PostgreSQL. It ends with the line "N passed, N failed".
 * -- TEXT for the checks whose name contains it; --base gets a base image where there is none; --quick leaves
 * out a second build of each, which must be equal, and the other machine; --keep keeps the images, and uses
 * those that were kept.
 */
const args = process.argv.slice(2)
const [keeps, getsBase, isQuick] = ['--keep', '--base', '--quick'].map((option) => args.includes(option))
const wanted = args.filter((arg) => !arg.startsWith('--'))

const other: Machine = thisMachine === 'amd64' ? 'arm64' : 'amd64'

function missing(): string | undefined {
  if (process.getuid?.() !== 0) return 'it needs root, to open the images that it builds'
  const debootstrap = { debootstrap: 'debootstrap debian-archive-keyring' }
  installMissing({
    buildah: 'buildah',
    bwrap: 'bubblewrap',
    ...(getsBase || !isQuick ? debootstrap : {}),
  })
  const programs = ['buildah', 'bwrap'].filter((program) => !has(program))
  if (programs.length > 0) return `it needs ${programs.join(' and ')}: apt-get install buildah bubblewrap`
  if (hasImage(baseName) || getsBase) return undefined
  const how = `STORAGE_DRIVER=${driver} buildah pull ${baseName}`
  return `there is no base image ${baseName}: get it by ${how}, or run npm run image -- --base`
}

const checksOf = (images: Images): readonly Check[] => [
  ...sources.flatMap((source) => [
    { name: `${source.what}: it is built`, run: () => void images.built(source) },
    {
      name: `${source.what}: its layers have only files of the project; no registry, certificate or mirror`,
      run: () => images.checkLayers(source),
    },
    {
      name: `${source.what}: an unprivileged user, who owns nothing in it`,
      run: () => images.checkUser(source),
    },
    {
      name: `${source.what}: its bill of materials lists the packages in it, and no other`,
      run: () => images.checkBill(source),
    },
  ]),
  {
    name: 'the server’s image: started as in compose.yaml, healthy, makes a first award once, verified',
    run: () => images.opened(server, (root, built) => checkServer(imageOf(built, root))),
  },
  {
    name: 'the bot’s image: healthy on a read-only root, and answers /award of a stand-in for Discord once',
    run: () =>
      images.opened(server, (serverRoot, serverBuilt) =>
        images.opened(bot, (root, built) => checkBot(imageOf(serverBuilt, serverRoot), imageOf(built, root))),
      ),
  },
  ...(isQuick ? [] : builtAgain(images)),
]

const builtAgain = (images: Images): readonly Check[] => [
  ...sources.map((source) => ({
    name: `${source.what}: a second build, of a fresh copy, has equal layers`,
    run: () => images.checkEqual(source),
  })),
  ...otherMachine(images),
]

const otherMachine = (images: Images): readonly Check[] =>
  sources.map((source) => ({
    name: `${source.what}: built for ${other} without an emulator, it adds equal layers to its base`,
    needs: ['debootstrap'],
    run: () => images.checkFor(other, source),
  }))

/** A base that is made here is removed again: it only stands in for the published one. */
function getBase(folder: string): boolean {
  if (hasImage(baseName) || pull(baseName)) return false
  console.log(
    '  no registry can be reached: the base image is made of Debian’s packages, and Node’s from npm',
  )
  makeBase(baseName, thisMachine, folder)
  return true
}

async function runIn(folder: string): Promise<void> {
  const images = new Images(folder)
  const chosen = checksOf(images).filter(
    ({ name }) => wanted.length === 0 || wanted.some((one) => name.includes(one)),
  )
  if (chosen.length === 0) throw new Error(`no check has ${wanted.join(' or ')} in its name`)
  if (!keeps) images.remove()
  const isMade = getBase(folder)
  try {
    await runChecks(chosen)
  } finally {
    if (!keeps) {
      images.remove()
      if (isMade) remove([baseName])
    }
  }
}

const lack = missing()
if (lack === undefined) {
  installTools()
  console.log(`${buildah('--version')}, on ${thisMachine}`)
  await inFolder(runIn)
} else {
  console.error(`No image was built: ${lack}.`)
  process.exitCode = 1
}
