import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { chooseReruns, type Failure, type Stall } from '../runner/rerun.ts'
import { stolenMs } from '../runner/stalls.ts'

const failed = (file: string, fromMs: number, toMs: number): Failure => ({
  file,
  test: `a test of ${file}`,
  fromMs,
  toMs,
})
const stalled = (fromMs: number, lateMs: number): Stall => ({ fromMs, toMs: fromMs + lateMs + 20, lateMs })
const chosen = (failures: Failure[], stalls: Stall[]): string[] =>
  chooseReruns(failures, stalls).map(({ failure }) => failure.file)

describe('which failed files are run again', () => {
  const one = failed('a', 10_000, 10_500)

  it('is none while the runner was not stalled', () => {
    assert.deepEqual(chosen([one], []), [])
  })

  it('is one whose first failed test ran while the runner was stalled', () => {
    assert.deepEqual(chosen([one], [stalled(10_100, 100)]), ['a'])
    assert.deepEqual(chosen([one], [stalled(9_000, 5_000)]), ['a'])
  })

  it('is one that failed within two seconds after it', () => {
    assert.deepEqual(chosen([one], [stalled(7_880, 100)]), ['a'])
    assert.deepEqual(chosen([one], [stalled(7_879, 100)]), [])
  })

  it('is none that had failed before the runner was stalled', () => {
    assert.deepEqual(chosen([one], [stalled(10_500, 400)]), ['a'])
    assert.deepEqual(chosen([one], [stalled(10_501, 400)]), [])
  })

  it('is none when the runner was stalled for less than 100 ms', () => {
    assert.deepEqual(chosen([one], [stalled(10_100, 99)]), [])
  })

  it('is at most six, in the order in which they failed', () => {
    const six = ['a', 'b', 'c', 'd', 'e', 'f']
    const all = [...six, 'g'].map((file) => failed(file, 10_000, 10_500))
    assert.deepEqual(chosen(all, [stalled(10_100, 300)]), six)
  })

  it('includes the longest stall that can have caused it', () => {
    const [rerun] = chooseReruns([one], [stalled(9_500, 150), stalled(10_100, 300), stalled(20_000, 900)])
    assert.equal(rerun?.stall.lateMs, 300)
  })
})

it('reads the machine’s stolen CPU time from /proc/stat', () => {
  const stat = [
    'cpu  9 9 9 9 9 0 9 120 0 0',
    'cpu0 4 4 4 4 4 0 4 70 0 0',
    'cpu1 5 5 5 5 5 0 5 50 0 0',
    'intr 7',
  ]
  assert.equal(stolenMs(stat.join('\n')), 600)
  assert.equal(stolenMs(''), 0)
})

describe('the test runner', () => {
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-runner-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const runner = new URL('../runner/runFiles.ts', import.meta.url).href

  const report = (...sources: string[]) => reportWith({}, ...sources)

  async function reportWith(
    { timeoutMs = 20_000, filesEach = 1 },
    ...sources: string[]
  ): Promise<{ code: number; text: string }> {
    const files = sources.map((source, index) => {
      const file = join(folder, `${index}.test.mjs`)
      writeFileSync(file, `import { it } from 'node:test'\n${source}`)
      return file
    })
    const options = JSON.stringify({ files, root: folder, timeoutMs, concurrency: 2, filesEach })
    const program = `import { runFiles } from '${runner}'
      process.exit((await runFiles(${options})).success ? 0 : 1)`
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const script = join(folder, 'runner.mjs')
    writeFileSync(script, program)
    const child = spawn(process.execPath, [script], { env })
    const out: string[] = []
    child.stdout.on('data', (chunk: Buffer) => out.push(String(chunk)))
    child.stderr.on('data', (chunk: Buffer) => out.push(String(chunk)))
    const [code] = (await once(child, 'close')) as [number]
    return { code, text: out.join('') }
  }

  /** Stops the runner for a moment and fails, this many times; then passes. */
  const underStall = (marker: string, failures: number) => `
    import { execFileSync } from 'node:child_process'
    import { appendFileSync, readFileSync } from 'node:fs'
    it('needs a machine that goes on', () => {
      appendFileSync('${marker}', '.')
      if (readFileSync('${marker}', 'utf8').length > ${failures}) return
      execFileSync('sh', ['-c', 'kill -STOP ' + process.ppid + '; sleep 0.4; kill -CONT ' + process.ppid])
      throw new Error('too late')
    })`

  it('runs a file again that failed while the runner was stalled, and reports it', async () => {
    const { code, text } = await report("it('is fine', () => {})", underStall(join(folder, 'first'), 1))
    assert.equal(code, 0, text)
    assert.match(text, /^ℹ pass 2$/m)
    assert.match(text, /^ℹ fail 0$/m)
    assert.match(text, /^ℹ cancelled 0$/m)
    assert.match(
      text,
      /run again, passed: \/1\.test\.mjs: “needs a machine that goes on” failed; the machine/,
    )
  })

  it('runs it a third time if the runner stalled again', async () => {
    const { code, text } = await report(underStall(join(folder, 'twice'), 2))
    assert.equal(code, 0, text)
    assert.match(text, /run again, failed again: [\s\S]*run again, passed: /)
  })

  it('fails when that file fails each time', async () => {
    const { code, text } = await report("it('is fine', () => {})", underStall(join(folder, 'all'), 3))
    assert.equal(code, 1, text)
    assert.match(text, /^ℹ pass 1$/m)
    assert.match(text, /^ℹ fail 1$/m)
    assert.equal(text.match(/run again, failed again: \/1\.test\.mjs/g)?.length, 2)
    assert.match(text, /✖ failing tests:[\s\S]*✖ needs a machine that goes on/)
  })

  it('counts a file that can not be loaded as failed', async () => {
    const { code, text } = await report("it('is fine', () => {})", "throw new Error('at its start')")
    assert.equal(code, 1, text)
    assert.match(text, /^ℹ pass 1$/m)
    assert.match(text, /^ℹ fail 1$/m)
  })

  describe('with several files in a process', () => {
    const inOne = (...sources: string[]) => reportWith({ timeoutMs: 2_000, filesEach: 9 }, ...sources)
    const fine = "it('is fine', () => {})"
    const hook = (log: string, name: string) => `
      import { after, before } from 'node:test'
      import { appendFileSync } from 'node:fs'
      const note = (what) => appendFileSync('${log}', \`${name} \${what} \${process.pid}\\n\`)
      before(() => note('before'))
      after(() => note('after'))
      it('runs', () => note('runs'))`

    it('runs one after the other, each with its own hooks', async () => {
      const log = join(folder, 'hooks')
      const { code, text } = await inOne(hook(log, 'a'), hook(log, 'b'))
      assert.equal(code, 0, text)
      const lines = readFileSync(log, 'utf8').trim().split('\n')
      const [pid] = lines.map((line) => line.split(' ')[2])
      const steps = ['a before', 'a runs', 'a after', 'b before', 'b runs', 'b after']
      assert.deepEqual(
        lines,
        steps.map((step) => `${step} ${pid}`),
      )
    })

    it('counts suites, tests and failures like one process for each file', async () => {
      const sources = [
        fine,
        "import { describe } from 'node:test'\ndescribe('a', () => { it('b', () => {}); it('c', () => {}) })",
        "it('is wrong', () => { throw new Error('wrong') })",
        `import { before } from 'node:test'
          before(() => { throw new Error('unready') })
          it('is d', () => {})`,
        "throw new Error('at its start')",
        "it.skip('is left out', () => {})",
      ]
      const counts = (text: string) => text.match(/^ℹ (tests|suites|pass|fail|cancelled|skipped|todo) \d+$/gm)
      const [together, apart] = await Promise.all([inOne(...sources), report(...sources)])
      assert.deepEqual(counts(together.text), counts(apart.text))
      const expected = [
        ['tests', 8],
        ['suites', 1],
        ['pass', 3],
        ['fail', 3],
      ] as const
      for (const [name, count] of expected)
        assert.match(together.text, new RegExp(`^ℹ ${name} ${count}$`, 'm'))
    })

    it('continues with the files after one that hangs or ends the process', async () => {
      for (const wrong of [
        "it('hangs', () => new Promise(() => setInterval(() => {}, 1000)))",
        'process.exit(0)',
      ]) {
        const { code, text } = await inOne(fine, `it('begins', () => {})\n${wrong}`, fine)
        assert.equal(code, 1, text)
        assert.match(text, /^ℹ pass [23]$/m)
        assert.match(text, /✖ .*1\.test\.mjs/)
      }
    })

    it('finds the file that keeps the process alive', async () => {
      const open = "import { createServer } from 'node:net'\nit('opens', () => void createServer().listen(0))"
      const { code, text } = await inOne(fine, open, fine)
      assert.equal(code, 1, text)
      assert.match(text, /^ℹ pass 3$/m)
      assert.match(text, /^ℹ fail 1$/m)
      assert.match(text, /✖ .*1\.test\.mjs/)
    })
  })

  describe('of a file that does not end', () => {
    const hanging = {
      'a test that waits forever': `
        it('hangs', () => new Promise(() => setInterval(() => {}, 1000)))`,
      'a server that a failed test left open': `
        import { createServer } from 'node:net'
        it('fails', () => {
          createServer().listen(0)
          throw new Error('early')
        })`,
      'a test that can’t be asked to end': `
        process.on('SIGTERM', () => {})
        it('is busy', () => { for (;;); })`,
      'a process that holds its output': `
        import { spawn } from 'node:child_process'
        it('is fine', () => {
          spawn('sleep', ['60'], { stdio: ['ignore', 'inherit', 'inherit'], detached: true }).unref()
        })`,
    }
    for (const [what, source] of Object.entries(hanging))
      it(`reports it and continues: ${what}`, async () => {
        const startMs = performance.now()
        const { code, text } = await reportWith({ timeoutMs: 2_000 }, source, "it('is fine too', () => {})")
        assert.equal(code, 1, text)
        assert.match(text, /✔ is fine too/)
        assert.match(text, /This file did not end within 2 s, and its process was killed\./)
        assert.match(text, /^ℹ (fail|cancelled) [12]$/m)
        assert.ok(performance.now() - startMs < 45_000, 'it waited')
      })
  })
})
