import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Postgres } from '../../server/src/dev/postgres.ts'
import { asSuperuser } from '../../server/src/dev/prepare.ts'
import { Box, type Image, type Variables } from './box.ts'
import { project, run, tool } from './program.ts'

/** A service of compose.yaml, as far as it can be a process on this machine. */
type Service = {
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly environment?: Readonly<Record<string, string | null>>
  readonly secrets?: readonly string[]
  readonly command?: readonly string[]
  readonly entrypoint?: readonly string[]
}

type Yaml = { readonly parse: (text: string, options: object) => { services: Record<string, Service> } }

/** The services of compose.yaml that run an image, next to a PostgreSQL that is not a container. */
export class Composed {
  readonly #services: Readonly<Record<string, Service>>
  readonly #secrets: string

  private constructor(services: Readonly<Record<string, Service>>, secrets: string) {
    this.#services = services
    this.#secrets = secrets
  }

  /** Creates the secrets by deploy/secrets.sh, and the roles and the database by deploy/postgres-roles.sh. */
  static async prepare(folder: string, postgres: Postgres): Promise<Composed> {
    const { parse } = await tool<Yaml>('yaml')
    const text = readFileSync(join(project, 'compose.yaml'), 'utf8').replaceAll(/\$\{\w+:-(.*?)\}/g, '$1')
    mkdirSync(join(folder, 'deploy'))
    cpSync(join(project, 'deploy/secrets.sh'), join(folder, 'deploy/secrets.sh'))
    run('sh', ['deploy/secrets.sh'], { cwd: folder })
    const composed = new Composed(parse(text, { merge: true }).services, join(folder, 'secrets'))
    await composed.#createRoles(postgres)
    return composed
  }

  async #createRoles(postgres: Postgres): Promise<void> {
    const script = readFileSync(join(project, 'deploy/postgres-roles.sh'), 'utf8')
    const [, sql = ''] = /<<'SQL'\n([\s\S]*)SQL\n/.exec(script) ?? []
    const statements = sql.replaceAll(/:'(\w+)'/g, (_, role) => `'${this.#read(`${role}_password`)}'`)
    await asSuperuser(postgres.url('postgres'), statements.trim().split('\n'))
    // Its name in the network of compose.yaml.
    for (const name of ['database_url', 'database_owner_url']) {
      const url = this.#read(name).replace('@postgres:5432/', `@127.0.0.1:${postgres.port}/`)
      writeFileSync(join(this.#secrets, name), `${url}\n`)
    }
  }

  #read(name: string): string {
    return readFileSync(join(this.#secrets, name), 'utf8').trim()
  }

  service(name: string): Service {
    const found = this.#services[name]
    if (found?.read_only !== true || found.cap_drop?.join() !== 'ALL')
      throw new Error(`compose.yaml does not run ${name} on a read-only system without capabilities`)
    return found
  }

  /** A service's process has the variables and the secrets that compose.yaml gives it, and free ports. */
  box(image: Image, name: string, ports: Variables): Box {
    const { environment = {}, secrets = [] } = this.service(name)
    const files = secrets.map((secret) => join(this.#secrets, secret))
    const variables = Object.entries(environment).map(([key, value]) => [key, value ?? ''])
    return new Box(image, files, { ...Object.fromEntries(variables), ...ports })
  }
}
