import { type OnceOptions, onceOf } from './change.ts'
import { List, type ListOptions } from './list.ts'
import { type AnswerOf, type BodyOf, type CallOptions, type Shown, sentAs } from './routes.ts'
import type { Transport } from './transport.ts'

export type WebhookPage = AnswerOf<'GET /webhooks'>
export type WebhookData = WebhookPage['data'][number]
export type NewWebhook = BodyOf<'POST /webhooks'>
export type WebhookChange = BodyOf<'PATCH /webhooks/{webhookID}'>
/** A type of event that a webhook can select. */
export type WebhookType = NonNullable<NewWebhook['types']>[number]
/** `secret` is only in this response. */
export type WebhookWithSecret = Shown<AnswerOf<'POST /webhooks'>, 'secret'>
export type WebhookRotation = BodyOf<'POST /webhooks/{webhookID}/rotate-secret'>
export type ReplayRange = BodyOf<'POST /webhooks/{webhookID}/replay'>
export type TestDelivery = AnswerOf<'POST /webhooks/{webhookID}/test'>
export type DeliveryPage = AnswerOf<'GET /webhooks/{webhookID}/deliveries'>
export type DeliveryData = DeliveryPage['data'][number]

/** The server waits 15 seconds for the receiver's response. */
const testMs = 20_000

/** The webhooks of a realm: where its events are sent. */
export class Webhooks {
  readonly #transport: Transport
  readonly #path: string

  constructor(transport: Transport, base: string) {
    this.#transport = transport
    this.#path = `${base}/webhooks`
  }

  /**
   * All of them, with their state and how far behind they are.
   *
   * @example
   * ```ts
   * for await (const { id, url, state, behind } of realm.webhooks.list()) console.log(id, url, state, behind)
   * ```
   */
  list(options: ListOptions = {}): List<WebhookPage> {
    return new List(this.#transport, this.#path, options)
  }

  /**
   * Creates a webhook. Its secret is only in this response. Not retried when the response is lost: check the
   * list, and remove what you don't recognise.
   *
   * @example
   * ```ts
   * const webhook = { url: 'https://shop.example.com/events', types: ['points.transferred'] }
   * const { id, secret } = await realm.webhooks.create(webhook)
   * ```
   */
  create(webhook: NewWebhook, options: CallOptions = {}): Promise<WebhookWithSecret> {
    return this.#transport.send({ method: 'POST', path: this.#path, body: webhook, ...sentAs(options) })
  }

  /**
   * One webhook, without its secret.
   *
   * @example
   * ```ts
   * const { state, behind, failingSince } = await realm.webhooks.get(webhookId)
   * ```
   */
  get(id: string, options: CallOptions = {}): Promise<WebhookData> {
    return this.#transport.send({ method: 'GET', path: this.#at(id), ...sentAs(options) })
  }

  /**
   * Changes its settings, or its state: `active` continues a disabled one where it stopped.
   *
   * @example
   * ```ts
   * await realm.webhooks.change(webhookId, { description: 'the shop', state: 'active' })
   * ```
   */
  change(id: string, change: WebhookChange, options: OnceOptions = {}): Promise<WebhookData> {
    return this.#transport.send({ method: 'PATCH', path: this.#at(id), body: change, ...onceOf(options) })
  }

  /**
   * Deletes a webhook, with its deliveries and the events that wait for another attempt.
   *
   * @example
   * ```ts
   * const { id } = await realm.webhooks.create({ url: 'https://old.example.com/events' })
   * await realm.webhooks.remove(id)
   * ```
   */
  async remove(id: string, options: CallOptions = {}): Promise<void> {
    const doneBy = { code: 'webhook_not_found', value: undefined }
    await this.#transport.send({ method: 'DELETE', path: this.#at(id), doneBy, ...sentAs(options) })
  }

  /**
   * Sends a test event, and returns the receiver's response.
   *
   * @example
   * ```ts
   * const { status, durationMs, error } = await realm.webhooks.test(webhookId)
   * ```
   */
  test(id: string, options: OnceOptions = {}): Promise<TestDelivery> {
    const path = `${this.#at(id)}/test`
    return this.#transport.send({ method: 'POST', path, ...onceOf({ timeoutMs: testMs, ...options }) })
  }

  /**
   * Sends the events of entries again: from `from` up to `to`, which is not sent.
   *
   * @example
   * ```ts
   * const { replay } = await realm.webhooks.replay(webhookId, { from: '1', to: '2' })
   * ```
   */
  replay(id: string, body: ReplayRange, options: OnceOptions = {}): Promise<WebhookData> {
    const path = `${this.#at(id)}/replay`
    return this.#transport.send({ method: 'POST', path, body, ...onceOf(options) })
  }

  /**
   * Skips the event that keeps an ordered webhook from sending the next one.
   *
   * @example
   * ```ts
   * const { blockedEventId } = await realm.webhooks.get(webhookId)
   * if (blockedEventId) await realm.webhooks.skip(webhookId)
   * ```
   */
  skip(id: string, options: OnceOptions = {}): Promise<WebhookData> {
    const path = `${this.#at(id)}/skip`
    return this.#transport.send({ method: 'POST', path, ...onceOf(options) })
  }

  /**
   * Replaces the secret. Events have two signatures for a day, or for `overlapSeconds`.
   *
   * @example
   * ```ts
   * const { secret } = await realm.webhooks.rotateSecret(webhookId, { overlapSeconds: 3600 })
   * ```
   */
  rotateSecret(
    id: string,
    body: WebhookRotation = {},
    options: CallOptions = {},
  ): Promise<WebhookWithSecret> {
    const path = `${this.#at(id)}/rotate-secret`
    return this.#transport.send({ method: 'POST', path, body, ...sentAs(options) })
  }

  /**
   * Every attempt of the last 7 days, newest first, at most 1,000.
   *
   * @example
   * ```ts
   * for await (const { eventId, status, error } of realm.webhooks.deliveries(webhookId)) console.log(eventId, status)
   * ```
   */
  deliveries(id: string, options: ListOptions = {}): List<DeliveryPage> {
    return new List(this.#transport, `${this.#at(id)}/deliveries`, options)
  }

  #at(id: string): string {
    return `${this.#path}/${encodeURIComponent(id)}`
  }
}
