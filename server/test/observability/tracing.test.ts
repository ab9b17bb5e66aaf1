import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node'
import { call } from '../../../tests/support/call.ts'
import { rich } from '../../../tests/support/fixture.ts'
import { heldBack } from '../../../tests/support/hold.ts'
import { suite } from '../../../tests/support/suite.ts'

/** A real SDK, loaded before the server as an operator would. */
const exporter = new InMemorySpanExporter()
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
provider.register()
after(async () => {
  await provider.shutdown()
  for (const api of [trace, context, propagation]) api.disable()
})
const made = suite()

const route = '/api/v4/realms/{realmID}/members/{memberID}/tokenBalance'
const award = (tokens: number, headers = {}) =>
  call('PATCH', `${made.app.url}/api/v4/realms/${made.fixture.realm.id}/members/${rich}/tokenBalance`, {
    key: made.fixture.realm.key,
    headers,
    body: { tokens },
  })
const spansOf = (requestId: unknown): ReadableSpan[] =>
  exporter.getFinishedSpans().filter(({ attributes }) => attributes['exchequer.request_id'] === requestId)

/** The span of the request with this response. */
function spanOf({ headers }: { headers: Record<string, unknown> }): ReadableSpan {
  const [span, ...more] = spansOf(headers['x-request-id'])
  assert.ok(span)
  assert.equal(more.length, 0)
  return span
}

describe('a request', () => {
  it('is one span, named by its route, with its realm and its status', async () => {
    const span = spanOf(await award(1))
    assert.equal(span.name, `PATCH ${route}`)
    assert.equal(span.kind, SpanKind.SERVER)
    assert.equal(span.parentSpanContext, undefined)
    const { 'exchequer.request_id': _, ...attributes } = span.attributes
    assert.deepEqual(attributes, {
      'http.request.method': 'PATCH',
      'http.response.status_code': 200,
      'http.route': route,
      'exchequer.realm': made.fixture.realm.id,
    })
  })

  it('that is rejected has the error code, and is not marked as a server error', async () => {
    const span = spanOf(await award(-1e12))
    assert.equal(span.attributes['exchequer.code'], 'insufficient_points')
    assert.equal(span.status.code, SpanStatusCode.UNSET)
    const stranger = spanOf(await call('GET', `${made.app.url}/amber?amber=1`))
    assert.equal(stranger.name, 'GET')
    assert.ok(!JSON.stringify(stranger.attributes).includes('amber'))
  })

  it('belongs to the trace of its traceparent', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const parent = 'b7ad6b7169203331'
    const span = spanOf(await award(1, { traceparent: `00-${traceId}-${parent}-01` }))
    assert.equal(span.spanContext().traceId, traceId)
    assert.equal(span.parentSpanContext?.spanId, parent)
    const own = spanOf(await award(1, { traceparent: 'amber' }))
    assert.notEqual(own.spanContext().traceId, traceId)
  })
})

describe('a batch', () => {
  it('is one span with a link to each request in it', async () => {
    exporter.reset()
    const answers = await heldBack(made.database, [() => award(1), () => award(2), () => award(3)])
    const requests = answers.map((answer) => spanOf(answer).spanContext().spanId)
    const batches = exporter.getFinishedSpans().filter(({ name }) => name === 'batch')
    const committed = batches.filter(({ attributes }) => attributes['exchequer.batch.end'] === 'committed')
    const linked = committed.flatMap(({ links }) => links.map((link) => link.context.spanId))
    for (const id of requests) assert.ok(linked.includes(id))
    assert.ok(committed.some(({ links }) => links.length > 1))
    for (const { links, attributes, parentSpanContext } of committed) {
      assert.equal(links.length, attributes['exchequer.batch.commands'])
      assert.equal(parentSpanContext, undefined)
    }
  })
})
