import type { InputRequiredBlock } from '#shared/runs/runs/blocks.ts'
import { formatNumber } from '../../platform/i18n/format.ts'
import type { TFunction } from '../../platform/i18n/i18n.ts'
import { nameOfInput, nameOfOption, nameOfTool } from '../../platform/i18n/tool-words.ts'
import { hostsText } from './leaving.tsx'
import { type Argument, argumentsOf } from './tool-arguments.ts'

const LONG = 120
/** Possible prefix of a choice's name. */
const SIGN = /^[^\p{L}\p{N}]+/u

/** Returns a request as one sentence; requests of tools are in the person's language (`tool_ui`). */
export function requestWords({ kind, tool, prompt }: InputRequiredBlock, t: TFunction): string {
  if (kind === 'interrupted' && tool) return t('common:inbox.interrupted', { tool: nameOfTool(t, tool) })
  if (kind === 'sign_in' && tool?.account)
    return t('streaming_blocks:input.sign_in.words', { ...tool.account, tool: nameOfTool(t, tool) })
  if (kind !== 'approval' || !tool) return prompt
  if (tool.outward?.by_rule)
    return t('common:inbox.allow_sends', { tool: nameOfTool(t, tool), hosts: hostsText(tool.outward, t) })
  const input = (tool.input ?? {}) as Record<string, unknown>
  const given = argumentsOf(tool.input_schema, input).filter(({ name }) => name in input)
  const name = nameOfTool(t, tool)
  const choice = given.map((one) => input[one.name]).find((_, at) => given[at]?.options.length)
  const shown = Object.fromEntries(given.map((one) => [one.name, shorten(show(one, tool.tool_id, input, t))]))
  // A tool may have its own sentence for each choice of its inputs.
  const does = t(`tool_ui:${tool.tool_id}.does`, {
    ...shown,
    context: String(choice ?? ''),
    defaultValue: '',
  })
  if (does && given.length > 0) return t('common:inbox.allow_does', { tool: name, does })
  const args = given
    .map((one) => `${nameOfInput(t, tool.tool_id, one.name)}${t('common:inbox.colon')}${shown[one.name]}`)
    .join(', ')
  return t(args ? 'common:inbox.allow_with' : 'common:inbox.allow', { tool: name, args: shorten(args) })
}

function show({ name, options }: Argument, toolId: string, input: Record<string, unknown>, t: TFunction) {
  const value = input[name]
  if (typeof value === 'number') return formatNumber(value, { maximumFractionDigits: 20 })
  if (typeof value === 'boolean') return t(value ? 'common:inbox.yes' : 'common:inbox.no')
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ')
  if (typeof value !== 'string') return JSON.stringify(value)
  return options.includes(value) ? nameOfOption(t, toolId, name, value).replace(SIGN, '') : value
}

const shorten = (text: string) => (text.length > LONG ? `${text.slice(0, LONG)}…` : text)

/** Returns true when a request is for the approval of a plan, whose lines the person may change. */
export const isPlan = ({ checkpoint_name, fields }: InputRequiredBlock): boolean =>
  checkpoint_name.endsWith('waiting_for_input_plan') && fields?.length === 1

/** Returns true when a request is approved rather than answered. */
export const isForApproval = (request: InputRequiredBlock): boolean =>
  request.kind === 'approval' || isPlan(request)

/** Returns the lines of a plan without empty ones. */
export const linesOf = (text: unknown): string[] =>
  typeof text === 'string' ? text.split('\n').filter((line) => line.trim() !== '') : []
