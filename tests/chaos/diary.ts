import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createInterface } from 'node:readline'

/**
 * A requested change. `amount` is unique in a run, so that it identifies the request of an entry, without
 * trusting what the server stores about the request.
 */
export type Change = {
  readonly id: number
  readonly realm: string
  readonly member: string
  /** Makes it a transfer. */
  readonly to: string | undefined
  /** Negative deducts points. */
  readonly amount: number
  /** Sent with an Idempotency-Key, and so repeated until its outcome is known. */
  readonly keyed: boolean
}

/** The response. Status 0 is a broken connection or a missing response. */
export type Answer = { readonly status: number; readonly code: string; readonly body: string }

export type Line =
  | { readonly ask: Change }
  | { readonly got: Answer; readonly id: number; readonly attempt: number }

/** The client's record of a run: on disk before a request is sent, and after its response arrived. */
export class Diary {
  readonly #file: FileHandle
  #waiting: { text: string; written: () => void; failed: (error: unknown) => void }[] = []
  #writing = false

  private constructor(file: FileHandle) {
    this.#file = file
  }

  static async open(path: string): Promise<Diary> {
    return new Diary(await open(path, 'wx'))
  }

  /** Resolves when the line is durable. All waiting lines are synced together. */
  write(line: Line): Promise<void> {
    return new Promise((written, failed) => {
      this.#waiting.push({ text: `${JSON.stringify(line)}\n`, written, failed })
      if (!this.#writing) void this.#run()
    })
  }

  async close(): Promise<void> {
    await this.#file.close()
  }

  async #run(): Promise<void> {
    this.#writing = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0)
      try {
        await this.#file.appendFile(batch.map(({ text }) => text).join(''))
        await this.#file.datasync()
        for (const { written } of batch) written()
      } catch (error) {
        for (const { failed } of batch) failed(error)
      }
    }
    this.#writing = false
  }
}

/** A request and all its responses. */
export type DiaryEntry = { readonly change: Change; readonly answers: Answer[] }

export async function readDiary(path: string): Promise<Map<number, DiaryEntry>> {
  const entries = new Map<number, DiaryEntry>()
  for await (const text of createInterface({ input: createReadStream(path) })) {
    const line = JSON.parse(text) as Line
    if ('ask' in line) entries.set(line.ask.id, { change: line.ask, answers: [] })
    else entries.get(line.id)?.answers.push(line.got)
  }
  return entries
}

/** A definite response: done, or rejected permanently. */
export const isDefinite = ({ status }: Answer): boolean => status === 200 || (status >= 400 && status < 500)

/** The server says that nothing was changed. Without an Idempotency-Key this is about the only attempt. */
export const isTurnedAway = ({ status, code }: Answer): boolean =>
  status === 503 && ['unavailable', 'overloaded', 'wrong_cell'].includes(code)

export type Fate = 'done' | 'refused' | 'unknown'

export function fateOf({ change, answers }: DiaryEntry): Fate {
  const definite = answers.find(isDefinite)
  if (definite) return definite.status === 200 ? 'done' : 'refused'
  const [only] = answers
  return !change.keyed && only && isTurnedAway(only) ? 'refused' : 'unknown'
}
