import type { ReadStream, WriteStream } from 'node:tty'

/** Where a command reads and writes. */
export type Terminal = {
  readonly stdin: NodeJS.ReadStream | ReadStream
  readonly stdout: NodeJS.WriteStream | WriteStream
  readonly stderr: NodeJS.WriteStream | WriteStream
  readonly env: NodeJS.ProcessEnv
}

/** Colours only on a terminal, and not with NO_COLOR. */
export function inColour(stream: Terminal['stdout'], env: NodeJS.ProcessEnv): boolean {
  if (env['NO_COLOR']) return false
  return stream.isTTY === true && env['TERM'] !== 'dumb'
}

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], cyan: [36, 39] } as const
export type Style = keyof typeof codes
export type Paint = (style: Style, text: string) => string

export const plain: Paint = (_style, text) => text
export const painted: Paint = (style, text) => {
  const [on, off] = codes[style]
  return text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`
}

/**
 * Untrusted text, safe to print: characters that would move the cursor, change colours or the writing
 * direction become a middle dot.
 */
export const harmless = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '·')
