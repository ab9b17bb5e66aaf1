import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Compiles the C# client with Mono's compiler. */

const here = fileURLToPath(new URL('.', import.meta.url))
const options = ['-nologo', '-warnaserror', '-warn:4', '-langversion:latest', '-r:System.Net.Http.dll']

const packages = 'apt-get install mono-mcs libmono-system-net-http4.0-cil'

type Target = {
  readonly out: string
  readonly sources: readonly string[]
  readonly kind: 'exe' | 'library'
}

/** Throws with the compiler's errors. */
export function compile({ out, sources, kind }: Target): string {
  const files = sources.flatMap((one) => (isAbsolute(one) ? [one] : globSync(one, { cwd: here }))).sort()
  const args = [...options, `-target:${kind}`, `-out:${out}`, ...files]
  const { error, status, stdout, stderr } = spawnSync('mcs', args, { cwd: here, encoding: 'utf8' })
  if (error) throw new Error(`mcs can't be started (${error.message}): ${packages}`)
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
  return out
}

/** The program through which the acceptance check uses the client. */
export const compileBridge = (folder: string): string =>
  compile({ out: join(folder, 'bridge.exe'), sources: ['src/*.cs', 'tests/Bridge.cs'], kind: 'exe' })

/** The library, as it would be published. */
export const compileLibrary = (folder: string): string =>
  compile({ out: join(folder, 'Exchequer.dll'), sources: ['src/*.cs'], kind: 'library' })

/** Tests are compiled with the sources, as they replace the pauses between attempts. */
export const compileTests = (folder: string): string =>
  compile({ out: join(folder, 'tests.exe'), sources: ['src/*.cs', 'tests/Test*.cs'], kind: 'exe' })
