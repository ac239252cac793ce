import { applyEvent } from '../../src/shared/runs/runs/reduce/reduce.ts'
import { createStreamReader } from '../../src/shared/runs/runs/stream-reader.ts'
import type { RunView } from '../../src/shared/runs/runs/view.ts'
import type { Histogram } from '../measure/statistics.ts'
import type { ReaderJob, ReaderReport } from './reader.ts'
import { scanTokens } from './token.ts'

/** The end of a reply of the product, and of one of the provider. */
const ends = /^(event: agent_processing_complete|data: \[DONE\])$/m

/** Counts the tokens of one reader. */
export type Tally = {
  read: (text: string, us: number) => void
  /** Returns the id to resume from. */
  lastId: () => string | null
  /** Returns whether the reply has ended. */
  isDone: () => boolean
  end: (tokens: number) => void
}

type Options = {
  job: Pick<ReaderJob, 'windowFromUs' | 'windowToUs'>
  report: ReaderReport
  latency: Histogram
  /** True if the product's own reducer also folds everything, to compare it with the counts. */
  isFolded: boolean
}

/**
 * Counts like the product's reducer: a `task_stream_init` replaces the whole text, everything else appends to it. Text
 * repeated by a snapshot is not a duplicate.
 */
export function createTally({ job, report, latency, isFolded }: Options): Tally {
  /** Number of tokens in the text, and number ever seen. */
  let has = 0
  let seen = 0
  let id: string | null = null
  let isDone = false
  let arrivedUs = 0
  let lastUs = job.windowFromUs
  const fold = isFolded ? createFold() : null

  const noteGap = (us: number) => {
    const toUs = Math.min(us, job.windowToUs)
    if (toUs > lastUs) report.longestGapMs = Math.max(report.longestGapMs, (toUs - lastUs) / 1000)
    lastUs = Math.max(lastUs, toUs)
  }
  const onToken = (number: number, sentUs: number) => {
    if (number < has) {
      report.repeated += 1
      return
    }
    if (number > has) report.disordered += 1
    has = number + 1
    if (has <= seen) return
    seen = has
    report.tokens += 1
    if (sentUs < job.windowFromUs || sentUs >= job.windowToUs) return
    report.inWindow += 1
    latency.add(arrivedUs - sentUs)
  }
  const readFrame = (frame: string) => {
    if (!frame.includes('event: task_stream_init')) return scanTokens(frame, onToken)
    has = 0
    scanTokens(contentOf(frame), onToken)
  }
  return {
    read: (text, us) => {
      arrivedUs = us
      noteGap(us)
      fold?.read(text)
      if (text.includes('event: task_stream_init')) for (const frame of text.split('\n\n')) readFrame(frame)
      else scanTokens(text, onToken)
      id = lastIdIn(text) ?? id
      isDone ||= ends.test(text)
    },
    lastId: () => id,
    isDone: () => isDone,
    end: (tokens) => {
      if (!isDone) noteGap(job.windowToUs)
      report.lost += Math.max(0, tokens - has)
      if (fold && fold.countTokens() !== has) report.errors['folds to something else'] = 1
    },
  }
}

/** Returns the text of a snapshot once, because its blocks repeat it. */
function contentOf(frame: string): string {
  const line = frame.split('\n').find((text) => text.startsWith('data: '))
  return JSON.parse(line?.slice(6) ?? '{}').view?.content ?? ''
}

function lastIdIn(text: string): string | null {
  const at = text.startsWith('id: ')
    ? Math.max(0, text.lastIndexOf('\nid: ') + 1)
    : text.lastIndexOf('\nid: ') + 1
  if (!text.startsWith('id: ', at)) return null
  const end = text.indexOf('\n', at)
  return text.slice(at + 4, end < 0 ? undefined : end)
}

/** Folds events like a browser. */
function createFold() {
  const reader = createStreamReader()
  let view: RunView | null = null
  return {
    read: (text: string) => {
      for (const frame of text.split('\n\n')) {
        const field = (name: string) =>
          frame
            .split('\n')
            .find((line) => line.startsWith(`${name}: `))
            ?.slice(name.length + 2) ?? null
        const event = field('event')
        const read = event && reader.read({ event, id: field('id'), data: field('data') ?? '' })
        if (read) view = applyEvent(view, read.event)
      }
    },
    countTokens: () => {
      let count = 0
      let next = 0
      scanTokens(view?.content ?? '', (number) => {
        if (number === next) count += 1
        next = number + 1
      })
      return count
    },
  }
}
