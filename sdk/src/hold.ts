import { type ChangeOptions, callOf } from './change.ts'
import type { Transport } from './transport.ts'
import type { RealmOperations } from './types.ts'

export type Captured = RealmOperations['POST /holds/{holdID}/capture']['answer']
export type Released = RealmOperations['POST /holds/{holdID}/release']['answer']

export type HoldOptions = Omit<ChangeOptions, 'ifMatch'> & {
  /** Seconds until the points are the member's again; 900 when left out. */
  readonly expiresIn?: number
}
export type EndOptions = Omit<ChangeOptions, 'ifMatch' | 'realmPointId'>
export type CaptureOptions = EndOptions & {
  /** A part of what is held; the rest is the member's again. */
  readonly tokens?: number
}

/** Points that are reserved. */
export class Hold {
  readonly data: RealmOperations['POST /members/{memberID}/holds']['answer']
  readonly #transport: Transport
  readonly #path: string

  constructor(transport: Transport, base: string, data: Hold['data']) {
    this.data = data
    this.#transport = transport
    this.#path = `${base}/holds/${data.holdId}`
  }

  get id(): string {
    return this.data.holdId
  }

  /**
   * Spends what is held, or a part of it.
   *
   * @example
   * ```ts
   * const hold = await realm.member('1190194345295482952').hold(10)
   * const { captured } = await hold.capture()
   * ```
   */
  capture({ tokens, ...options }: CaptureOptions = {}): Promise<Captured> {
    const { said, call } = callOf(options)
    const body = { ...(tokens === undefined ? {} : { tokens }), ...said }
    return this.#transport.send({ method: 'POST', path: `${this.#path}/capture`, body, ...call })
  }

  /**
   * Gives back what is held.
   *
   * @example
   * ```ts
   * const hold = await realm.member('1190194345295482952').hold(10)
   * await hold.release()
   * ```
   */
  release(options: EndOptions = {}): Promise<Released> {
    const { said, call } = callOf(options)
    return this.#transport.send({ method: 'POST', path: `${this.#path}/release`, body: said, ...call })
  }
}
