import { AsyncLocalStorage } from 'node:async_hooks'
import type { Config } from '../config/config.ts'
import type { Log } from '../log.ts'
import type { Metrics } from './metrics.ts'
import { outcomeOf } from './outcome.ts'
import type { Begun, Telemetry, Work } from './telemetry-port.ts'
import type { Span, Traces } from './traces.ts'

export { observeJobs } from './observe-jobs.ts'
export { observeRequests } from './observe-requests.ts'
export type { Telemetry, Work } from './telemetry-port.ts'

/** Does nothing. */
const telemetryOff: Telemetry = {
  begin: () => ({ within: (perform) => perform(), end: () => undefined }),
  observe: (_, perform) => perform(),
  metrics: null,
  isOn: false,
  close: async () => undefined,
}

type Settings = Pick<
  Config,
  | 'ATRIUM_METRICS'
  | 'ATRIUM_METRICS_TOKEN'
  | 'OTEL_EXPORTER_OTLP_ENDPOINT'
  | 'OTEL_EXPORTER_OTLP_HEADERS'
  | 'OTEL_SERVICE_NAME'
>

/** Opens the telemetry enabled in the settings. Its code is loaded only if needed. */
export async function openTelemetry(settings: Settings, log: Log): Promise<Telemetry> {
  const wantsMetrics = settings.ATRIUM_METRICS === 'loopback' || settings.ATRIUM_METRICS_TOKEN !== undefined
  const endpoint = settings.OTEL_EXPORTER_OTLP_ENDPOINT
  if (!wantsMetrics && !endpoint) return telemetryOff
  const metrics = wantsMetrics ? (await import('./metrics.ts')).createMetrics() : null
  const headers = settings.OTEL_EXPORTER_OTLP_HEADERS
  const traces = endpoint
    ? await (await import('./traces.ts')).openTraces({
        endpoint,
        headers,
        name: settings.OTEL_SERVICE_NAME,
        log,
      })
    : null
  return note(metrics, traces)
}

/** Outcomes that need no attention. */
const fine = /^(ok|completed|rest|left|stopped|[1234]xx)$/

function note(metrics: Metrics | null, traces: Traces | null): Telemetry {
  const inside = new AsyncLocalStorage<Span>()
  const begin = (work: Work): Begun => {
    const at = performance.now()
    const span = traces?.begin(work, inside.getStore()) ?? null
    let isOver = false
    return {
      within: (perform) => (span ? inside.run(span, perform) : perform()),
      end: (outcome) => {
        if (isOver) return
        isOver = true
        const seconds = (performance.now() - at) / 1000
        metrics?.observe(`atrium_${work.kind}_seconds`, { ...work.labels, outcome }, seconds)
        if (span) traces?.end(span, outcome, fine.test(outcome))
      },
    }
  }
  return {
    begin,
    observe: async (work, perform, outcome = () => 'ok') => {
      const begun = begin(work)
      try {
        const value = await begun.within(perform)
        begun.end(outcome(value))
        return value
      } catch (error) {
        begun.end(outcomeOf(error))
        throw error
      }
    },
    metrics,
    isOn: true,
    close: async () => traces?.close(),
  }
}
