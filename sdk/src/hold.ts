import { type ChangeOptions, callOf } from './change.ts'
import { type AnswerOf, type CallOptions, sentAs } from './routes.ts'
import type { Transport } from './transport.ts'

export type CaptureResult = AnswerOf<'POST /holds/{holdID}/capture'>
export type ReleaseResult = AnswerOf<'POST /holds/{holdID}/release'>

export type HoldOptions = ChangeOptions & {
  /** Seconds until the hold expires; 900 by default. */
  readonly expiresIn?: number
  /** When the hold expires; instead of `expiresIn`. */
  readonly expiresAt?: Date | string
}
export type EndOptions = Omit<ChangeOptions, 'realmPointId'>
export type CaptureOptions = EndOptions & {
  /** A part of the held points; the rest is released. */
  readonly tokens?: number
}

export type HoldPage = AnswerOf<'GET /holds'>
export type HoldData = AnswerOf<'GET /holds/{holdID}'>

/** A hold: reserved points. */
export class Hold {
  readonly id: string
  readonly #transport: Transport
  readonly #path: string

  constructor(transport: Transport, base: string, id: string) {
    this.id = id
    this.#transport = transport
    this.#path = `${base}/holds/${encodeURIComponent(id)}`
  }

  /**
   * Reads the hold: its amount, its expiry, and whether it is open or how it ended.
   *
   * @example
   * ```ts
   * const { id } = await realm.member('1190194345295482952').hold(10)
   * const { status, expiresAt } = await realm.hold(id).get()
   * ```
   */
  get(options: CallOptions = {}): Promise<HoldData> {
    return this.#transport.send({ method: 'GET', path: this.#path, ...sentAs(options) })
  }

  /**
   * Captures the hold, or a part of it.
   *
   * @example
   * ```ts
   * const hold = await realm.member('1190194345295482952').hold(10)
   * const { captured } = await hold.capture()
   * ```
   */
  capture({ tokens, ...options }: CaptureOptions = {}): Promise<CaptureResult> {
    const { said, call } = callOf(options)
    const body = { ...(tokens === undefined ? {} : { tokens }), ...said }
    return this.#transport.send({ method: 'POST', path: `${this.#path}/capture`, body, ...call })
  }

  /**
   * Releases the hold.
   *
   * @example
   * ```ts
   * const hold = await realm.member('1190194345295482952').hold(10)
   * await hold.release()
   * ```
   */
  release(options: EndOptions = {}): Promise<ReleaseResult> {
    const { said, call } = callOf(options)
    return this.#transport.send({ method: 'POST', path: `${this.#path}/release`, body: said, ...call })
  }
}

/** A new hold, with the server's response. */
export class NewHold extends Hold {
  readonly data: AnswerOf<'POST /members/{memberID}/holds'>

  constructor(transport: Transport, base: string, data: NewHold['data']) {
    super(transport, base, data.holdId)
    this.data = data
  }
}
