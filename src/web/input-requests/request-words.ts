import type { InputRequiredBlock } from '#shared/runs/blocks.ts'
import type { TFunction } from '../i18n/i18n.ts'
import { nameOfOption, nameOfTool } from '../lib/tool-words.ts'

const LONG = 120

/** A request in one sentence; what is asked about tools is said in the person's language (`tool_ui`). */
export function requestWords({ kind, tool, prompt }: InputRequiredBlock, t: TFunction): string {
  if (kind === 'interrupted' && tool) return t('common:inbox.interrupted', { tool: nameOfTool(t, tool) })
  if (kind !== 'approval' || !tool) return prompt
  const given = Object.entries((tool.input ?? {}) as Record<string, unknown>)
    .map(([name, value]) =>
      typeof value === 'string' ? nameOfOption(t, tool.tool_id, name, value) : JSON.stringify(value),
    )
    .join(', ')
  const args = given.length > LONG ? `${given.slice(0, LONG)}…` : given
  return t(args ? 'common:inbox.allow_with' : 'common:inbox.allow', { tool: nameOfTool(t, tool), args })
}
