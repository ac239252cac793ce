import type { InputRequiredBlock } from '#shared/runs/blocks.ts'
import type { TFunction } from '../i18n/i18n.ts'

const LONG = 120

/** A request in one sentence; what is asked about tools is said in the person's language. */
export function requestWords({ kind, tool, prompt }: InputRequiredBlock, t: TFunction): string {
  if (kind === 'interrupted' && tool) return t('common:inbox.interrupted', { tool: tool.tool_name })
  if (kind !== 'approval' || !tool) return prompt
  const given = Object.values((tool.input ?? {}) as Record<string, unknown>)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(', ')
  const args = given.length > LONG ? `${given.slice(0, LONG)}…` : given
  return t(args ? 'common:inbox.allow_with' : 'common:inbox.allow', { tool: tool.tool_name, args })
}
