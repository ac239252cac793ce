import { Histogram } from '../measure/statistics.ts'
import { createTally, type Tally } from './tally.ts'
import { nowUs } from './token.ts'
import { openWire } from './wire.ts'

/** One stream to open, with a body as a POST. `tokens` is the expected number. */
export type StreamRequest = { url: string; token: string | null; body: string | null; tokens: number }

/** Opens `streams` spread over `staggerUs`; only tokens sent within the window count for the latency. */
export type ReaderJob = {
  streams: StreamRequest[]
  startUs: number
  staggerUs: number
  windowFromUs: number
  windowToUs: number
}

export type ReaderReport = {
  latency: [bin: number, count: number][]
  /** From opening a stream to its first event. */
  attach: [bin: number, count: number][]
  /** Received tokens, all and those in the window. */
  tokens: number
  inWindow: number
  /** Tokens of a reader's final text that are missing, duplicated or out of order. */
  lost: number
  repeated: number
  disordered: number
  /** Streams that broke and were reopened. */
  broken: number
  /** Maximum time in the window without a token on a stream, in milliseconds. */
  longestGapMs: number
  /** Errors of streams, by message. */
  errors: Record<string, number>
}

/** One in this many is also folded with the product's own reducer. */
const FOLDED_EVERY = 50
/** Delay before a broken stream is reopened, and the maximum number of times. */
const RETRY_MS = 500
const RETRIES = 20

/** Reads many event streams in a separate process and reports on every token. */
process.on('message', async (job: ReaderJob) => process.send?.(await readAll(job)))
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })

async function readAll(job: ReaderJob): Promise<ReaderReport> {
  const latency = new Histogram()
  const attach = new Histogram()
  const report: ReaderReport = {
    ...{ latency: [], attach: [], tokens: 0, inWindow: 0, lost: 0, repeated: 0, disordered: 0 },
    ...{ broken: 0, longestGapMs: 0, errors: {} },
  }
  const gap = job.staggerUs / Math.max(1, job.streams.length)
  await Promise.all(
    job.streams.map(async (stream, index) => {
      await sleepUntil(job.startUs + index * gap)
      // Only the product's own streams are views.
      const isFolded = stream.token !== null && index % FOLDED_EVERY === 0
      const tally = createTally({ job, report, latency, isFolded })
      await readStream(stream, { tally, report, attach })
      tally.end(stream.tokens)
    }),
  )
  return { ...report, latency: latency.toSparse(), attach: attach.toSparse() }
}

type Reading = { tally: Tally; report: ReaderReport; attach: Histogram }

/** Reads until the end of the reply; a broken stream is reopened after the last id, like in a browser. */
async function readStream(stream: StreamRequest, { tally, report, attach }: Reading): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const openedUs = nowUs()
    let isFirst = true
    const error = await new Promise<string | null>((ended) => {
      const frames = (text: string) => {
        if (isFirst) attach.add(nowUs() - openedUs)
        isFirst = false
        tally.read(text, nowUs())
      }
      openWire({ ...stream, lastId: tally.lastId() }, { frames, ended })
    })
    if (tally.isDone()) return
    const failure = error ?? 'ended before the reply did'
    if (stream.body !== null || tries === RETRIES || failure.startsWith('HTTP')) {
      report.errors[failure] = (report.errors[failure] ?? 0) + 1
      return
    }
    report.broken += 1
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

function sleepUntil(us: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, (us - nowUs()) / 1000)))
}
