import type { Tool } from '#shared/tools/tools/tools.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { nameOfInput, nameOfOption, nameOfTool } from '../../../platform/i18n/tool-words.ts'
import { toolIcon } from './tool-look.ts'
import { useCardOf } from './use-tool-card.ts'

/** Returns translated name, description and inputs of a tool, or the server's texts where no translation exists. */
export function useToolTexts({ id, ui_name, name, description }: Tool) {
  const { t } = useTranslation('tool_ui')
  return {
    name: nameOfTool(t, { tool_id: id, tool_name: ui_name || name }),
    description: t(`${id}.description`, { defaultValue: description }),
    inputName: (input: string) => nameOfInput(t, id, input),
    inputText: (input: string, fallback = '') => t(`${id}.inputs.${input}.text`, { defaultValue: fallback }),
    optionName: (input: string, value: string) => nameOfOption(t, id, input, value),
  }
}

/** Returns a function that gives the display name of any tool. */
export function useNameOf(): (tool: Tool) => string {
  const { t } = useTranslation('tool_ui')
  return ({ id, ui_name, name }) => nameOfTool(t, { tool_id: id, tool_name: ui_name || name })
}

/** Icon of a tool: from its card, otherwise chosen by words in its name. */
export function ToolIcon({ tool, className }: { tool: Tool; className: string }) {
  const { card } = useCardOf(tool)
  const Icon = card?.Icon ?? toolIcon(`${tool.name} ${tool.ui_name}`)
  return <Icon aria-hidden className={className} />
}
