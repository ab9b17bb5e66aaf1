import { ForbiddenError, Operator, Realm } from '@exchequer/sdk'
import { checkedUrl, type Login, readLogins, secretIn, writeLogins } from '../access.ts'
import { type Command, type Context, command } from '../command.ts'
import { Stop, wrongUsage } from '../exits.ts'
import { ask, askHidden, readAll } from '../prompt.ts'

const secretCap = 4096

async function needed(context: Context, what: string, option: string): Promise<string> {
  const answer = await ask(context.terminal, `${what}: `)
  if (answer) return answer
  throw wrongUsage(`${what} is missing. Give ${option}.`)
}

/** From the environment, a pipe or a hidden prompt; a shell would store an option in its history. */
async function secret({ terminal, access }: Context, operator: boolean): Promise<string> {
  const [name, what] = operator ? ['EXCHEQUER_TOKEN', 'Operator token'] : ['EXCHEQUER_KEY', 'Key']
  const fromEnvironment = secretIn(terminal.env, name)
  if (fromEnvironment) return fromEnvironment
  const typed = await askHidden(terminal, `${what} (not shown): `)
  const text = typed ?? (await readAll(terminal.stdin, secretCap)).trim()
  if (text && /^[\x21-\x7e]+$/.test(text)) return text
  throw wrongUsage(
    `${what} is missing. Type it when asked, pipe it in, or set ${name}.` +
      (operator || !access.token ? '' : ' To log in with an operator token: exchequer login --operator'),
  )
}

/** Checks the credentials with the server; a key without a scope to read the realm is valid too. */
async function tried(login: Login): Promise<string> {
  const { url, realm = '', key, token } = login
  if (token !== undefined && key === undefined) {
    await new Operator({ url, token }).realms().page({ limit: 1 })
    return `${url} as an operator`
  }
  try {
    const { name } = await new Realm({ url, realm, key: key ?? '' }).get()
    return `${name} (${realm}) at ${url}`
  } catch (error) {
    if (error instanceof ForbiddenError && error.code === 'insufficient_scope') return `${realm} at ${url}`
    throw error
  }
}

export const login: Command = command({
  words: 'login',
  what: 'store a server, a realm and its key for the other commands',
  more:
    'Asks for the key without showing it, or reads it from a pipe. The key is tried first, then stored in ' +
    'a file that only you can read. A realm’s key and an operator token can be stored together, and ' +
    'several logins with --profile.',
  flags: { operator: { what: 'log in with an operator token instead of a realm’s key' } },
  examples: [
    { line: 'exchequer login --url https://points.example.com --realm guild', what: 'asks for the key' },
    {
      line: 'exchequer login --operator --url https://points.example.com < token.txt',
      what: 'reads the token from a file',
    },
    { line: 'exchequer login --profile shop --realm shop', what: 'a second login' },
  ],
  async run({ flags }, context) {
    const { access, out } = context
    const { profile, file } = access
    const url = checkedUrl(access.url ?? (await needed(context, 'URL of the server', '--url')))
    const isOperator = flags.operator === true
    const realm =
      access.realm ?? (isOperator ? undefined : await needed(context, 'Id of the realm', '--realm'))
    const text = await secret(context, isOperator)
    const opened = await tried({ url, ...(realm ? { realm } : {}), [isOperator ? 'token' : 'key']: text })
    const logins = readLogins(file)
    const before =
      Object.hasOwn(logins, profile) && logins[profile]?.url === url ? logins[profile] : undefined
    // A key belongs to one realm: the key of another realm is not kept.
    const sameRealm = before?.realm === realm
    const kept = isOperator
      ? sameRealm || !realm
        ? before
        : {}
      : before?.token
        ? { token: before.token }
        : {}
    const made: Login = {
      ...kept,
      url,
      ...(realm ? { realm } : {}),
      [isOperator ? 'token' : 'key']: text,
    }
    writeLogins(file, { ...logins, [profile]: made })
    out.answer({ profile, url, realm: made.realm ?? null, file }, () => {
      out.line(`Logged in to ${opened}.`)
      out.aside(`Stored in ${file}, readable only by you.`)
    })
  },
})

export const logout: Command = command({
  words: 'logout',
  what: 'remove a login from this machine; the key itself stays valid',
  more: 'To make the key invalid: exchequer keys revoke',
  examples: [{ line: 'exchequer logout', what: 'the default login' }],
  async run(_given, { access, out }) {
    const { [access.profile]: gone, ...others } = readLogins(access.file)
    if (!gone) throw new Stop('refused', `There is no login named ${access.profile}.`)
    writeLogins(access.file, others)
    out.answer({ profile: access.profile, forgotten: true }, () => out.line(`Logged out of ${gone.url}.`))
  },
})

const masked = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : `…${text.slice(-4)}`

export const whoami: Command = command({
  words: 'whoami',
  what: 'show which server, realm and key are used, and whether they work',
  examples: [{ line: 'exchequer whoami', what: 'tries the login' }],
  async run(_given, context) {
    const { access, out } = context
    const { profile, url, realm, key, token, file } = access
    if (!url) context.realm()
    const opens = await tried({
      url: checkedUrl(url ?? ''),
      ...(realm ? { realm } : {}),
      ...(key ? { key } : token ? { token } : {}),
    } as Login)
    const answer = {
      profile,
      url,
      realm: realm ?? null,
      key: masked(key) ?? null,
      token: masked(token) ?? null,
      file,
    }
    out.answer(answer, () =>
      out.record([
        ['login', profile],
        ['server', url],
        ['realm', realm],
        ['key', masked(key)],
        ['operator token', masked(token)],
        ['file', file],
        ['works for', opens],
      ]),
    )
  },
})
