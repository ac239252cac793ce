import { Agent, type IncomingMessage, request as openRequest } from 'node:http'
import { Histogram } from '../measure/statistics.ts'
import { nowUs, scanTokens } from './token.ts'

/** One stream to open, with a body as a POST: `tokens` is how many must arrive. */
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
  /** Tokens that arrived, all and those of the window. */
  tokens: number
  inWindow: number
  lost: number
  repeated: number
  disordered: number
  /** The longest time within the window in which a stream brought nothing, in milliseconds. */
  longestGapMs: number
  /** What streams failed with, by message. */
  errors: Record<string, number>
}

/** Reads many event streams at once in a process of its own and reports on every token. */
const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY })

process.on('message', async (job: ReaderJob) => process.send?.(await readAll(job)))
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })

async function readAll(job: ReaderJob): Promise<ReaderReport> {
  const latency = new Histogram()
  const report: ReaderReport = {
    latency: [],
    tokens: 0,
    inWindow: 0,
    lost: 0,
    repeated: 0,
    disordered: 0,
    longestGapMs: 0,
    errors: {},
  }
  const gap = job.staggerUs / Math.max(1, job.streams.length)
  await Promise.all(
    job.streams.map(async (stream, index) => {
      await sleepUntil(job.startUs + index * gap)
      await readStream(stream, job, report, latency).catch((error: Error) => {
        report.errors[error.message] = (report.errors[error.message] ?? 0) + 1
      })
    }),
  )
  return { ...report, latency: latency.toSparse() }
}

async function readStream(
  stream: StreamRequest,
  job: ReaderJob,
  report: ReaderReport,
  latency: Histogram,
): Promise<void> {
  let expected = 0
  let different = 0
  let arrivedUs = 0
  let lastUs = job.windowFromUs
  const noteGap = (us: number) => {
    const toUs = Math.min(us, job.windowToUs)
    if (toUs > lastUs) report.longestGapMs = Math.max(report.longestGapMs, (toUs - lastUs) / 1000)
    lastUs = Math.max(lastUs, toUs)
  }
  const onToken = (number: number, sentUs: number) => {
    report.tokens += 1
    if (number < expected) {
      report.repeated += 1
      return
    }
    if (number > expected) report.disordered += 1
    expected = number + 1
    different += 1
    if (sentUs < job.windowFromUs || sentUs >= job.windowToUs) return
    report.inWindow += 1
    latency.add(arrivedUs - sentUs)
  }
  try {
    await openStream(stream, (frame, us) => {
      arrivedUs = us
      noteGap(us)
      scanTokens(frame.includes('event: task_stream_init') ? snapshotText(frame) : frame, onToken)
    })
  } finally {
    noteGap(nowUs())
    report.lost += stream.tokens - different
  }
}

/** The text of a snapshot, once: it stands in its blocks again. */
function snapshotText(frame: string): string {
  const line = frame.split('\n').find((text) => text.startsWith('data: '))
  return JSON.parse(line?.slice(6) ?? '{}').view?.content ?? ''
}

function openStream(
  { url, token, body }: StreamRequest,
  onFrame: (frame: string, arrivedUs: number) => void,
): Promise<void> {
  const headers: Record<string, string> = {
    accept: 'text/event-stream',
  }
  if (body !== null) {
    headers['content-type'] = 'application/json'
    headers['content-length'] = String(Buffer.byteLength(body))
  }
  if (token) headers.authorization = `Bearer ${token}`
  return new Promise((resolve, reject) => {
    const request = openRequest(
      url,
      { method: body === null ? 'GET' : 'POST', headers, agent },
      (response) => {
        readFrames(response, onFrame).then(resolve, reject)
      },
    )
    request.on('error', reject)
    request.end(body ?? undefined)
  })
}

function readFrames(
  response: IncomingMessage,
  onFrame: (frame: string, arrivedUs: number) => void,
): Promise<void> {
  let rest = ''
  response.on('data', (chunk: Buffer) => {
    const now = nowUs()
    const text = rest + chunk.toString('latin1')
    const end = text.lastIndexOf('\n\n')
    rest = end < 0 ? text : text.slice(end + 2)
    if (end < 0) return
    if (!text.includes('task_stream_init')) return onFrame(text.slice(0, end), now)
    for (const frame of text.slice(0, end).split('\n\n')) onFrame(frame, now)
  })
  return new Promise((resolve, reject) => {
    response.on('end', () => {
      if (response.statusCode === 200) resolve()
      else reject(new Error(`HTTP ${response.statusCode}: ${rest.slice(0, 200)}`))
    })
    response.on('error', reject)
  })
}

function sleepUntil(us: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, (us - nowUs()) / 1000)))
}
