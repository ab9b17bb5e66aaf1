// Prints the results of publint and are-the-types-wrong for tarballs, as JSON: node judge.mjs FILE...
// Plain JavaScript, as both are installed only here, and the project is type-checked without them.
import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

// The packages are ES modules only: results for require() in old TypeScript modes do not matter.
const older = new Set(['node10', 'node16-cjs'])

const results = await Promise.all(
  process.argv.slice(2).map(async (file) => {
    const data = readFileSync(file)
    const tarball = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true })
    const types = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)))
    const problems = types.types ? types.problems.filter((one) => !older.has(one.resolutionKind)) : []
    return {
      publint: messages.map((message) => formatMessage(message, pkg)),
      types: problems.map(({ kind, entrypoint }) => `${kind} ${entrypoint ?? ''}`),
      typed: Boolean(types.types),
    }
  }),
)
console.log(JSON.stringify(results))
