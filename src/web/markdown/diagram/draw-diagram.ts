import { cleanSvg } from './clean-svg.ts'
import { withoutMarkup } from './without-markup.ts'

export type Drawing = { src: string; width: number; height: number }

/** Longer ones could keep the page busy. */
export const MOST_CHARACTERS = 20_000
const MOST_EDGES = 400
const PATIENCE_MS = 8000
/** Drawings kept, so that scrolling back draws nothing again. */
const MOST_KEPT = 60

const kept = new Map<string, Promise<Drawing>>()
let line: Promise<unknown> = Promise.resolve()
let count = 0

/**
 * Draws a diagram from its code, one after the other. What comes out is a picture, in which nothing runs and nothing
 * loads. @throws when the code is no diagram, too long, or takes too long
 */
export function drawDiagram(code: string, isDark: boolean): Promise<Drawing> {
  const key = `${isDark} ${code}`
  const known = kept.get(key)
  if (known) return known
  const drawing = line.then(() => withinTime(draw(code, isDark)))
  line = drawing.catch(() => undefined)
  const oldest = kept.size >= MOST_KEPT ? kept.keys().next().value : undefined
  if (oldest !== undefined) kept.delete(oldest)
  kept.set(key, drawing)
  return drawing
}

async function draw(code: string, isDark: boolean): Promise<Drawing> {
  if (code.length > MOST_CHARACTERS) throw new Error('too long')
  const { default: mermaid } = await import('mermaid')
  mermaid.initialize({
    ...{ startOnLoad: false, securityLevel: 'strict', suppressErrorRendering: true },
    ...{ maxTextSize: MOST_CHARACTERS, maxEdges: MOST_EDGES },
    // Words are drawn, never pages.
    ...{ htmlLabels: false, flowchart: { htmlLabels: false }, class: { htmlLabels: false } },
    ...{ theme: isDark ? 'dark' : 'neutral', fontFamily: 'system-ui, sans-serif' },
    // What the code itself may not change.
    secure: [
      ...['secure', 'securityLevel', 'startOnLoad', 'suppressErrorRendering', 'maxTextSize', 'maxEdges'],
      ...[
        'htmlLabels',
        'flowchart',
        'class',
        'theme',
        'themeCSS',
        'themeVariables',
        'fontFamily',
        'altFontFamily',
      ],
      ...['dompurifyConfig', 'layout', 'elk'],
    ],
  })
  const id = `diagram-${++count}`
  try {
    const { svg } = await mermaid.render(id, withoutMarkup(code))
    const { svg: clean, width, height } = cleanSvg(svg)
    return { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(clean)}`, width, height }
  } finally {
    // What a failed attempt leaves on the page.
    for (const left of [id, `d${id}`]) document.getElementById(left)?.remove()
  }
}

async function withinTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('too slow')), PATIENCE_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
