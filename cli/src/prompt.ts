import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Stop } from './exits.ts'
import type { Terminal } from './terminal.ts'

const isPerson = ({ stdin, stderr }: Terminal): boolean => stdin.isTTY === true && stderr.isTTY === true

/** Prompts on stderr; undefined when there is no terminal. */
export async function ask(terminal: Terminal, question: string): Promise<string | undefined> {
  if (!isPerson(terminal)) return undefined
  return asked(terminal, question, terminal.stderr)
}

/** The same, without echoing the input. */
export async function askHidden(terminal: Terminal, question: string): Promise<string | undefined> {
  if (!isPerson(terminal)) return undefined
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  try {
    return await asked(terminal, question, nowhere)
  } finally {
    terminal.stderr.write('\n')
  }
}

async function asked(terminal: Terminal, question: string, output: NodeJS.WritableStream): Promise<string> {
  const { stdin, stderr } = terminal
  const lines = createInterface({ input: stdin, output, terminal: true, historySize: 0 })
  // Asked only now: the terminal echoes input until readline has taken over.
  if (output !== stderr) stderr.write(question)
  const stopped = new AbortController()
  lines.once('SIGINT', () => stopped.abort())
  lines.once('close', () => stopped.abort())
  try {
    return (await lines.question(question, { signal: stopped.signal })).trim()
  } catch {
    throw new Stop('interrupted', 'Stopped. Nothing was done.')
  } finally {
    lines.close()
  }
}

/** Reads all of a piped stdin. */
export async function readAll(stdin: Terminal['stdin'], cap: number): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stdin) {
    chunks.push(chunk as Buffer)
    length += (chunk as Buffer).length
    if (length > cap) throw new Stop('usage', `More than ${cap} bytes came in.`)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Continues when the user confirms or --yes was given; without a terminal it stops. */
export async function confirm(terminal: Terminal, what: string, yes: true | undefined): Promise<void> {
  if (yes) return
  const answer = await ask(terminal, `${what}\nContinue? [y/N] `)
  if (answer === undefined)
    throw new Stop('notConfirmed', `${what}\nThere is no terminal to ask at: give --yes to confirm.`)
  if (!/^y(es)?$/i.test(answer)) throw new Stop('notConfirmed', 'Nothing was done.')
}
