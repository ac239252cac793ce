import mermaid from 'mermaid'
import { longestCode } from './longest-code.ts'

const MAX_EDGES = 400

/** A request through a port: a diagram in the colours of a theme. The answer is its SVG, or an error. */
type Asked = { code: string; isDark: boolean }

let count = 0

// Runs in a sandboxed frame that can only render: see open-frame.ts.
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
    ...{ maxTextSize: longestCode, maxEdges: MAX_EDGES },
    // Labels are rendered as text, never as HTML.
    ...{ htmlLabels: false, flowchart: { htmlLabels: false }, class: { htmlLabels: false } },
    ...{ theme: isDark ? 'dark' : 'neutral', fontFamily: 'system-ui, sans-serif' },
    // Settings that the code cannot override.
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
    // Removes what a failed attempt leaves behind.
    document.body.replaceChildren()
  }
}
