import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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
