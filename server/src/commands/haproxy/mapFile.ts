import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import type { Places } from './places.ts'

const chunkChars = 1_000_000
/** After a write it rests so many times as long as the write took: a million realms take a while. */
const restFactor = 3

/** A line for each realm outside of cell 0: its id, and its cell's backend. */
async function writeLines(handle: FileHandle, places: Places, prefix: string): Promise<void> {
  let text = '# Written by exchequer-server haproxy-map. Realms that are not here are in cell 0.\n'
  for (const [id, cell] of places.entries()) {
    text += `${id} ${prefix}${cell}\n`
    if (text.length < chunkChars) continue
    await handle.write(text)
    text = ''
  }
  await handle.write(text)
}

/** Replaces the file in one step: HAProxy may read it at any moment. */
export async function writeMapFile(file: string, places: Places, prefix: string): Promise<void> {
  const temporary = `${file}.${process.pid}.new`
  try {
    const handle = await open(temporary, 'w', 0o644)
    try {
      await writeLines(handle, places, prefix)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

export class MapFile {
  readonly #file: string
  readonly #prefix: string
  #version: number | undefined
  #restUntilMs = 0

  constructor(file: string, prefix: string) {
    this.#file = file
    this.#prefix = prefix
  }

  /** Writes what changed; returns whether the file has everything. */
  async update(places: Places): Promise<boolean> {
    if (this.#version === places.version) return true
    const startedMs = performance.now()
    if (startedMs < this.#restUntilMs) return false
    const { version } = places
    await writeMapFile(this.#file, places, this.#prefix)
    this.#version = version
    this.#restUntilMs = performance.now() + restFactor * (performance.now() - startedMs)
    return true
  }
}
