import type { ToolContext } from '#shared/tools/tools/tool.ts'
import type { Exchange } from '../../../platform/mcp/mcp.ts'

/** Phases a call shows at most; what comes later only moves the last one. */
const MOST_PHASES = 12
const MOST_CHARACTERS = 60

/** Shows on the card how far a call is: a phase for each message, or for each step in the numbers. */
export function sayProgress(exchange: Exchange, phase: ToolContext['phase']): () => void {
  let current: string | null = null
  let said = 0
  let lastShare = -1
  const end = () => {
    if (current !== null) phase(current, 'complete')
    current = null
  }
  exchange.onProgress = ({ progress, total, message }) => {
    const share = total ? Math.floor((progress / total) * MOST_PHASES) : said
    const name = (message?.trim() || (total ? `${progress} / ${total}` : String(progress))).slice(
      0,
      MOST_CHARACTERS,
    )
    if (name === current || said >= MOST_PHASES || (!message && share === lastShare)) return
    end()
    lastShare = share
    said += 1
    current = name
    phase(name, 'processing', { progress, ...(total === null ? {} : { total }) })
  }
  return end
}
