import { around, type Edges, type Run } from '../page/run.ts'
import { mirrorBrackets } from '../text/mirror-brackets.ts'
import type { Table } from './page-table.ts'

/** Text of one line without a wide gap. */
export type Segment = Edges & {
  runs: Run[]
  text: string
  size: number
  baseline: number
  isRightToLeft: boolean
  /** Set if the segment represents a table instead of text. */
  table?: Table
}

/** Wider gaps separate columns, in font sizes. */
const WIDE_GAP = 1.1
/** Wider gaps separate words, in font sizes. */
const WORD_GAP = 0.13

/** Joins runs of one line without a wide gap between them. */
export function toSegments(runs: Run[]): Segment[] {
  const open: Run[][] = []
  const bands = new Map<number, Run[][]>()
  for (const run of [...runs].sort((a, b) => a.left - b.left || a.top - b.top)) {
    const chain = nearestChain(run, bands)
    if (chain) chain.push(run)
    else open.push([run])
    register(run, chain ?? (open.at(-1) as Run[]), bands)
  }
  return open.map(toSegment)
}

const BAND = 16

function register(run: Run, chain: Run[], bands: Map<number, Run[][]>): void {
  for (let band = Math.floor(run.top / BAND); band <= Math.floor(run.bottom / BAND); band++) {
    const chains = bands.get(band) ?? []
    if (!chains.includes(chain)) chains.push(chain)
    bands.set(band, chains)
  }
}

function nearestChain(run: Run, bands: Map<number, Run[][]>): Run[] | undefined {
  let best: Run[] | undefined
  let bestGap = Number.POSITIVE_INFINITY
  for (let band = Math.floor(run.top / BAND); band <= Math.floor(run.bottom / BAND); band++) {
    for (const chain of bands.get(band) ?? []) {
      const gap = run.left - (chain.at(-1) as Run).right
      if (Math.abs(gap) < bestGap && chain.some((one) => joins(one, run)) && isWithinReach(chain, run, gap)) {
        best = chain
        bestGap = Math.abs(gap)
      }
    }
  }
  return best
}

function isWithinReach(chain: Run[], run: Run, gap: number): boolean {
  const size = Math.max(run.size, (chain.at(-1) as Run).size)
  return gap <= WIDE_GAP * size && gap >= -Math.max(size, 0.5 * (run.right - run.left))
}

/** Returns whether two runs are on one line: they overlap in more than half the height of the smaller one. */
function joins(a: Run, b: Run): boolean {
  const shared = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
  return shared >= 0.55 * Math.min(a.bottom - a.top, b.bottom - b.top)
}

function toSegment(runs: Run[]): Segment {
  const main = runs.reduce((most, run) => (run.text.length > most.text.length ? run : most))
  const isRightToLeft = isMostlyRightToLeft(runs)
  const text = isRightToLeft ? mirrorBrackets(textOf(reversed(runs), true)) : textOf(runs, false)
  return { ...around(runs), runs, text, size: main.size, baseline: main.baseline, isRightToLeft }
}

export function isMostlyRightToLeft(parts: { text: string; isRightToLeft: boolean }[]): boolean {
  const lengths = [0, 0]
  for (const { text, isRightToLeft } of parts) {
    const letters = text.match(/\p{L}/gu)?.length ?? 0
    if (isRightToLeft) lengths[1] = (lengths[1] ?? 0) + letters
    else lengths[0] = (lengths[0] ?? 0) + letters
  }
  return (lengths[1] ?? 0) > (lengths[0] ?? 0)
}

/** Reverses the runs of a right-to-left line, except for the order within left-to-right text. */
function reversed(runs: Run[]): Run[] {
  const result: Run[] = []
  let foreign: Run[] = []
  for (const run of [...runs].reverse()) {
    if (!run.isRightToLeft && /[\p{L}\p{N}]/u.test(run.text)) foreign.unshift(run)
    else {
      result.push(...foreign, run)
      foreign = []
    }
  }
  return [...result, ...foreign]
}

function textOf(runs: Run[], isRightToLeft: boolean): string {
  let text = ''
  let before: Run | undefined
  for (const run of runs) {
    if (before && needsSpace(before, run, isRightToLeft) && !text.endsWith(' ') && !run.text.startsWith(' '))
      text += ' '
    text += run.text
    before = run
  }
  return text.replace(/\s+/g, ' ').trim()
}

function needsSpace(before: Run, run: Run, isRightToLeft: boolean): boolean {
  const gap = Math.max(run.left - before.right, before.left - run.right)
  if (gap > WORD_GAP * Math.min(before.size, run.size)) return true
  if (!isRightToLeft || before.isRightToLeft === run.isRightToLeft) return false
  return gap > 0 || (/\p{L}$/u.test(before.text) && /^\p{L}/u.test(run.text))
}
