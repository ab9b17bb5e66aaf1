import { type Command, command } from '../command.ts'
import { wrongUsage } from '../exits.ts'
import { untilInterrupted } from '../interrupt.ts'
import type { Output } from '../output.ts'
import { isSecret, messageOf, newSecret, signedHeaders, type WebhookMessage } from '../webhook.ts'
import { countOf, seqOf } from './values.ts'

/** As long as the server waits for an answer. */
const timeoutMs = 15_000

/** Without a scheme it is http, as most receivers under development are. */
function urlOf(text: string | undefined): string {
  if (text === undefined) throw wrongUsage('Where to? Give --forward-to http://localhost:3000/hook')
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  if (/^https?:/i.test(url) && URL.canParse(url)) return url
  throw wrongUsage(`--forward-to takes a URL such as http://localhost:3000/hook, not "${text}".`)
}

function secretOf(text: string | undefined): string {
  if (text === undefined) return newSecret()
  if (isSecret(text)) return text
  throw wrongUsage('--secret takes whsec_ and at least 24 bytes in base64.')
}

type Delivery = { readonly status: number | null; readonly ms: number; readonly error?: string }

type Receiver = { readonly url: string; readonly secret: string; readonly stopped: AbortSignal }

/** One attempt. A redirect is an answer, and not followed. */
async function deliver({ url, secret, stopped }: Receiver, message: WebhookMessage): Promise<Delivery> {
  const began = new Date()
  const headers = signedHeaders(message, secret, began)
  const late = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([late, stopped])
  const took = () => Date.now() - began.getTime()
  try {
    const sent = { method: 'POST', headers, body: message.body, redirect: 'manual', signal } as const
    const answer = await fetch(url, sent)
    await answer.body?.cancel()
    return { status: answer.status, ms: took() }
  } catch (error) {
    const { code, message: words } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
    const reason = code ?? words
    return { status: null, ms: took(), error: late.aborted ? `not within ${timeoutMs / 1000} s` : reason }
  }
}

function report(out: Output, { id, type }: WebhookMessage, { status, ms, error }: Delivery): void {
  const isDone = status !== null && status >= 200 && status < 300
  const outcome = out.paint(isDone ? 'green' : 'red', status === null ? `no answer: ${error}` : `${status}`)
  const answer = { id, type, status, ms, ...(error === undefined ? {} : { error }) }
  out.each(answer, () => out.line(`${type.padEnd(18)}  ${id}  ${outcome}  ${ms} ms`))
}

export const listen: Command = command({
  words: 'listen',
  what: 'send new changes to a URL as webhooks, while you develop',
  more:
    'Follows the journal and sends each entry, one after the other, as the server sends webhooks: signed, ' +
    'with the same id and body. The server itself needs no access to the URL. It makes one attempt for ' +
    'each, and prints the answer’s status and time. Needs the scope journal:read.',
  flags: {
    'forward-to': { value: 'URL', what: 'where to send them, such as http://localhost:3000/hook' },
    secret: { value: 'SECRET', what: 'sign with this secret, whsec_...; a new one if omitted' },
    'include-details': { what: 'send reason, reference, metadata and actor as well' },
    after: { value: 'SEQ', what: 'start after this entry, 0 for the first; from now on if omitted' },
    count: { value: 'N', what: 'stop after N webhooks' },
  },
  examples: [
    { line: 'exchequer listen --forward-to http://localhost:3000/hook', what: 'from now on' },
    { line: 'exchequer listen --forward-to localhost:3000/hook --after 0 --count 10', what: 'the first ten' },
  ],
  async run({ flags }, { realm, out }) {
    const url = urlOf(flags['forward-to'])
    const secret = secretOf(flags.secret)
    const most = countOf('--count', flags.count, Number.MAX_SAFE_INTEGER)
    const given = flags.after === undefined ? undefined : seqOf('--after', flags.after)
    const client = realm()
    return untilInterrupted(async (signal) => {
      const cursor = given ?? (await client.head({ signal })).seq
      out.aside(`Sending every change after entry ${cursor} to ${url}. Press Ctrl-C to stop.`)
      if (flags.secret === undefined) out.aside(`The signing secret is ${secret}`)
      let [seen, previous] = [0, null as string | null]
      for await (const { seq } of client.follow({ cursor, signal })) {
        const includeDetails = flags['include-details'] === true
        // An entry read by its id also says to which batch it belongs.
        const message = messageOf(await client.entry(seq, { signal }), {
          realmId: client.id,
          previous,
          includeDetails,
        })
        report(out, message, await deliver({ url, secret, stopped: signal }, message))
        previous = seq
        seen += 1
        if (seen >= most) break
      }
    })
  },
})
