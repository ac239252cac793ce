import type { Adaptation } from '#shared/models/connections/adaptations.ts'
import type { ModelCall, ModelMessage } from '../port.ts'
import { callRulesOf } from '../provider/providers.ts'
import { fitWindow } from './fit-window.ts'
import { fitIds, idRuleOf } from './ids.ts'
import { aboutOf, factValue, has, type ModelFacts } from './learned.ts'
import { withoutSampling } from './sampling.ts'
import { picturesOf, showPictures } from './show-pictures.ts'
import { tellTime } from './tell-time.ts'
import { tidyMessages } from './tidy.ts'
import { type FittedTools, fitTools } from './tool-schemas/fit-tools.ts'

/** A call as it is sent, the mapping of the model's calls back to ours, and the changes. */
export type PreparedCall = { call: ModelCall; fitted: FittedTools; made: Adaptation[] }

/** Notes to a model whose last answer could not be used. */
const AGAIN: Record<string, string> = {
  tool_call:
    'Your last tool call could not be read. Call the tool again with valid JSON arguments that follow its schema, or answer in words.',
  empty: 'Your last answer was empty. Answer the last message in words.',
  no_tools_now: 'No tool is available now. Answer the last message in words, from what is known by now.',
}

/** Fits a call to its dialect and to what is known about its model. */
export async function prepareCall(
  call: ModelCall,
  known: readonly Adaptation[],
  facts: ModelFacts,
): Promise<PreparedCall> {
  const rules = callRulesOf(facts.kind)
  const again = aboutOf(known, 'asked_again')
  const isToolless = has(known, 'no_tools') || again.includes('no_tools_now')
  const most = factValue(known, 'tool_limit') ?? rules.maxTools
  const taken = takeTools(call, most)
  const fitted = fitTools(taken, facts.kind, known)
  // Some providers refuse calls and results in the history when no tools are offered.
  const isTold = isToolless || fitted.tools.length === 0
  const tidyFacts: Adaptation[] = isTold ? [...known, { name: 'no_tools' }] : [...known]
  const noted = [...tellTime(call).map((message) => renameCalls(message, fitted)), ...again.flatMap(noteOf)]
  const rule = has(known, 'short_ids') ? 'nine' : idRuleOf(facts.kind, facts.base_url, call.model)
  const messages = fitIds(tidyMessages(noted, tidyFacts), rule)
  const limit = smallest(...known.flatMap(({ name, value }) => (name === 'output_limit' ? [value] : [])))
  const isLimitedNow = aboutOf(known, 'output_limit').includes('now')
  const wanted = call.max_output_tokens ?? (isLimitedNow ? limit : null)
  const { temperature: _, sampling: __, ...others } = call
  const changed: ModelCall = {
    ...others,
    ...withoutSampling(call, aboutOf(known, 'parameter')),
    messages,
    tools: isToolless ? [] : fitted.tools,
    ...nameChoice(call, fitted, isToolless),
    ...(limit && wanted && { max_output_tokens: Math.min(limit, wanted) }),
  }
  if (aboutOf(known, 'parameter').includes('max_tokens') && !rules.outputLimit)
    delete changed.max_output_tokens
  const window = smallest(factValue(known, 'window'), facts.context_tokens)
  const sized =
    window === null
      ? { call: changed, shortened: [], leftOut: [] }
      : await fitWindow(changed, window, facts.count)
  const made = [
    ...madeOf(known, call),
    ...(taken.length < call.tools.length ? [{ name: 'tool_limit' as const, value: most }] : []),
    ...sized.shortened.map((about) => ({ name: 'shortened' as const, about })),
    ...sized.leftOut.map((about) => ({ name: 'left_out_tool' as const, about })),
  ]
  const shown = showPictures(sized.call.messages, { alternating: has(known, 'alternating') })
  return { call: { ...sized.call, messages: shown }, fitted, made: dedupe(made) }
}

/** Returns the facts that changed this call. A lack of tools changes no call without tools. */
function madeOf(known: readonly Adaptation[], { tools, messages }: ModelCall): Adaptation[] {
  const hasFiles = messages.some((message) => picturesOf(message).length > 0)
  const names = new Set(tools.map(({ name }) => name))
  return known.filter(({ name, about }) => {
    if (name === 'no_tools') return tools.length > 0
    if (name === 'no_images') return hasFiles
    if (name === 'left_out_tool') return about !== undefined && names.has(about)
    return name === 'asked_again' || (name === 'plain_tool' && (about === '*' || names.has(about ?? '')))
  })
}

/** Returns as many tools as the provider accepts, including the one that must be called. */
function takeTools({ tools, tool_choice }: ModelCall, most: number): ModelCall['tools'] {
  if (tools.length <= most) return tools
  const chosen = typeof tool_choice === 'string' ? [] : tools.filter(({ name }) => name === tool_choice.name)
  const others = tools.filter((tool) => !chosen.includes(tool)).slice(0, Math.max(0, most - chosen.length))
  const kept = new Set([...chosen, ...others])
  return tools.filter((tool) => kept.has(tool))
}

function nameChoice(
  { tool_choice }: ModelCall,
  fitted: FittedTools,
  isToolless: boolean,
): Pick<ModelCall, 'tool_choice'> {
  if (isToolless || fitted.tools.length === 0) return { tool_choice: 'none' }
  if (typeof tool_choice === 'string') return { tool_choice }
  const name = fitted.nameOf(tool_choice.name)
  return { tool_choice: fitted.tools.some((tool) => tool.name === name) ? { name } : 'auto' }
}

function renameCalls(message: ModelMessage, fitted: FittedTools): ModelMessage {
  if (message.role === 'assistant')
    return {
      ...message,
      content: message.content.map((part) => (part.type === 'tool-call' ? fitted.forth(part) : part)),
    }
  if (message.role !== 'tool') return message
  return { ...message, content: message.content.map((part) => ({ ...part, name: fitted.nameOf(part.name) })) }
}

function noteOf(about: string): ModelMessage[] {
  const text = AGAIN[about]
  return text ? [{ role: 'user', content: [{ type: 'text', text }] }] : []
}

function smallest(...values: (number | null | undefined)[]): number | null {
  const given = values.filter((value): value is number => typeof value === 'number' && value > 0)
  return given.length > 0 ? Math.min(...given) : null
}

function dedupe(made: Adaptation[]): Adaptation[] {
  return [...new Map(made.map((one) => [`${one.name} ${one.about ?? ''}`, one])).values()]
}
