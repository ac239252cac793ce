import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { openGlyphNames } from './broken-letters.ts'
import { openJoinedLetters } from './joined-letters.ts'
import { type Run, type Size, type Turn, turnPoint } from './run.ts'

type Content = Awaited<ReturnType<PDFPageProxy['getTextContent']>>
type TextItem = Extract<Content['items'][number], { str: string }>

/** Presentation forms of other characters: ligatures, positional Arabic letters, spaces of a fixed width. */
const SHAPES = /[\u00a0\u2000-\u200a\u202f\ufb00-\ufdff\ufe70-\ufefc]+/gu

/**
 * Returns the text of a page grouped by rotation, the most frequent one first. `doubles` are second copies of texts at the same position.
 * With `marks`, runs have the id of their part of the tagged structure.
 */
export async function readRuns(
  page: PDFPageProxy,
  { marks }: { marks: boolean },
): Promise<{ turn: Turn; runs: Run[]; doubles: string[] }[]> {
  // Ligatures are expanded later, after the text is in logical order. Otherwise their letters would be reversed.
  const content = await page.getTextContent({ includeMarkedContent: marks, disableNormalization: true })
  const view = page.getViewport({ scale: 1 })
  const byTurn = new Map<Turn, Run[]>()
  const open: (string | undefined)[] = []
  const texts = content.items.flatMap((item) => ('str' in item && item.dir === 'rtl' ? item.str : []))
  const inOrder = await openJoinedLetters(page, texts)
  const all = content.items.flatMap((item) => ('str' in item ? item.str : []))
  const named = await openGlyphNames(page, all)
  for (const item of content.items) {
    if (!('str' in item)) follow(open, item)
    else if (item.str.trim() !== '') {
      const { turn, run } = placeItem(
        named(inOrder(item.str), item.fontName),
        item,
        content.styles[item.fontName],
        view,
      )
      const mark = open.findLast((one) => one !== undefined)
      const parts = splitAtWideSpaces(mark === undefined ? run : { ...run, mark })
      const runs = byTurn.get(turn) ?? []
      runs.push(...parts)
      byTurn.set(turn, runs)
    }
  }
  return [...byTurn]
    .map(([turn, runs]) => ({ turn, ...partDoubles(runs) }))
    .sort((a, b) => lengthOf(b.runs) - lengthOf(a.runs))
}

function follow(open: (string | undefined)[], item: { type: string; id?: string }): void {
  if (item.type === 'endMarkedContent') open.pop()
  else open.push(item.type === 'beginMarkedContentProps' ? item.id : undefined)
}

type View = Size & { transform: number[]; scale: number }

function placeItem(
  written: string,
  item: TextItem,
  style: { ascent: number; descent: number } | undefined,
  view: View,
): { turn: Turn; run: Run } {
  const [a, b, , , e, f] = item.transform as [number, number, number, number, number, number]
  const [va, vb, vc, vd, ve, vf] = view.transform as [number, number, number, number, number, number]
  const alongX = va * a + vc * b
  const alongY = vb * a + vd * b
  const [x, y] = [va * e + vc * f + ve, vb * e + vd * f + vf]
  const turn = turnOf(alongX, alongY)
  const [left, baseline] = turnPoint(x, y, turn, view)
  const scale = Math.hypot(va, vb)
  const size = (item.height || Math.hypot(a, b)) * scale
  const { up, down } = reachOf(style)
  const text = plainText(written)
  const isRightToLeft = item.dir === 'rtl'
  const edges = {
    left,
    right: left + item.width * scale,
    top: baseline - up * size,
    bottom: baseline + down * size,
  }
  return { turn, run: { ...edges, text, size, baseline, font: item.fontName, isRightToLeft } }
}

const plainText = (text: string) =>
  text.replace(SHAPES, (shape) => shape.normalize('NFKC')).replaceAll('\0', '')

/** Returns ascent and descent as shares of the font size, with defaults for the implausible values of many fonts. */
function reachOf(style: { ascent: number; descent: number } | undefined): { up: number; down: number } {
  const up = style?.ascent ?? 0
  const down = Math.abs(style?.descent ?? 0)
  return { up: up > 0.4 && up < 1.2 ? up : 0.8, down: down > 0.05 && down < 0.5 ? down : 0.2 }
}

function turnOf(alongX: number, alongY: number): Turn {
  if (Math.abs(alongX) >= Math.abs(alongY)) return alongX >= 0 ? 0 : 180
  return alongY > 0 ? 90 : 270
}

/** Splits text at three or more spaces, which programs without tables use to separate columns. */
function splitAtWideSpaces(run: Run): Run[] {
  if (run.isRightToLeft || !/\S\s{3,}\S/.test(run.text)) return [run]
  const step = (run.right - run.left) / run.text.length
  return [...run.text.matchAll(/\S+(?:\s{1,2}\S+)*/g)].map((match) => {
    const left = run.left + match.index * step
    return { ...run, text: match[0], left, right: left + match[0].length * step }
  })
}

/** Separates the second copy of texts that are drawn twice, slightly shifted, to look bold. */
function partDoubles(all: Run[]): { runs: Run[]; doubles: string[] } {
  const seen = new Map<string, Run[]>()
  const doubles: string[] = []
  const runs = all.filter((run) => {
    const same = seen.get(run.text) ?? []
    const near = run.size * 0.2
    if (
      same.some((one) => Math.abs(one.left - run.left) < near && Math.abs(one.baseline - run.baseline) < near)
    ) {
      doubles.push(run.text)
      return false
    }
    seen.set(run.text, [...same, run])
    return true
  })
  return { runs, doubles }
}

const lengthOf = (runs: Run[]) => runs.reduce((sum, { text }) => sum + text.length, 0)
