import { cleanSvg } from './clean-svg.ts'
import { longestCode } from './frame/longest-code.ts'
import { drawInFrame } from './frame/open-frame.ts'
import { withoutMarkup } from './without-markup.ts'

export type Drawing = { src: string; width: number; height: number }

/** Maximum cached drawings, so that scrolling back renders nothing again. */
const MAX_KEPT = 60

const kept = new Map<string, Promise<Drawing>>()
let line: Promise<unknown> = Promise.resolve()

/**
 * Renders a diagram from its code in a separate frame, one at a time. The result is a picture without scripts or external
 * resources. @throws if the code is not a diagram, is too long, or takes too long
 */
export function drawDiagram(code: string, isDark: boolean): Promise<Drawing> {
  const key = `${isDark} ${code}`
  const known = kept.get(key)
  if (known) return known
  const drawing = line.then(() => draw(code, isDark))
  line = drawing.catch(() => undefined)
  const oldest = kept.size >= MAX_KEPT ? kept.keys().next().value : undefined
  if (oldest !== undefined) kept.delete(oldest)
  kept.set(key, drawing)
  return drawing
}

async function draw(code: string, isDark: boolean): Promise<Drawing> {
  if (code.length > longestCode) throw new Error('too long')
  const { svg, width, height } = cleanSvg(await drawInFrame(withoutMarkup(code), isDark))
  return { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, width, height }
}
