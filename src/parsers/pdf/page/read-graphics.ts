import { OPS, type PDFPageProxy, Util } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { around, type Edges, type Picture, type Size } from './run.ts'

/** Lines, pictures and fonts of a page. Coordinates are those that the `turned` function returns. */
export type Graphics = {
  /** Horizontal and vertical lines, and edges of filled areas. */
  rules: Rule[]
  pictures: Picture[]
  fonts: Map<string, Font>
}
/** `isEdge` marks the edge of a filled area, as opposed to a drawn line. */
export type Rule = { isHorizontal: boolean; at: number; from: number; to: number; isEdge?: true }
export type Font = { stress: 'bold' | 'italic' | null; isFixedPitch: boolean; isMath: boolean }

/** A filled area no thicker than this, in points, is a line. */
const THIN = 3
/** A page with more lines than this shows a map or a chart, not a table. */
const MAX_RULES = 20_000

/** Limits on the share of the page: smaller pictures are ornaments, larger ones the background. */
const MIN_SHARE = 0.02
const MAX_SHARE = 0.85
const MAX_PICTURES = 2000

type Matrix = number[]

/** Returns the graphics of a page. `turned` converts points of the displayed page. */
export async function readGraphics(
  page: PDFPageProxy,
  turned: (x: number, y: number) => [number, number],
): Promise<Graphics> {
  const { fnArray, argsArray } = await page.getOperatorList()
  const view = page.getViewport({ scale: 1 }).transform as Matrix
  const graphics: Graphics = { rules: [], pictures: [], fonts: new Map() }
  const saved: Matrix[] = []
  let matrix: Matrix = view
  const place = (x: number, y: number): [number, number] => {
    const [a, b, c, d, e, f] = matrix as [number, number, number, number, number, number]
    return turned(a * x + c * y + e, b * x + d * y + f)
  }
  for (let at = 0; at < fnArray.length; at++) {
    const args = argsArray[at]
    switch (fnArray[at]) {
      case OPS.save:
        saved.push(matrix)
        break
      case OPS.restore:
      case OPS.paintFormXObjectEnd:
        matrix = saved.pop() ?? view
        break
      case OPS.paintFormXObjectBegin:
        saved.push(matrix)
        if (args?.[0]) matrix = Util.transform(matrix, args[0])
        break
      case OPS.transform:
        matrix = Util.transform(matrix, args)
        break
      case OPS.constructPath:
        if (args[0] !== OPS.endPath && graphics.rules.length < MAX_RULES) addPath(graphics.rules, args, place)
        break
      case OPS.paintImageXObject:
      case OPS.paintInlineImageXObject:
      case OPS.paintImageMaskXObject:
        graphics.pictures.push({ ...pictureAt(place), images: [args[0]] })
        break
      case OPS.setFont:
        graphics.fonts.set(args[0], fontOf(page, args[0]))
        break
    }
  }
  return graphics
}

function pictureAt(place: (x: number, y: number) => [number, number]): Picture {
  const corners = [place(0, 0), place(1, 1)].map(([x, y]) => ({ left: x, right: x, top: y, bottom: y }))
  return { ...around(corners), isPicture: true }
}

/** Merges touching parts of pictures, and removes ornaments and the background of the page. */
export function wholePictures(pictures: Picture[], { width, height }: Size): Picture[] {
  const merged: Picture[] = []
  for (const picture of pictures.slice(0, MAX_PICTURES)) {
    const same = merged.find((one) => touch(one, picture))
    if (same)
      Object.assign(same, around([same, picture]), {
        images: [...(same.images ?? []), ...(picture.images ?? [])],
      })
    else merged.push({ ...picture })
  }
  return merged.filter(
    (one) => shareOf(one, { width, height }) >= MIN_SHARE && !isPaper(one, { width, height }),
  )
}

/** Returns whether a picture is nearly as large as the page. */
export const isPaper = (picture: Picture, size: Size) => shareOf(picture, size) > MAX_SHARE

const shareOf = ({ left, top, right, bottom }: Picture, { width, height }: Size) =>
  ((right - left) * (bottom - top)) / (width * height)

const touch = (a: Edges, b: Edges) =>
  a.left <= b.right + 1 && b.left <= a.right + 1 && a.top <= b.bottom + 1 && b.top <= a.bottom + 1

type Path = [op: number, data: (ArrayLike<number> | null)[], bounds: ArrayLike<number> | null]

/** Adds the straight segments of a stroked path, or the sides of a filled one. A thin filled area counts as one line. */
function addPath(rules: Rule[], [op, [data]]: Path, place: (x: number, y: number) => [number, number]): void {
  if (!data) return
  const isLine = op === OPS.stroke || op === OPS.closeStroke
  for (const points of outlines(data)) {
    const shown = points.map(([x, y]) => place(x, y))
    const edges = around(shown.map(([x, y]) => ({ left: x, right: x, top: y, bottom: y })))
    const [width, height] = [edges.right - edges.left, edges.bottom - edges.top]
    if (Math.min(width, height) <= THIN && shown.length > 1) addRule(rules, edges, width >= height)
    else if (isLine || shown.length === 4 || shown.length === 5) addSides(rules, shown, isLine)
  }
}

function addRule(rules: Rule[], { left, top, right, bottom }: Edges, isHorizontal: boolean): Rule {
  const rule: Rule = isHorizontal
    ? { isHorizontal, at: (top + bottom) / 2, from: left, to: right }
    : { isHorizontal, at: (left + right) / 2, from: top, to: bottom }
  rules.push(rule)
  return rule
}

function addSides(rules: Rule[], points: [number, number][], isLine: boolean): void {
  points.forEach(([x, y], at) => {
    const before = points[at - 1]
    if (!before) return
    const edges = around([
      { left: x, right: x, top: y, bottom: y },
      { left: before[0], right: before[0], top: before[1], bottom: before[1] },
    ])
    const [width, height] = [edges.right - edges.left, edges.bottom - edges.top]
    if (Math.min(width, height) >= 0.5 || Math.max(width, height) <= THIN) return
    const rule = addRule(rules, edges, width > height)
    if (!isLine) rule.isEdge = true
  })
}

/** Returns the corners of each part of a path; parts with curves are omitted. */
function outlines(data: ArrayLike<number>): [number, number][][] {
  const parts: [number, number][][] = []
  let points: [number, number][] = []
  let isBent = false
  const close = () => {
    if (!isBent && points.length > 1) parts.push(points)
    points = []
    isBent = false
  }
  for (let at = 0; at < data.length; ) {
    const step = data[at]
    const [x, y] = [data[at + 1] ?? 0, data[at + 2] ?? 0]
    if (step === 0) {
      close()
      points.push([x, y])
    } else if (step === 1) points.push([x, y])
    else if (step === 4) {
      if (points[0]) points.push(points[0])
    } else isBent = true
    at += step === 4 ? 1 : step === 2 ? 7 : step === 3 ? 5 : 3
  }
  close()
  return parts
}

function fontOf(page: PDFPageProxy, id: string): Font {
  const font: { name?: string; bold?: boolean; black?: boolean; italic?: boolean } = page.commonObjs.has(id)
    ? page.commonObjs.get(id)
    : {}
  const name = font.name ?? ''
  const isBold =
    Boolean(font.bold || font.black) || /bold|black|heavy|demi(?!on)|CMBX|CMSSBX|SFBX|-Bd\b/i.test(name)
  const isItalic = Boolean(font.italic) || /ital|obliq|CMTI|CMSL|SFTI|-It\b/i.test(name)
  return {
    stress: isBold ? 'bold' : isItalic ? 'italic' : null,
    isFixedPitch: /courier|mono(?!type)|consol|CMTT|typewriter|menlo|SFTT|\bfixed/i.test(name),
    isMath: /CMMI|CMSY|CMEX|MSBM|MSAM|Math|Symbol(?!Set)/i.test(name),
  }
}
