import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { envOf, main, type Place } from './place.ts'
import type { Checks } from './run.ts'

/** The program itself: its settings, its streams and its end. */

async function run(args: readonly string[], env: Record<string, string>, input = '') {
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    said.out += String(chunk)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    said.err += String(chunk)
  })
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...said }
}

export async function checkProcess(place: Place, { check }: Checks): Promise<void> {
  const env = envOf(place, place.keys.viewer)
  const { EXCHEQUER_KEY: _, ...keyless } = env

  await check('settings that are wrong are listed, and stdout stays empty', async () => {
    const { code, out, err } = await run(['--writes'], { PATH: env['PATH'] ?? '' })
    assert.deepEqual([code, out], [1, ''])
    for (const word of ['--writes', 'EXCHEQUER_URL', 'EXCHEQUER_REALM', 'EXCHEQUER_KEY'])
      assert.match(err, new RegExp(word))
  })

  await check('a key that is not valid, and a server that does not answer, end it', async () => {
    const wrong = await run([], { ...env, EXCHEQUER_KEY: 'exq_none' })
    assert.deepEqual([wrong.code, wrong.out], [1, ''])
    assert.match(wrong.err, /key/i)
    assert.doesNotMatch(wrong.err, /at .*\.ts:/)
    const nowhere = await run([], { ...env, EXCHEQUER_URL: 'http://127.0.0.1:9' })
    assert.deepEqual([nowhere.code, nowhere.out], [1, ''])
    assert.match(nowhere.err, /could not be reached/)
  })

  await check('the key from a file; it ends with stdin, and never shows the key', async () => {
    const file = join(place.folder, 'key')
    writeFileSync(file, `${place.keys.viewer}\n`)
    const { code, out, err } = await run([], { ...keyless, EXCHEQUER_KEY_FILE: file })
    assert.deepEqual([code, out], [0, ''])
    assert.match(err, /13 tools, writes off/)
    assert.ok(!err.includes(place.keys.viewer))
  })

  await check('--allow-writes with a key that can’t write says so', async () => {
    const { code, err } = await run(['--allow-writes'], env)
    assert.equal(code, 0)
    assert.match(err, /13 tools, writes on[\s\S]*lacks points:write/)
  })

  await check(
    'lines that are not of the protocol do not end it, and are not answered with data',
    async () => {
      const { code, out } = await run(
        [],
        env,
        'nonsense\n{"jsonrpc":"2.0","id":1,"method":"nothing/here"}\n[]\n',
      )
      assert.equal(code, 0)
      for (const line of out.split('\n').filter(Boolean))
        assert.equal((JSON.parse(line) as { jsonrpc: string }).jsonrpc, '2.0')
    },
  )
}
