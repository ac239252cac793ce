import type { Tool } from '#shared/tools/tools/tools.ts'
import type { ToolCardParts } from '../../../platform/ui/card-parts.ts'
import { useCard } from './cards.ts'
import { cardOf } from './prepare-cards.ts'
import { useTool } from './use-tools.ts'

type ToolCardChoice = {
  /** Undefined while its code loads; null when the tool has no known card. */
  card: ToolCardParts | null | undefined
  /** Component named by the tool but unknown here; otherwise null. */
  missing: string | null
}

/** Returns the card that a tool names. Until the tool is loaded, returns the card with the tool's name. */
export function useToolCard(toolId: string): ToolCardChoice {
  const { data: tool } = useTool(toolId)
  return useCardOf(tool, toolId)
}

/** Like `useToolCard`, for a tool that may already be loaded. */
export function useCardOf(tool: Tool | undefined, toolId = ''): ToolCardChoice {
  const location = tool?.ui_location
  const component = location?.kind === 'internal' ? location.name : null
  const card = useCard(tool ? cardOf(tool) : toolId)
  return { card, missing: card === null ? component : null }
}
