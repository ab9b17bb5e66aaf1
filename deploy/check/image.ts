import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Image, setenv } from './box.ts'
import { dockerfile, layOut, wordsOf } from './dockerfile.ts'
import { checkServer, inFolder } from './imageServer.ts'
import { project, tool } from './program.ts'

type Linter = { readonly validate: (text: string) => readonly { readonly message: string }[] }

const dockerfiles = [
  'Dockerfile',
  'clients/discord-bot/Dockerfile',
  'deploy/backup/Dockerfile',
  'deploy/ha/Dockerfile',
]

export async function checkDockerfiles(): Promise<void> {
  const { validate } = await tool<Linter>('dockerfile-utils')
  for (const file of dockerfiles) {
    const [first] = validate(readFileSync(join(project, file), 'utf8'))
    if (first) throw new Error(`${file}: ${first.message}`)
  }
}

/**
 * The Dockerfile's own steps on this machine: packages are installed, its files copied, and its health
 * check and entry point run on a read-only system, as user 1000, without a capability. Debian's own files
 * replace the base image, for machines without a container engine; `npm run image` builds the image.
 */
export const checkImage = (): Promise<void> => inFolder((folder) => checkServer(laidOutImage(layOut(folder))))

function laidOutImage(root: string): Image {
  const [, serve = '["serve"]'] = /^CMD (.*)$/m.exec(dockerfile) ?? []
  const words = `--uid 1000 --gid 1000
    --ro-bind /usr /usr --symlink usr/lib /lib --symlink usr/lib64 /lib64 --symlink usr/bin /bin
    --ro-bind /etc /etc --ro-bind ${process.execPath} /opt/node/node
    --ro-bind ${root}/app /app --ro-bind-try ${root}/usr/local/bin /usr/local/bin --chdir /app`
  const variables = setenv({ PATH: '/opt/node:/usr/local/bin:/usr/bin', NODE_ENV: 'production' })
  return {
    options: [...words.split(/\s+/), ...variables],
    entry: [...wordsOf('ENTRYPOINT'), ...(JSON.parse(serve) as string[])],
    healthCheck: wordsOf('CMD'),
  }
}
