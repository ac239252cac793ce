import type { Tool } from '#shared/tools/tools/tools.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { nameOfInput, nameOfOption, nameOfTool } from '../../../platform/i18n/tool-words.ts'
import { toolIcon } from './tool-look.ts'
import { useCardOf } from './use-tool-card.ts'

/** A tool's name, description and inputs in the language of the interface; as the server has them for tools without texts here. */
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

/** Gives the shown name of any tool. */
export function useNameOf(): (tool: Tool) => string {
  const { t } = useTranslation('tool_ui')
  return ({ id, ui_name, name }) => nameOfTool(t, { tool_id: id, tool_name: ui_name || name })
}

/** The icon of a tool: its card's own, else one chosen by words of its name. */
export function ToolIcon({ tool, className }: { tool: Tool; className: string }) {
  const { card } = useCardOf(tool)
  const Icon = card?.Icon ?? toolIcon(`${tool.name} ${tool.ui_name}`)
  return <Icon aria-hidden className={className} />
}
