import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { call } from '../../tests/support/call.ts'
import { environment, operatorToken, runCommand, startServerProcess } from '../../tests/support/process.ts'
import { suite } from '../../tests/support/suite.ts'
import { ConfigError, readConfig, secretNames } from '../src/config/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'exchequer-secrets-'))
after(() => rmSync(folder, { recursive: true }))
const made = suite()

/** The same settings, each secret in a file. */
function inFiles(end = '\n'): Record<string, string> {
  const env: Record<string, string> = environment(made.database)
  for (const name of secretNames.filter((one) => env[one] !== undefined)) {
    const file = join(folder, name)
    writeFileSync(file, `${env[name]}${end}`)
    delete env[name]
    env[`${name}_FILE`] = file
  }
  return env
}

describe('a secret in a file', () => {
  it('is read like one in the environment, without its trailing newline', () => {
    const plain = readConfig(environment(made.database))
    for (const end of ['', '\n', '\r\n']) assert.deepEqual(readConfig(inFiles(end)), plain)
  })

  it('starts a server that accepts the operator token', async () => {
    const server = await startServerProcess(inFiles())
    try {
      const { status } = await call('GET', `${server.baseUrl}/operator/v1/realms`, { key: operatorToken })
      assert.equal(status, 200)
      assert.equal((await call('GET', `${server.baseUrl}/readyz`)).status, 200)
    } finally {
      await server.stop()
    }
  })

  it('given in the environment too is an error, which names both', () => {
    for (const name of secretNames) {
      const both = { [name]: 'one of them', [`${name}_FILE`]: join(folder, name) }
      const env = { ...environment(made.database), ...both }
      assert.throws(
        () => readConfig(env),
        (error) =>
          error instanceof ConfigError && error.message.includes(`${name} and ${name}_FILE are both`),
      )
    }
  })

  it('that is missing or empty ends the command with a sentence, not with a stack trace', async () => {
    writeFileSync(join(folder, 'empty'), '\n')
    for (const [file, words] of [
      ['absent', /KEY_SECRETS_FILE is .*absent, which can't be read \(ENOENT\)/],
      ['empty', /KEY_SECRETS_FILE is .*empty, which is empty/],
    ] as const) {
      const { code, err } = await runCommand(['serve'], {
        ...inFiles(),
        KEY_SECRETS_FILE: join(folder, file),
      })
      assert.equal(code, 1)
      assert.match(err, words)
      assert.equal(err.trim().split('\n').length, 1, err)
    }
  })
})
