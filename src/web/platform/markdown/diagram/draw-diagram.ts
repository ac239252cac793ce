import { cleanSvg } from './clean-svg.ts'
import { longestCode } from './frame/longest-code.ts'
import { drawInFrame } from './frame/open-frame.ts'
import { withoutMarkup } from './without-markup.ts'

export type Drawing = { src: string; width: number; height: number }

/** Drawings kept, so that scrolling back draws nothing again. */
const MOST_KEPT = 60

const kept = new Map<string, Promise<Drawing>>()
let line: Promise<unknown> = Promise.resolve()

/**
 * Draws a diagram from its code, one after the other, in a frame apart. What comes out is a picture, in which nothing runs and
 * nothing loads. @throws when the code is no diagram, too long, or takes too long
 */
export function drawDiagram(code: string, isDark: boolean): Promise<Drawing> {
  const key = `${isDark} ${code}`
  const known = kept.get(key)
  if (known) return known
  const drawing = line.then(() => draw(code, isDark))
  line = drawing.catch(() => undefined)
  const oldest = kept.size >= MOST_KEPT ? kept.keys().next().value : undefined
  if (oldest !== undefined) kept.delete(oldest)
  kept.set(key, drawing)
  return drawing
}

async function draw(code: string, isDark: boolean): Promise<Drawing> {
  if (code.length > longestCode) throw new Error('too long')
  const { svg, width, height } = cleanSvg(await drawInFrame(withoutMarkup(code), isDark))
  return { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, width, height }
}
