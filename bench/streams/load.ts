import { cpuSeconds } from '../measure/processes.ts'
import { Histogram, round } from '../measure/statistics.ts'
import type { ReaderJob, ReaderReport, StreamRequest } from './reader.ts'
import { nowUs } from './token.ts'
import type { Worker } from './worker.ts'

export const TOKENS_PER_SECOND = 50

/** Measurements of one load. Latencies in milliseconds, CPU in per cent of one core. */
export type LoadResult = {
  streams: number
  tokens: number
  p50_ms: number
  p95_ms: number
  p99_ms: number
  lost: number
  repeated: number
  disordered: number
  errors: Record<string, number>
  /** Tells how well the provider kept pace. If it was late, the load says nothing about the server. */
  generator: { kept_pace: boolean; sent_share: number; late_p99_ms: number }
  cpu?: { node_percent: number; postgres_percent: number; node_us_per_token: number }
}

export type LoadPlan = { streams: number; seconds: number }

/** Returns the tokens per stream. Streams open one after the other, settle, are measured, and end afterwards. */
export function tokensOf({ streams, seconds }: LoadPlan): number {
  return Math.ceil(TOKENS_PER_SECOND * (staggerSeconds(streams) + SETTLE_SECONDS + seconds + TAIL_SECONDS))
}

/** Opens all streams through the readers and measures while all of them run. */
export async function runLoad(
  plan: LoadPlan,
  requests: StreamRequest[],
  { readers, generators, serverPid }: { readers: Worker[]; generators: Worker[]; serverPid?: number },
): Promise<LoadResult> {
  const startUs = nowUs() + 200_000
  const staggerUs = staggerSeconds(plan.streams) * 1e6
  const windowFromUs = startUs + staggerUs + SETTLE_SECONDS * 1e6
  const windowToUs = windowFromUs + plan.seconds * 1e6
  await reportOf(generators)
  const reading = readers.map((reader, index) => {
    const job: ReaderJob = {
      streams: requests.filter((_, at) => at % readers.length === index),
      startUs,
      staggerUs,
      windowFromUs,
      windowToUs,
    }
    return reader.ask<ReaderReport>(job)
  })
  await sleepUntil(windowFromUs)
  await reportOf(generators)
  const before = serverPid ? cpuSeconds(serverPid) : null
  await sleepUntil(windowToUs)
  const after = serverPid ? cpuSeconds(serverPid) : null
  const pace = await reportOf(generators)
  const reports = await Promise.all(reading)
  const result = combine(plan, reports, pace)
  if (!before || !after) return result
  const node = after.node - before.node
  return {
    ...result,
    cpu: {
      node_percent: round((100 * node) / plan.seconds, 0),
      postgres_percent: round((100 * (after.postgres - before.postgres)) / plan.seconds, 0),
      node_us_per_token: round((node * 1e6) / Math.max(1, result.tokens)),
    },
  }
}

/** Opening a reply costs a server much more than a token; at a higher rate, the openings dominate. */
const STREAMS_PER_SECOND = 50
const SETTLE_SECONDS = 1
const TAIL_SECONDS = 0.4
const MIN_SENT_SHARE = 0.98
const MAX_LATE_MS = 10

function staggerSeconds(streams: number): number {
  return Math.max(1, streams / STREAMS_PER_SECOND)
}

type Pace = { late: Histogram; sent: number }

async function reportOf(generators: Worker[]): Promise<Pace> {
  const late = new Histogram()
  let sent = 0
  for (const generator of generators) {
    const report = await generator.ask<{ late: [number, number][]; sent: number }>({})
    late.merge(report.late)
    sent += report.sent
  }
  return { late, sent }
}

function combine(plan: LoadPlan, reports: ReaderReport[], pace: Pace): LoadResult {
  const latency = new Histogram()
  const errors: Record<string, number> = {}
  for (const report of reports) {
    latency.merge(report.latency)
    for (const [message, count] of Object.entries(report.errors))
      errors[message] = (errors[message] ?? 0) + count
  }
  const sum = (field: 'inWindow' | 'lost' | 'repeated' | 'disordered') =>
    reports.reduce((total, report) => total + report[field], 0)
  const share = pace.sent / (plan.streams * plan.seconds * TOKENS_PER_SECOND)
  const lateMs = pace.late.percentile(0.99)
  return {
    streams: plan.streams,
    tokens: sum('inWindow'),
    p50_ms: round(latency.percentile(0.5)),
    p95_ms: round(latency.percentile(0.95)),
    p99_ms: round(latency.percentile(0.99)),
    lost: sum('lost'),
    repeated: sum('repeated'),
    disordered: sum('disordered'),
    errors,
    generator: {
      kept_pace: share >= MIN_SENT_SHARE && lateMs <= MAX_LATE_MS,
      sent_share: round(share, 3),
      late_p99_ms: lateMs,
    },
  }
}

function sleepUntil(us: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, (us - nowUs()) / 1000)))
}
