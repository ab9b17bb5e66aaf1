export type Plant = {
  readonly file: string
  readonly text: string
  readonly planted: string
  /** The finding that the fuzzer must report. */
  readonly found: RegExp
  /** Only requests of these paths are sent, when few requests of a normal run would reach the bug. */
  readonly among?: RegExp
}

const asked = 'const visit: Visit = { requestId: makeRequestId(), headers: undefined }'
const target = "const url = this.#request.url ?? '/'"
const sent = 'send(response, reply, visit)'

/** Bugs that a server like this one could have, by name. */
export const plants: Readonly<Record<string, Plant>> = {
  'a handler that throws': {
    file: '/http/v4/getWeb3Member.ts',
    text: 'const id = params.memberID',
    planted: "const id = params['memberID'].repeat(caller.realm - 3)",
    found: /^fault: 500/,
  },
  'a line of the log with all headers': {
    file: '/http/handler.ts',
    text: asked,
    planted: `${asked}; console.log(JSON.stringify(request.headers))`,
    found: /^log: the key own/,
  },
  'a line of the log with the URL': {
    file: '/http/handler.ts',
    text: asked,
    planted: `${asked}; console.log(request.url)`,
    found: /^log: the key canary/,
  },
  'a change that is made twice': {
    file: '/http/v4/adjust.ts',
    text: "const parts = commandParts(request, { kind: 'adjust', said, point })",
    planted: `const parts = commandParts(request, { kind: 'adjust', said, point })
    if (change.tokens % 5n === 0n)
      await ledger.post({ kind: 'adjust', ...change, ...parts, retry: undefined })`,
    found: /^books: no response reported/,
  },
  'an id that is rounded': {
    file: '/http/route/check.ts',
    text: 'if (value instanceof JsonNumber) return wholeNumber(value.source) ?? value',
    planted: 'if (value instanceof JsonNumber) return String(BigInt(Math.round(Number(value.source))))',
    found: /^books: entry .* differs from the response/,
    among: /members\/\{memberID\}\/(tokenBalance|transfer)$/,
  },
  'a stack trace in a response': {
    file: '/http/problem.ts',
    text: 'if (error instanceof RefusalError) return problem(error.refusal, requestId)',
    planted: `if (error instanceof RefusalError)
    return problem({ ...error.refusal, detail: error.stack }, requestId)`,
    found: /^leak: /,
  },
  'no check of the realm in the path': {
    file: '/http/auth.ts',
    text: 'realm !== caller.realmId)',
    planted: 'realm === caller)',
    found: /^entry: /,
  },
  'the member of another realm': {
    file: '/http/v4/getMember.ts',
    text: 'members.get(caller.realm,',
    planted: 'members.get(5 - caller.realm,',
    found: /^realm: /,
  },
  'a response that is never sent': {
    file: '/http/handler.ts',
    text: sent,
    planted: `if (reply.status !== 414) ${sent}`,
    found: /^silence: /,
  },
  'a connection that is dropped': {
    file: '/http/handler.ts',
    text: sent,
    planted: `if (reply.status === 415) request.socket.destroy(); else ${sent}`,
    found: /^dropped: /,
  },
  'another status in the body': {
    file: '/http/problem.ts',
    text: 'status,\n    detail: refusal.detail',
    planted: 'status: 400,\n    detail: refusal.detail',
    found: /^shape: status/,
  },
  'a key in an error response': {
    file: '/http/problem.ts',
    text: 'withoutKeys(JSON.stringify(body))',
    planted: 'JSON.stringify(body)',
    found: /^secret: /,
  },
  'a request that ends the process': {
    file: '/http/call.ts',
    text: target,
    planted: `${target}; if (url.includes('%00')) process.exit(1)`,
    found: /^dead: /,
    among: /\{memberID\}/,
  },
  'memory that is never freed': {
    file: '/http/call.ts',
    text: target,
    planted: `${target}; (globalThis.kept ??= []).push(Buffer.alloc(1 << 20, 1))`,
    found: /^memory: /,
  },
}
