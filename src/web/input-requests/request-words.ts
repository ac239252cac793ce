import type { InputRequiredBlock } from '#shared/runs/blocks.ts'
import type { TFunction } from '../i18n/i18n.ts'
import { nameOfOption, nameOfTool } from '../lib/tool-words.ts'
import { argumentsOf } from './tool-arguments.ts'

const LONG = 120
/** What may stand before the name of a choice. */
const SIGN = /^[^\p{L}\p{N}]+/u

/** A request in one sentence; what is asked about tools is said in the person's language (`tool_ui`). */
export function requestWords({ kind, tool, prompt }: InputRequiredBlock, t: TFunction): string {
  if (kind === 'interrupted' && tool) return t('common:inbox.interrupted', { tool: nameOfTool(t, tool) })
  if (kind !== 'approval' || !tool) return prompt
  const input = (tool.input ?? {}) as Record<string, unknown>
  const given = argumentsOf(tool.input_schema, input)
    .filter(({ name }) => name in input)
    .map(({ name, options }) => {
      const value = input[name]
      if (typeof value !== 'string') return JSON.stringify(value)
      return options.includes(value) ? nameOfOption(t, tool.tool_id, name, value).replace(SIGN, '') : value
    })
    .join(', ')
  const args = given.length > LONG ? `${given.slice(0, LONG)}…` : given
  return t(args ? 'common:inbox.allow_with' : 'common:inbox.allow', { tool: nameOfTool(t, tool), args })
}
