import script from './draw.ts?worker&url'

/** Timeout of rendering once the code has arrived, and timeout of the frame's code. */
const DRAWN_MS = 8000
const OPENED_MS = 30_000
/** Maximum characters of a drawing. */
const MAX_SVG = 5_000_000

let opened: Promise<HTMLIFrameElement> | null = null

/**
 * Renders a diagram in a sandboxed frame without an origin, which fetches only its own code and answers through a port. A
 * frame that takes too long is removed. Returns untrusted SVG.
 * @throws Error if the code is not a diagram, or after the timeout
 */
export async function drawInFrame(code: string, isDark: boolean): Promise<string> {
  opened ??= openFrame()
  try {
    const frame = await opened
    return await ask(frame, { code, isDark })
  } catch (error) {
    if (!(error instanceof NoDiagram)) closeFrame()
    throw error
  }
}

class NoDiagram extends Error {}

async function openFrame(): Promise<HTMLIFrameElement> {
  const { origin } = location
  const policy = `default-src 'none'; script-src ${origin}; style-src 'unsafe-inline'`
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.srcdoc = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><body><script type="module" src="${new URL(script, origin)}"></script>`
  // It is laid out, so that text can be measured, but invisible.
  frame.inert = true
  frame.ariaHidden = 'true'
  frame.tabIndex = -1
  frame.style.cssText =
    'position:fixed;left:-2000px;top:0;width:1200px;height:900px;border:0;visibility:hidden'
  const isThere = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
  document.body.append(frame)
  await withinTime(isThere, OPENED_MS).catch((error) => {
    frame.remove()
    throw error
  })
  return frame
}

async function ask(frame: HTMLIFrameElement, question: { code: string; isDark: boolean }): Promise<string> {
  const { port1, port2 } = new MessageChannel()
  try {
    const answered = new Promise<unknown>((resolve) => {
      port1.onmessage = ({ data }) => resolve(data)
    })
    // A frame without an origin cannot be addressed by one.
    frame.contentWindow?.postMessage(question, '*', [port2])
    const answer = await withinTime(answered, DRAWN_MS)
    const isDrawn = typeof answer === 'object' && answer !== null && 'svg' in answer
    if (isDrawn && typeof answer.svg === 'string' && answer.svg.length <= MAX_SVG) return answer.svg
    throw new NoDiagram('no diagram')
  } finally {
    port1.close()
  }
}

function closeFrame(): void {
  const frame = opened
  opened = null
  frame?.then(
    (element) => element.remove(),
    () => undefined,
  )
}

async function withinTime<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('too slow')), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
