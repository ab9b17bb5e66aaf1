import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import { groups } from '../src/commands.ts'
import { exits } from '../src/exits.ts'
import { commandHelp, helpAbout } from '../src/help.ts'
import { folder, run, words } from './support/run.ts'

const env = {
  HOME: '/nonexistent',
  EXCHEQUER_URL: 'http://127.0.0.1:9',
  EXCHEQUER_REALM: 'x',
  EXCHEQUER_KEY: 'y',
}
const said = (line: string) => run(words(line), { env })

/** A server that answers everything with one status. */
async function answering(status: number, work: (url: string) => Promise<void>): Promise<void> {
  const code = status === 429 ? 'rate_limited' : `http_${status}`
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/problem+json' })
    response.end(JSON.stringify({ status, code, title: 'x', detail: 'As it is.', requestId: 'r-1' }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  try {
    await work(`http://127.0.0.1:${port}`)
  } finally {
    server.close()
  }
}

describe('help', () => {
  it('lists every command, and each has help with an example', async () => {
    const { out } = await run([])
    const all = groups.flatMap(({ commands }) => commands)
    for (const { words: name } of all)
      for (const word of name.split(' ')) assert.match(out, new RegExp(`\\b${word}\\b`))
    for (const one of all) assert.match(commandHelp(one), /Examples\n {2}# .*\n {2}\S/)
    for (const name of ['login', 'points award', 'serve']) {
      const help = await said(`${name} --help`)
      assert.equal(help.code, 0)
      assert.match(help.out, new RegExp(`^exchequer ${name} `))
    }
  })

  it('of all commands fits on a screen of 24 lines and 80 columns', async () => {
    const lines = (await said('help')).out.trimEnd().split('\n')
    assert.ok(lines.length <= 24, `${lines.length} lines`)
    assert.deepEqual(
      lines.filter((line) => line.length > 80),
      [],
    )
    assert.match((await said('help keys')).out, /exchequer keys rotate +replace a key/)
  })

  it('of a noun lists its commands; a noun alone is a usage error', async () => {
    const { code, out, err } = await said('points')
    assert.deepEqual([code, out], [2, ''])
    assert.match(err, /^exchequer points: award, deduct and transfer points\n/)
    assert.match(err, /\n {2}exchequer points deduct {4}deduct points/)
    for (const line of ['help points', 'points --help']) {
      const help = await said(line)
      assert.deepEqual([help.code, help.out], [0, err])
    }
    assert.equal((await said('help points award')).out, (await said('points award --help')).out)
    assert.equal((await said('--version')).out, '0.1.0\n')
  })

  it('has no line wider than a terminal', async () => {
    const all = groups.flatMap(({ commands }) => commands)
    const examples = new Set(all.flatMap((one) => one.examples.map(({ line }) => `  ${line}`)))
    const nouns = new Set(
      all.flatMap(({ words: name }) => (name.includes(' ') ? [name.split(' ')[0] ?? ''] : [])),
    )
    const texts = [
      ...all.map((one) => commandHelp(one)),
      ...[...nouns].map((noun) => helpAbout([noun], groups)),
    ]
    const long = texts.flatMap((text) => text.split('\n')).filter((line) => line.length > 80)
    assert.deepEqual(
      long.filter((line) => !examples.has(line)),
      [],
    )
  })
})

describe('a usage error exits with 2, and says what to do', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['xyzzy', /There is no command `xyzzy`\. For all commands: exchequer help\n$/],
    ['points award 42 5 --raeson x', /has no option --raeson\. Did you mean --reason\?/],
    ['points award 42 5 --once x', /has no option --once\. Did you mean --idempotency-key\?/],
    ['points award 42 5 --reason', /--reason needs a value: --reason TEXT/],
    ['points award 42 5 --dry-run=yes', /--dry-run takes no value/],
    ['points award 42 5 --reason a --reason b', /--reason is given twice/],
    ['points award 42', /TOKENS is missing: how many points/],
    ['points award 42 5 6', /unexpected argument "6"/],
    ['points award 42 -5', /To deduct points: exchequer points deduct/],
    ['points award 42 5.5', /"5\.5" is not a valid amount\. Use a whole number from 1 to 9007199254740991/],
    ['points award ada 5', /"ada" is not a member id.*\bexchequer members list --search ada/],
    ['points award 1.19e18 5', /"1\.19e18" is not a member id/],
    ['points award 9223372036854775808 5', /is not a member id/],
    [
      'leaderboard show --period weak',
      /--period must be one of all, week, month, not "weak"\. Did you mean week\?/,
    ],
    ['entries list 42 --from yesterday', /--from takes a time such as 2030-01-31/],
    [
      'export memebrs',
      /WHAT must be one of members, balances, entries, realm, not "memebrs"\. Did you mean members\?/,
    ],
    ['import nowhere.csv', /nowhere\.csv: no such file or folder/],
    ['changes apply nowhere.json', /nowhere\.json: no such file or folder/],
    ['export balances -o nowhere/b.csv', /nowhere\/b\.csv\.part: no such file or folder/],
    ['verify nowhere.ndjson', /nowhere\.ndjson: no such file or folder/],
    ['verify --against 17', /--against takes SEQ:HASH/],
    ['members list --limit many', /--limit takes a whole number above 0, not "many"/],
    ['members list --limit 3 --all', /either --limit or --all/],
    ['holds create 42 5 --expires-in 9 --expires-at 2030-01-31', /either --expires-at or --expires-in/],
    ['entries reverse seventeen', /is not an entry’s id/],
    ['reversals create', /Which entries\? Give --filter-reference/],
    ['keys revoke', /Which key\? Give its id; or --orphaned/],
    ['journal follow --cursor 5', /has no option --cursor\. Did you mean --after\?/],
    ['journal follow --after last', /--after takes the number of an entry, not "last"/],
    ['listen', /Where to\? Give --forward-to http:\/\/localhost:3000\/hook/],
    ['listen --forward-to ftp://localhost/', /--forward-to takes a URL such as .*, not "ftp:/],
    ['listen --forward-to localhost:1/ --secret whsec_c2hvcnQ=', /--secret takes whsec_ and at least 24/],
    ['completion fish', /SHELL must be one of bash, zsh, not "fish"/],
    ['move', /Which service\? Give --from URL/],
    ['login --url points.example.com', /is not the URL of a server/],
  ]
  for (const [line, expected] of cases) {
    it(line, async () => {
      const { code, out, err } = await said(line)
      assert.deepEqual([code, out], [exits.usage.code, ''])
      assert.match(err, expected)
      assert.doesNotMatch(err, /\n {4}at /)
    })
  }
})

it('a key that came with a line break or a space is a usage error', async () => {
  for (const key of ['exq_1\r', 'exq 1']) {
    const { code, err } = await run(['point-types', 'list'], { env: { ...env, EXCHEQUER_KEY: key } })
    assert.equal(code, exits.usage.code)
    assert.match(err, /^exchequer: The key has a space, a line break or another .* Copy it again/)
    assert.doesNotMatch(err, /\n {4}at |exq/)
  }
})

describe('a truncated response exits with 3', () => {
  const here = folder()
  const ends = {
    'by the connection': (response: ServerResponse) => setTimeout(() => response.destroy(), 50),
    'by a proxy': (response: ServerResponse) => response.end(),
  }
  const cut = async (end: (response: ServerResponse) => void, line: string) => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'exchequer-seq': '7' })
      response.write('{"format":"exchequer.realm","seq":"7"}\n')
      end(response)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as { port: number }
    try {
      return await run([...words(line), '--url', `http://127.0.0.1:${port}`], { env, cwd: here.path })
    } finally {
      server.close()
    }
  }

  it('a snapshot’s tree', async () => {
    const { code, err } = await cut(ends['by the connection'], 'snapshots export s1')
    assert.equal(code, exits.unreachable.code)
    assert.match(err, /^exchequer: The tree was cut off and is incomplete\./)
  })

  for (const [how, end] of Object.entries(ends))
    it(`a realm, ${how}, whatever its file name`, async () => {
      const { code, err } = await cut(end, 'export realm -o realm.txt')
      assert.equal(code, exits.unreachable.code)
      assert.match(err, /^exchequer: The export was cut off/)
      assert.deepEqual(readdirSync(here.path), [])
    })
})

describe('exit codes', () => {
  it('3 when no server responds', async () => {
    const { code, err } = await said('point-types list')
    assert.equal(code, exits.unreachable.code)
    assert.match(err, /could not be reached\.\nCheck that the server runs and the URL is right/)
  })

  it('1, 2, 3 and 4 by the server’s response', async () => {
    const expected = { 400: 2, 401: 4, 403: 4, 404: 1, 409: 1, 422: 1 }
    for (const [status, code] of Object.entries(expected)) {
      await answering(Number(status), async (url) => {
        const ended = await run(['entries', 'reverse', '1', '--url', url], { env })
        assert.deepEqual([status, ended.code], [status, code])
        assert.match(ended.err, /^exchequer: As it is\./)
      })
    }
  })

  it('3 for an internal server error, with the request id to report', async () => {
    await answering(503, async (url) => {
      const { code, err } = await run(['entries', 'reverse', '1', '--url', url], { env })
      assert.equal(code, 3)
      assert.match(err, /Please report request r-1 to the operator\./)
    })
  })

  it('4 when not logged in', async () => {
    const { code, err } = await run(['members', 'list'], { env: { HOME: '/nonexistent' } })
    assert.equal(code, 4)
    assert.match(err, /You are not logged in\. Log in with: exchequer login/)
  })

  it('0 when the reader closes the pipe', async () => {
    const { code } = await run(['help'], { env })
    assert.equal(code, 0)
  })
})

describe('commands of the server are passed through unchanged', () => {
  it('db lists its commands, dev has its own help', async () => {
    const { out, err } = await said('db help')
    assert.match(`${out}${err}`, /for the operator of the database\n\n[\s\S]* realm import /)
    assert.match((await said('dev --help')).out, /^exchequer dev \[--port <port>\]/)
  })

  it('serve says which setting is missing', async () => {
    const { code, err } = await said('serve')
    assert.equal(code, 1)
    assert.match(err, /DATABASE_URL/)
  })
})
