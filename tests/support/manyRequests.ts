import { once } from 'node:events'
import { connect } from 'node:net'
import { isMainThread, Worker, workerData } from 'node:worker_threads'

/** Requests over kept connections, each after the answer to the one before. */
export type ManyRequests = {
  readonly url: string
  /** The whole text of a request; `%n` is replaced by a number that no other request has. */
  readonly request: string
  readonly count: number
  readonly connections: number
}

/** Sends them from another thread, so that this one only serves. Fails unless all are answered 200. */
export async function sendMany(many: ManyRequests): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { workerData: many })
  const [code] = (await once(worker, 'exit')) as [number]
  if (code !== 0) throw new Error('the requests were not all answered 200')
}

/** Until the body that the head announces has arrived. */
const isWhole = (text: string): boolean => {
  const end = text.indexOf('\r\n\r\n')
  const length = Number(/content-length: (\d+)/i.exec(text)?.[1])
  return end >= 0 && Buffer.byteLength(text.slice(end + 4)) >= length
}

async function run({ url, request, count, connections }: ManyRequests): Promise<void> {
  const { hostname, port } = new URL(url)
  let left = count
  const one = async (): Promise<void> => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    await once(socket, 'connect')
    while (left > 0) {
      const number = left--
      socket.write(request.replaceAll('%n', String(number)))
      let text = ''
      while (!isWhole(text)) text += String((await once(socket, 'data'))[0])
      if (!text.startsWith('HTTP/1.1 200 ')) throw new Error(text)
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: connections }, one))
}

if (!isMainThread && workerData && 'connections' in workerData) await run(workerData as ManyRequests)
