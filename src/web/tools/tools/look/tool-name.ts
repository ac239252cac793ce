import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { nameOfTool } from '../../../platform/i18n/tool-words.ts'

/** Returns the translated name of a tool, or the server's name until translations are loaded. */
export function useToolName(toolId: string, fallback: string): string {
  const { t } = useTranslation('tool_ui', { useSuspense: false })
  return nameOfTool(t, { tool_id: toolId, tool_name: fallback })
}
