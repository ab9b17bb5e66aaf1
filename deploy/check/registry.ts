import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { run } from './program.ts'

/**
 * How npm on this machine reaches its registry, for the steps of a build: files that are mounted while a step
 * runs. The images get none of it.
 */
export function registrySettings(folder: string): string[] {
  const settings = join(folder, 'npmrc')
  const given = (name: string): string => run('npm', ['config', 'get', name]).trim()
  const files = [given('globalconfig'), join(homedir(), '.npmrc'), '/etc/npmrc'].filter(existsSync)
  const texts = files.map((file) => readFileSync(file, 'utf8'))
  writeFileSync(settings, `${texts.join('\n')}\nregistry=${given('registry')}\n`, { mode: 0o600 })
  const authorities = [given('cafile'), process.env['NODE_EXTRA_CA_CERTS'] ?? ''].find(existsSync)
  const mounts = [`${settings}:/root/.npmrc:ro`]
  if (authorities === undefined) return mounts
  appendFileSync(settings, 'cafile=/run/authorities.pem\n')
  return [...mounts, `${authorities}:/run/authorities.pem:ro`]
}
