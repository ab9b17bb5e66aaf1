import { endpointCap } from '../../events/webhooks/index.ts'
import { gone, ok } from '../problem.ts'
import { numbered, pageAfter, pageBelow, pageByNumber, realmList } from '../route/list.ts'
import { realmRoute } from '../route/route.ts'
import { realmIdParam, secret, Type } from '../route/schemas.ts'
import { deliveryFields, seqField, settings, url, webhookFields, webhookId } from './webhookFields.ts'

const path = '/api/v4/realms/{realmID}/webhooks'
const onePath = `${path}/{webhookID}`
const params = { realmID: realmIdParam }
const oneParams = { ...params, webhookID: webhookId }
const answer = Type.Object(webhookFields, { title: 'Webhook' })
const withSecret = Type.Object(
  { ...webhookFields, secret: secret({ pattern: '^whsec_[A-Za-z0-9+/=]+$' }) },
  { title: 'WebhookWithSecret' },
)
const common = { tag: 'Webhooks', scope: 'realm:admin' } as const
const onlyOne = ['webhook_not_found'] as const

type Asked = { readonly caller: { readonly realm: number }; readonly params: { readonly webhookID: string } }

const atOf = ({ caller: { realm }, params: { webhookID } }: Asked) => ({ realm, number: Number(webhookID) })

const create = realmRoute(
  {
    ...common,
    operationId: 'createWebhook',
    methods: ['POST'],
    path,
    summary: 'Create a webhook',
    description:
      'Events are sent to `url` from now on, or from the entry `from` on, signed as Standard Webhooks ' +
      `describes: see docs/webhooks.md. A realm has at most ${endpointCap}.`,
    params,
    writes: true,
    body: Type.Object(
      {
        url,
        ...settings,
        from: Type.Optional(seqField('The first entry to send. When omitted, the next one that is posted.')),
      },
      { description: 'A JSON object with the webhook’s URL.' },
    ),
    bodyRequired: true,
    creates: onePath,
    answer: withSecret,
    refusals: ['point_not_found', 'webhook_limit'],
  },
  async ({ caller, body, by }, { webhooks }) => {
    const { from, ...given } = body
    const first = from === undefined ? undefined : BigInt(from)
    return ok(await webhooks.create(caller.realm, { ...given, from: first }, by()))
  },
)

const list = realmList(
  {
    ...common,
    operationId: 'listWebhooks',
    path,
    summary: 'List webhooks',
    description: 'In the order they were created, without their secrets.',
    params,
    item: answer,
  },
  numbered,
  async ({ caller }, { webhooks }, asked) =>
    pageByNumber(await webhooks.list(caller.realm, pageAfter(asked)), asked),
)

const get = realmRoute(
  {
    ...common,
    operationId: 'getWebhook',
    methods: ['GET'],
    path: onePath,
    summary: 'Read a webhook',
    params: oneParams,
    writes: false,
    answer,
    refusals: onlyOne,
  },
  async (request, { webhooks }) => ok(await webhooks.get(atOf(request))),
)

const change = realmRoute(
  {
    ...common,
    operationId: 'updateWebhook',
    methods: ['PATCH'],
    path: onePath,
    summary: 'Change a webhook',
    description:
      'Other `types` apply from the webhook’s present position on, other `thresholds` from the next entry ' +
      'on. `state` disables a webhook, or makes it active again, where it stopped.',
    params: oneParams,
    writes: true,
    body: Type.Object(
      {
        url: Type.Optional(url),
        ...settings,
        state: Type.Optional(
          Type.Union([Type.Literal('active'), Type.Literal('disabled')], {
            description: '`active` or `disabled`.',
          }),
        ),
      },
      { description: 'A JSON object with the fields to change.' },
    ),
    answer,
    refusals: [...onlyOne, 'point_not_found'],
  },
  async (request, { webhooks }) => ok(await webhooks.change(atOf(request), request.body, request.by())),
)

const remove = realmRoute(
  {
    ...common,
    operationId: 'deleteWebhook',
    methods: ['DELETE'],
    path: onePath,
    summary: 'Delete a webhook',
    description: 'With its deliveries and the events that wait for another attempt.',
    params: oneParams,
    writes: true,
    deletes: true,
    refusals: onlyOne,
  },
  async (request, { webhooks }) => {
    await webhooks.remove(atOf(request), request.by())
    return gone
  },
)

const test = realmRoute(
  {
    ...common,
    operationId: 'testWebhook',
    methods: ['POST'],
    path: `${onePath}/test`,
    summary: 'Send a test event',
    description:
      'Sends an event of type `endpoint.test` at once, whatever the state of the webhook, and returns the ' +
      'response to it.',
    params: oneParams,
    writes: true,
    answer: Type.Object(
      {
        eventId: deliveryFields.eventId,
        status: deliveryFields.status,
        durationMs: deliveryFields.durationMs,
        error: deliveryFields.error,
        answer: deliveryFields.answer,
      },
      { title: 'TestDelivery' },
    ),
    refusals: onlyOne,
  },
  async (request, { webhooks }) => {
    const by = request.by()
    const sent = await webhooks.test(atOf(request), { realmId: request.params.realmID, by })
    const { eventId, status = null, durationMs, error = null, answer: response = null } = sent
    return ok({ eventId, status, durationMs, error, answer: response })
  },
)

const replay = realmRoute(
  {
    ...common,
    operationId: 'replayWebhook',
    methods: ['POST'],
    path: `${onePath}/replay`,
    summary: 'Send entries again',
    description:
      'Sends the events of the entries from `from` up to `to`, which is not sent, with the same ids and ' +
      'the header `webhook-replay: true`, beside new events. Notices after these entries are sent again ' +
      'before them, as long as they are stored. One replay at a time; `replay` shows how far it is.',
    params: oneParams,
    writes: true,
    body: Type.Object(
      { from: seqField('The first entry to send.'), to: seqField('The first entry not to send.') },
      { description: 'A JSON object with `from` and `to`.' },
    ),
    bodyRequired: true,
    answer,
    refusals: [...onlyOne, 'replay_running'],
  },
  async (request, { webhooks }) => {
    const { from, to } = request.body
    const range = { from: BigInt(from), to: BigInt(to) }
    return ok(await webhooks.replay(atOf(request), range, request.by()))
  },
)

const skip = realmRoute(
  {
    ...common,
    operationId: 'skipWebhookEvent',
    methods: ['POST'],
    path: `${onePath}/skip`,
    summary: 'Skip the event that can’t be delivered',
    description: 'Takes the event in `blockedEventId` as delivered, and goes on with the next one.',
    params: oneParams,
    writes: true,
    answer,
    refusals: [...onlyOne, 'nothing_to_skip'],
  },
  async (request, { webhooks }) => ok(await webhooks.skip(atOf(request), request.by())),
)

const longestOverlap = 7 * 86_400
const usualOverlap = 86_400

const rotate = realmRoute(
  {
    ...common,
    operationId: 'rotateWebhookSecret',
    methods: ['POST'],
    path: `${onePath}/rotate-secret`,
    summary: 'Replace a webhook’s secret',
    description: 'For the overlap, every event has two signatures: with the new secret and with the old one.',
    params: oneParams,
    writes: true,
    body: Type.Object(
      {
        overlapSeconds: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: longestOverlap,
            description: `Seconds, from 0 to ${longestOverlap}; ${usualOverlap} by default.`,
          }),
        ),
      },
      { description: 'A JSON object, which may be empty.' },
    ),
    answer: withSecret,
    refusals: onlyOne,
  },
  async (request, { webhooks }) => {
    const overlap = request.body?.overlapSeconds ?? usualOverlap
    return ok(await webhooks.rotate(atOf(request), overlap, request.by()))
  },
)

const deliveries = realmList(
  {
    ...common,
    operationId: 'listWebhookDeliveries',
    path: `${onePath}/deliveries`,
    summary: 'List a webhook’s deliveries',
    description: 'Every attempt of the last 7 days, newest first; the last 1,000 of each webhook.',
    params: oneParams,
    item: Type.Object(deliveryFields, { title: 'WebhookDelivery' }),
    refusals: onlyOne,
  },
  numbered,
  async (request, { webhooks }, asked) =>
    pageByNumber(await webhooks.deliveries(atOf(request), pageBelow(asked)), asked),
)

export const webhookRoutes = [create, list, get, change, remove, test, replay, skip, rotate, deliveries]
