import { ExchequerError } from '@exchequer/sdk'

/** Exit codes. docs/cli.md lists them from here. */
export const exits = {
  done: { code: 0, what: 'done' },
  refused: { code: 1, what: 'rejected by the server, or a check failed; the message says why' },
  usage: { code: 2, what: 'wrong usage: nothing was sent, or the server found an invalid value' },
  unreachable: { code: 3, what: 'no response, or the server is overloaded, even after retries' },
  notAllowed: { code: 4, what: 'not logged in, an invalid key, or one without the scope' },
  notConfirmed: { code: 5, what: 'not confirmed, or there was no terminal to ask at' },
  fault: { code: 70, what: 'an error in the command itself' },
  interrupted: { code: 130, what: 'interrupted by Ctrl-C' },
} as const

export type Exit = keyof typeof exits

/** Aborts a command, with a message that says what to do. */
export class Stop extends Error {
  readonly exit: Exit

  constructor(exit: Exit, message: string) {
    super(message)
    this.exit = exit
  }
}

export const wrongUsage = (message: string): Stop => new Stop('usage', message)

/** The exit code for an SDK error. */
export function exitOf({ status }: ExchequerError): Exit {
  if (status === 401 || status === 403) return 'notAllowed'
  if (status === 400) return 'usage'
  return status === 0 || status === 429 || status >= 500 ? 'unreachable' : 'refused'
}

/** The error message for a person, and the exit code. */
export function failureOf(error: unknown): { readonly exit: Exit; readonly message: string } {
  if (error instanceof Stop) return { exit: error.exit, message: error.message }
  if (error instanceof ExchequerError) return { exit: exitOf(error), message: wordsOf(error) }
  if (error instanceof TypeError && error.message.startsWith('A member id'))
    return { exit: 'usage', message: error.message }
  if (error instanceof TypeError && error.message.startsWith('key has '))
    return {
      exit: 'usage',
      message: `The ${error.message}. Copy it again, without anything around it.`,
    }
  const { code, path } = error as NodeJS.ErrnoException
  const words = fileFaults[code ?? '']
  if (words && path) return { exit: 'usage', message: `${path}: ${words}.` }
  return { exit: 'fault', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

const fileFaults: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'no permission to read or write it',
  EISDIR: 'it is a folder, not a file',
  ENOSPC: 'no space left',
}

function wordsOf(error: ExchequerError): string {
  const { status, code, message, errors, requestId } = error
  const where = errors.filter(({ detail }) => !message.includes(detail))
  const lines = [message, ...where.map(({ pointer, detail }) => `  ${pointer}: ${detail}`)]
  const advice = adviceOf(status, code)
  if (advice) lines.push(advice)
  if (status >= 500 && requestId) lines.push(`Please report request ${requestId} to the operator.`)
  return lines.join('\n')
}

function adviceOf(status: number, code: string): string | undefined {
  if (status === 401) return 'Log in again: exchequer login'
  if (code === 'insufficient_scope')
    return 'Create a key with that scope: exchequer keys create --scopes LIST'
  if (status === 403) return 'A key works for its own realm only. Check yours: exchequer whoami'
  if (status === 0) return 'Check that the server runs and the URL is right: exchequer whoami'
  return undefined
}
