import type { Tool } from '#shared/tools/tools/tools.ts'
import type { ToolCardParts } from '../../../platform/ui/card-parts.ts'
import { useCard } from './cards.ts'
import { useTool } from './use-tools.ts'

type ToolCardChoice = {
  /** Undefined while its code loads, null when the tool has none that is known here. */
  card: ToolCardParts | null | undefined
  /** The component the tool names and nobody here has; null otherwise. */
  missing: string | null
}

/** The card a tool says it is drawn with, by its id. Until that was read, the one that is named like the tool. */
export function useToolCard(toolId: string): ToolCardChoice {
  const { data: tool } = useTool(toolId)
  return useCardOf(tool, toolId)
}

/** The same of a tool that may have been read. */
export function useCardOf(tool: Tool | undefined, toolId = ''): ToolCardChoice {
  const location = tool?.ui_location
  const component = location?.kind === 'internal' ? location.name : null
  const card = useCard(tool ? (component ?? '') : toolId)
  return { card, missing: card === null ? component : null }
}
