import type { Abortable, AnswerOf } from './routes.ts'
import { signalOf } from './routes.ts'
import type { Transport } from './transport.ts'

export type Act = AnswerOf<'GET /audit'>['acts'][number]

export type AuditOptions = Abortable & {
  /** Only acts before the one with this id. */
  readonly before?: string
}

/** The acts of a log, the newest first. */
export async function* acts(
  transport: Transport,
  path: string,
  { before, ...options }: AuditOptions,
): AsyncGenerator<Act> {
  for (let last = before; ; ) {
    const page: AnswerOf<'GET /audit'> = await transport.send({
      method: 'GET',
      path,
      query: { before: last },
      ...signalOf(options),
    })
    yield* page.acts
    last = page.acts.at(-1)?.id
    if (last === undefined) return
  }
}
