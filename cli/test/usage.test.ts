import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import { groups } from '../src/commands.ts'
import { exits } from '../src/exits.ts'
import { commandHelp } from '../src/help.ts'
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
      for (const word of name.split(' ').slice(0, 2)) assert.match(out, new RegExp(`\\b${word}\\b`))
    for (const one of all) assert.match(commandHelp(one), /Examples\n {2}# .*\n {2}\S/)
    for (const name of ['login', 'points add', 'serve']) {
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

  it('is told of words that several commands begin with', async () => {
    const { code, out } = await said('points')
    assert.equal(code, 2)
    assert.match(out, /exchequer points take {7}take points/)
    assert.equal((await said('help points add')).out, (await said('points add --help')).out)
    assert.equal((await said('--version')).out, '0.1.0\n')
  })

  it('no line of it is longer than a terminal is wide', async () => {
    const all = groups.flatMap(({ commands }) => commands)
    const long = all.flatMap((one) => commandHelp(one).split('\n')).filter((line) => line.length > 120)
    assert.deepEqual(long, [])
  })
})

describe('wrong usage ends with 2, and says what to do', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['pionts add 42 5', /There is no command pionts\. Did you mean: exchequer points add/],
    ['member show 42', /Did you mean: exchequer members show/],
    ['members shwo 42', /Did you mean: exchequer members show/],
    ['invitation create Ann', /Did you mean: exchequer invitations create/],
    ['operator erase 4', /Did you mean: exchequer operators erase/],
    ['leaderbord', /Did you mean: exchequer leaderboard/],
    ['xyzzy', /There is no command xyzzy\.\nSee: exchequer help/],
    ['points add 42 5 --raeson x', /has no option --raeson\. Did you mean --reason\?/],
    ['points add 42 5 --reason', /--reason needs a value: --reason TEXT/],
    ['points add 42 5 --dry-run=yes', /--dry-run takes no value/],
    ['points add 42 5 --reason a --reason b', /--reason is given twice/],
    ['points add 42', /TOKENS is missing: how many points/],
    ['points add 42 5 6', /6 is one word too many/],
    ['points add 42 -5', /To take points: exchequer points take/],
    ['points add 42 5.5', /5\.5 is no amount of points\. Expected a whole number from 1 to 9007199254740991/],
    ['points add ada 5', /ada is no member id.*\bexchequer members find ada/],
    ['points add 1.19e18 5', /1\.19e18 is no member id/],
    ['points add 9223372036854775808 5', /is no member id/],
    ['leaderboard --period weak', /--period is one of all, week, month, not weak\. Did you mean week\?/],
    ['history 42 --from yesterday', /--from is a time such as 2030-01-31/],
    [
      'export memebrs',
      /WHAT is one of members, balances, entries, realm, not memebrs\. Did you mean members\?/,
    ],
    ['import nowhere.csv', /nowhere\.csv: there is no such file or folder/],
    ['export balances -o nowhere/b.csv', /nowhere\/b\.csv\.part: there is no such file or folder/],
    ['verify nowhere.ndjson', /nowhere\.ndjson: there is no such file or folder/],
    ['verify --against 17', /--against is SEQ:HASH/],
    ['members --limit many', /--limit is a whole number above 0, not many/],
    ['undo seventeen', /is no transaction id/],
    ['undo many', /Which entries\? Give --reference/],
    ['completion fish', /SHELL is one of bash, zsh, not fish/],
    ['move', /Which service\? Name it with --from URL/],
    ['login --url points.example.com', /is no URL of a server/],
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

it('a key that came with a line break or a blank is wrong usage', async () => {
  for (const key of ['exq_1\r', 'exq 1']) {
    const { code, err } = await run(['points', 'kinds'], { env: { ...env, EXCHEQUER_KEY: key } })
    assert.equal(code, exits.usage.code)
    assert.match(err, /^exchequer: The key has a blank, a line break or another .* Copy it again/)
    assert.doesNotMatch(err, /\n {4}at |exq/)
  }
})

describe('what is cut off on its way ends with 3', () => {
  const here = folder()
  const ends = {
    'by the connection': (response: ServerResponse) => setTimeout(() => response.destroy(), 50),
    'by whoever stands between': (response: ServerResponse) => response.end(),
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

  it('a tree', async () => {
    const { code, err } = await cut(ends['by the connection'], 'snapshot tree s1')
    assert.equal(code, exits.unreachable.code)
    assert.match(err, /^exchequer: The tree was cut off: what came of it is not whole\./)
  })

  for (const [how, end] of Object.entries(ends))
    it(`a realm, ${how}, whatever its file is called`, async () => {
      const { code, err } = await cut(end, 'export realm -o realm.txt')
      assert.equal(code, exits.unreachable.code)
      assert.match(err, /^exchequer: The export was cut off/)
      assert.deepEqual(readdirSync(here.path), [])
    })
})

describe('the end of a command means something', () => {
  it('3 where nobody answers', async () => {
    const { code, err } = await said('points kinds')
    assert.equal(code, exits.unreachable.code)
    assert.match(err, /could not be reached\.\nIs the server running, and its URL right\?/)
  })

  it('1, 2, 3 and 4 by what the server answers', async () => {
    const expected = { 400: 2, 401: 4, 403: 4, 404: 1, 409: 1, 422: 1 }
    for (const [status, code] of Object.entries(expected)) {
      await answering(Number(status), async (url) => {
        const ended = await run(['undo', '1', '--url', url], { env })
        assert.deepEqual([status, ended.code], [status, code])
        assert.match(ended.err, /^exchequer: As it is\./)
      })
    }
  })

  it('3 for a server in need, with the request to tell its operator of', async () => {
    await answering(503, async (url) => {
      const { code, err } = await run(['undo', '1', '--url', url], { env })
      assert.equal(code, 3)
      assert.match(err, /Tell the operator this request: r-1/)
    })
  })

  it('4 for who is not logged in', async () => {
    const { code, err } = await run(['members'], { env: { HOME: '/nonexistent' } })
    assert.equal(code, 4)
    assert.match(err, /You are not logged in\. Log in with: exchequer login/)
  })

  it('0 for who has read enough', async () => {
    const { code } = await run(['help'], { env })
    assert.equal(code, 0)
  })
})

describe('what is the server’s is handed over as it is', () => {
  it('db lists its commands, dev has help of its own', async () => {
    const { out, err } = await said('db help')
    assert.match(`${out}${err}`, /for the operator of the database\n\n[\s\S]* realm import /)
    assert.match((await said('dev --help')).out, /^exchequer dev \[--port <port>\]/)
  })

  it('serve says what it lacks', async () => {
    const { code, err } = await said('serve')
    assert.equal(code, 1)
    assert.match(err, /DATABASE_URL/)
  })
})
