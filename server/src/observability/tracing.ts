import type { IncomingMessage } from 'node:http'
import {
  type Attributes,
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { RequestOutcome, Trail } from '../http/visit.ts'
import type { BatchEnd, BatchPath, Pending } from '../ledger/index.ts'

/** Requests that one batch is linked to, at most: the default limit of SDKs. */
const linkCap = 128

/**
 * Spans, if an OpenTelemetry SDK was loaded before us: one for each request, one for each transaction of a
 * lane, linked to its requests.
 */
export class Tracing {
  readonly #tracer: Tracer

  private constructor(tracer: Tracer) {
    this.#tracer = tracer
  }

  /** Undefined without an SDK: then tracing costs nothing. */
  static open(version: string): Tracing | undefined {
    const tracer = trace.getTracer('exchequer', version)
    const probe = tracer.startSpan('probe', { root: true })
    return isSpanContextValid(probe.spanContext()) ? new Tracing(tracer) : undefined
  }

  /** A part of the trace that its `traceparent` names, if any. */
  request({ method = '', headers }: IncomingMessage): Trail {
    const from = propagation.extract(ROOT_CONTEXT, headers)
    const span = this.#tracer.startSpan(method, { kind: SpanKind.SERVER }, from)
    const here = trace.setSpan(from, span)
    return {
      within: (work) => context.with(here, work),
      end: (answered) => endRequest(span, answered),
    }
  }

  /** The active span. */
  here(): SpanContext | undefined {
    return trace.getActiveSpan()?.spanContext()
  }

  batch(pendings: readonly Pending[], path: BatchPath): (end: BatchEnd) => void {
    const links = pendings
      .flatMap(({ origin }) => (origin ? [{ context: origin as SpanContext }] : []))
      .slice(0, linkCap)
    const attributes = { 'exchequer.batch.path': path, 'exchequer.batch.commands': pendings.length }
    const span = this.#tracer.startSpan('batch', { root: true, links, attributes })
    return (end) => {
      span.setAttribute('exchequer.batch.end', end)
      if (end === 'failed' || end === 'unknown') span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    }
  }
}

function endRequest(span: Span, { visit, method, status, refused }: RequestOutcome): void {
  const { route, realmId, requestId } = visit
  if (route !== undefined) span.updateName(`${method} ${route}`)
  const attributes: Attributes = {
    'http.request.method': method,
    'http.response.status_code': status,
    'exchequer.request_id': requestId,
    ...(route === undefined ? {} : { 'http.route': route }),
    ...(realmId === undefined ? {} : { 'exchequer.realm': realmId }),
    ...(refused[0] === undefined ? {} : { 'exchequer.code': refused[0] }),
  }
  span.setAttributes(attributes)
  // A refusal is an answer; only server errors are errors of the span.
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}
