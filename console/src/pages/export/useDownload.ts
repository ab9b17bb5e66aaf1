import type { ExportName, Realm } from '@exchequer/sdk'
import { useState } from 'react'
import { useRealm } from '../../realm.tsx'
import { saveFile } from '../../save.ts'
import { useStopper } from '../../stopper.ts'

type Size = { readonly lines: number; readonly bytes: number; readonly seq: string }

/** Progress of a download. */
export type Download =
  | { readonly state: 'idle' }
  | ({ readonly state: 'running' | 'done' } & Size)
  | { readonly state: 'failed'; readonly error: unknown; readonly cut: boolean }

const idle: Download = { state: 'idle' }
const newline = 10
/** Interval between progress updates. */
const reportEveryMs = 100

/** Downloads one file and reports progress. Leaving the page cancels it. */
export function useDownload(name: ExportName) {
  const { id, client } = useRealm()
  const [download, setDownload] = useState<Download>(idle)
  const { begin, stop } = useStopper()
  const start = async () => {
    const signal = begin()
    setDownload({ state: 'running', lines: 0, bytes: 0, seq: '' })
    try {
      const { parts, ...size } = await readAll(client, { name, signal }, setDownload)
      saveFile(`${id}-${new Date().toISOString().slice(0, 10)}-${name}`, parts, typeOf(name))
      setDownload({ state: 'done', ...size })
    } catch (error) {
      setDownload(signal.aborted ? idle : { state: 'failed', error, cut: error instanceof CutOff })
    }
  }
  return { download, start: () => void start(), stop }
}

const typeOf = (name: ExportName): string => (name.endsWith('.csv') ? 'text/csv' : 'application/x-ndjson')

class CutOff extends Error {}

type Asked = { readonly name: ExportName; readonly signal: AbortSignal }
type OnProgress = (download: Download) => void

async function readAll(client: Realm, { name, signal }: Asked, onProgress: OnProgress) {
  const { stream, seq = '' } = await client.export(name, { signal })
  const reader = stream.getReader()
  const parts: BlobPart[] = []
  let lines = 0
  let bytes = 0
  let reportedAt = 0
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      parts.push(read.value as Uint8Array<ArrayBuffer>)
      bytes += read.value.length
      for (const byte of read.value) if (byte === newline) lines += 1
      if (Date.now() - reportedAt < reportEveryMs) continue
      reportedAt = Date.now()
      onProgress({ state: 'running', lines, bytes, seq })
    }
  } catch (cause) {
    throw new CutOff('cut off', { cause })
  }
  return { parts, lines, bytes, seq }
}
