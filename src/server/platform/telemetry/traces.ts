import type { Span as OtelSpan } from '@opentelemetry/api'
import type { Log } from '../log.ts'
import type { Work } from './telemetry-port.ts'

export type Span = OtelSpan

/** Sends spans to a collector. Their context stays inside this process. */
export type Traces = {
  begin(work: Work, parent: Span | undefined): Span
  end(span: Span, outcome: string, isFine: boolean): void
  close(): Promise<void>
}

type Options = { endpoint: string; headers: Record<string, string>; name: string; log: Log }

/** Timeout for the last spans when the server stops. */
const CLOSE_MS = 3_000
/** Minimum time between two warnings about an unreachable collector. */
const WARN_EVERY_MS = 60_000

/** Opens an exporter to a collector that accepts OTLP as JSON over HTTP. */
export async function openTraces({ endpoint, headers, name, log }: Options): Promise<Traces> {
  const [api, sdk, { resourceFromAttributes }, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces`, headers })
  const processor = new sdk.BatchSpanProcessor({ exporter: warnOnFailure(exporter, log) })
  const resource = resourceFromAttributes({ 'service.name': name })
  const provider = new sdk.TracerProvider({ resource, spanProcessors: [processor] })
  const tracer = provider.getTracer('atrium')
  const kinds = { request: SpanKind.SERVER, model_call: SpanKind.CLIENT } as const
  return {
    begin: ({ kind, name: what, labels }, parent) => {
      const attributes = Object.fromEntries(
        Object.entries(labels).map(([label, value]) => [`atrium.${label}`, value]),
      )
      const within = parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT
      const isNamed = kind === 'request' || kind === 'model_call'
      const spanKind = isNamed ? kinds[kind] : SpanKind.INTERNAL
      return tracer.startSpan(`${kind} ${what}`, { kind: spanKind, attributes }, within)
    },
    end: (span, outcome, isFine) => {
      span.setAttribute('atrium.outcome', outcome)
      if (!isFine) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
    close: async () => {
      const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref())
      await Promise.race([provider.shutdown().catch(() => undefined), late])
    },
  }
}

type Exporter = import('@opentelemetry/sdk-trace').SpanExporter

/** Wraps an exporter to log failures occasionally. Spans that cannot be sent are lost. */
function warnOnFailure(exporter: Exporter, log: Log): Exporter {
  let warnedAt = Number.NEGATIVE_INFINITY
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const now = performance.now()
        if (result.error && now - warnedAt > WARN_EVERY_MS) {
          warnedAt = now
          log.warn('Traces could not be sent: check OTEL_EXPORTER_OTLP_ENDPOINT and its collector.')
        }
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  }
}
