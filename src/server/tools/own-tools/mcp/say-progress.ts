import type { ToolContext } from '#shared/tools/tools/tool.ts'
import type { Exchange } from '../../../platform/mcp/mcp.ts'

/** Maximum phases shown of a call; later ones replace the last. */
const MAX_PHASES = 12
const MAX_CHARACTERS = 60

/** Shows the progress of a call on the card: one phase per message, or per step of the numbers. */
export function sayProgress(exchange: Exchange, phase: ToolContext['phase']): () => void {
  let current: string | null = null
  let said = 0
  let lastShare = -1
  const end = () => {
    if (current !== null) phase(current, 'complete')
    current = null
  }
  exchange.onProgress = ({ progress, total, message }) => {
    const share = total ? Math.floor((progress / total) * MAX_PHASES) : said
    const name = (message?.trim() || (total ? `${progress} / ${total}` : String(progress))).slice(
      0,
      MAX_CHARACTERS,
    )
    if (name === current || said >= MAX_PHASES || (!message && share === lastShare)) return
    end()
    lastShare = share
    said += 1
    current = name
    phase(name, 'processing', { progress, ...(total === null ? {} : { total }) })
  }
  return end
}
