import mermaid from 'mermaid'
import { longestCode } from './longest-code.ts'

const MOST_EDGES = 400

/** What is asked through a port: a diagram in the colours of a theme. The answer is its SVG, or why there is none. */
type Asked = { code: string; isDark: boolean }

let count = 0

// Runs in a frame of its own that may do nothing but draw: see open-frame.ts.
addEventListener('message', (event: MessageEvent<Asked>) => {
  const [port] = event.ports
  if (event.source !== parent || !port) return
  draw(event.data).then(
    (svg) => port.postMessage({ svg }),
    (error) => port.postMessage({ error: String(error) }),
  )
})

async function draw({ code, isDark }: Asked): Promise<string> {
  mermaid.initialize({
    ...{ startOnLoad: false, securityLevel: 'strict', suppressErrorRendering: true },
    ...{ maxTextSize: longestCode, maxEdges: MOST_EDGES },
    // Words are drawn, never pages.
    ...{ htmlLabels: false, flowchart: { htmlLabels: false }, class: { htmlLabels: false } },
    ...{ theme: isDark ? 'dark' : 'neutral', fontFamily: 'system-ui, sans-serif' },
    // What the code itself may not change.
    secure: [
      ...['secure', 'securityLevel', 'startOnLoad', 'suppressErrorRendering', 'maxTextSize', 'maxEdges'],
      ...['htmlLabels', 'flowchart', 'class', 'theme', 'themeCSS', 'themeVariables', 'fontFamily'],
      ...['altFontFamily', 'dompurifyConfig', 'layout', 'elk'],
    ],
  })
  try {
    const { svg } = await mermaid.render(`diagram-${++count}`, code)
    return svg
  } finally {
    // What a failed attempt leaves behind.
    document.body.replaceChildren()
  }
}
