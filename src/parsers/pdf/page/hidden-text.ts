import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { hiddenText } from '../../elements/hidden-text.ts'
import type { Job } from '../../elements/port.ts'
import { type Background, type Drawn, type DrawnText, type Layers, readDrawn } from './drawn-text.ts'
import type { Note } from './read-notes.ts'
import { boxOf, type Edges, type Run, type Size, shownEdges, type Turn } from './run.ts'

/** Letters smaller than this, in points, are invisible to people. */
const MIN_SIZE = 1.5
/** Rendering modes that draw nothing. */
const UNSEEN_MODES = new Set([3, 7])
const PAPER = '#ffffff'
/** Two colours look the same if their channels (0 to 255) differ by less than this. */
const SAME_COLOR = 6
/** An area covers a run, or is its background, if it overlaps at least this fraction of the run. */
const MIN_COVERED = 0.8

/**
 * Removes invisible text from the runs of a page and returns it as notes: text that is outside the page, tiny, drawn without ink,
 * covered, clipped, on a hidden layer, or in the colour of its background. Text over a picture counts as visible, as in scans with OCR.
 */
export async function takeHidden(
  page: PDFPageProxy,
  groups: { turn: Turn; runs: Run[] }[],
  { size, language, layers }: { size: Size; language: Job['language']; layers: Layers },
): Promise<Note[]> {
  const drawn = await readDrawn(page, layers)
  const isUnseen = findUnseen(drawn)
  const notes = noteOutside(drawn, language)
  for (const group of groups) {
    const isHidden = (run: Run) => {
      const edges = shownEdges(run, group.turn, size)
      return run.size < MIN_SIZE || isUnseen(run.text, edges)
    }
    const hidden = group.runs.filter(isHidden)
    if (hidden.length === 0) continue
    group.runs = group.runs.filter((run) => !hidden.includes(run))
    for (const run of hidden)
      notes.push({
        text: hiddenText(run.text, language),
        box: boxOf(run, group.turn, size),
        kind: 'hidden_text',
      })
  }
  return notes
}

/** Returns notes for letters outside the page, which pdf.js drops. Their box is the whole page. */
function noteOutside({ texts }: Drawn, language: Job['language']): Note[] {
  const outside = texts.filter(({ cut }) => /[\p{L}\p{N}]/u.test(cut))
  const lines = Map.groupBy(outside, ({ y }) => Math.round(y))
  return [...lines.values()].map((pieces) => ({
    text: hiddenText(pieces.map(({ cut }) => cut.trim()).join(' '), language),
    box: [0, 0, 1, 1],
    kind: 'hidden_text',
  }))
}

/** Returns a function that tells whether all occurrences of a text at a position are invisible. */
function findUnseen({ texts, backgrounds }: Drawn): (text: string, edges: Edges) => boolean {
  const grounds = [PAPER, ...backgrounds.flatMap(({ color }) => color ?? [])]
  const last = backgrounds.findLast(({ color, isOpaque }) => color !== null && isOpaque)?.at ?? -1
  const isSuspect = ({ at, mode, color, isFaint, clip }: DrawnText) =>
    UNSEEN_MODES.has(mode) ||
    (color !== null && mode === 0 && grounds.some((one) => isSame(one, color))) ||
    isFaint ||
    clip !== null ||
    at < last
  if (!texts.some(isSuspect)) return () => false
  const lettered = texts.map((one) => ({ ...one, letters: one.text.replace(/\s+/g, '') }))
  return (text, edges) => {
    const plain = text.replace(/\s+/g, '')
    const own = lettered.filter(
      ({ letters }) => letters && (plain.includes(letters) || letters.includes(plain)),
    )
    const here = own.filter((one) => isWithin(one, edges))
    const drawn = here.length > 0 ? here : own
    return drawn.length > 0 && drawn.every((one) => isSuspect(one) && isUnseenAt(one, edges, backgrounds))
  }
}

const isWithin = ({ x, y }: DrawnText, { left, top, right, bottom }: Edges) =>
  x >= left - 1 && x <= right + 1 && y >= top - 1 && y <= bottom + 1

function isUnseenAt(text: DrawnText, edges: Edges, backgrounds: Background[]): boolean {
  const { at, mode, color, isFaint, clip } = text
  if (isFaint) return true
  // Clips and areas at this position do not hide the same text elsewhere.
  const isHere = isWithin(text, edges)
  if (isHere && clip && isApart(clip, edges)) return true
  const isOver = (one: Background) => one.at > at && one.color !== null && one.isOpaque && covers(one, edges)
  if (isHere && backgrounds.some(isOver)) return true
  const behind = backgrounds.findLast((one) => one.at < at && covers(one, edges))
  // A picture may show the text, as in a scan with the text of OCR.
  if (UNSEEN_MODES.has(mode)) return !backgrounds.some((one) => one.color === null && covers(one, edges))
  if (behind?.color === null || color === null) return false
  return isSame(color, behind?.color ?? PAPER)
}

const isApart = (a: Edges, b: Edges) =>
  a.right <= b.left || a.left >= b.right || a.bottom <= b.top || a.top >= b.bottom

function covers(area: Edges, { left, top, right, bottom }: Edges): boolean {
  const width = Math.min(area.right, right) - Math.max(area.left, left)
  const height = Math.min(area.bottom, bottom) - Math.max(area.top, top)
  if (width <= 0 || height <= 0) return false
  return width * height >= MIN_COVERED * (right - left) * (bottom - top)
}

function isSame(a: string, b: string): boolean {
  const channels = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  const other = channels(b)
  return channels(a).every((value, at) => Math.abs(value - (other[at] ?? 0)) < SAME_COLOR)
}
