import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { nameOfTool } from '../../../platform/i18n/tool-words.ts'

/** The name of a tool in the language of the interface; as the server calls it until its texts are there. */
export function useToolName(toolId: string, fallback: string): string {
  const { t } = useTranslation('tool_ui', { useSuspense: false })
  return nameOfTool(t, { tool_id: toolId, tool_name: fallback })
}
