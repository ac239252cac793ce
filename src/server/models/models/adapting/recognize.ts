import type { Adaptation } from '#shared/models/connections/adaptations.ts'
import type { ModelCall, ModelError } from '../port.ts'
import { has } from './learned.ts'
import {
  listsRoles,
  readCredit,
  readOutputLimit,
  readRoom,
  readToolLimit,
  readWindow,
  refusesParameter,
  refusesSignature,
  refusesThoughts,
  saidOfCapability,
  saysAlternate,
  saysNoImages,
  saysNoSystem,
  saysNoTools,
  saysOutputLimit,
  saysSingleCalls,
  saysTemplateFailed,
  saysTooLong,
  saysToolIds,
  saysUnreadableCall,
  wantsThoughts,
} from './refusal-words.ts'
import { samplingOf } from './sampling.ts'

type Call = Pick<ModelCall, 'messages' | 'tools' | 'max_output_tokens' | 'temperature' | 'sampling'>

/** Share of the refused size that is assumed as the window when a refusal names none. */
const UNNAMED_SHARE = 0.7

/**
 * Returns the change to make to a refused call; null when the refusal is final. `counted` counts the tokens of the call.
 * A known fact is not returned again, except a window or a limit that must shrink.
 */
export async function recognize(
  error: ModelError,
  call: Call,
  known: readonly Adaptation[],
  counted: () => Promise<number>,
): Promise<Adaptation | null> {
  const { said, kind } = error
  if (kind === 'unauthorized' || kind === 'no_room') return null
  if (kind === 'invalid_answer' && /it was empty/.test(said))
    return once({ name: 'asked_again', about: 'empty' }, known)
  if (saysUnreadableCall(said))
    return (
      once({ name: 'asked_again', about: 'tool_call' }, known) ??
      once({ name: 'asked_again', about: 'no_tools_now' }, known)
    )
  return (
    recognizeParts(saidOfCapability(said, error.status), call, known) ??
    recognizeSampling(said, call, known) ??
    recognizeTool(said, call, known) ??
    recognizeHistory(said, call, known) ??
    (await recognizeLimit(error, call, known, counted)) ??
    recognizeTemplate(said, call, known)
  )
}

function recognizeParts(said: string, call: Call, known: readonly Adaptation[]): Adaptation | null {
  const noSystem = hasSystem(call) ? once({ name: 'no_system' }, known) : null
  if (noSystem && saysNoSystem(said)) return noSystem
  const noTools = call.tools.length > 0 ? once({ name: 'no_tools' }, known) : null
  // Such a list refuses the role of instructions or of results.
  if (listsRoles(said)) return noSystem ?? noTools
  if (noTools && saysNoTools(said)) return noTools
  if (hasFiles(call) && saysNoImages(said)) return once({ name: 'no_images' }, known)
  // A few servers count instructions as a turn.
  return saysAlternate(said) ? (once({ name: 'alternating' }, known) ?? noSystem) : null
}

/** Servers with a dialect of ours are asked again without such a parameter before; those of the AI SDK are not. */
function recognizeSampling(said: string, call: Call, known: readonly Adaptation[]): Adaptation | null {
  const about = samplingOf(call).find((name) => refusesParameter(said, name))
  return about ? once({ name: 'parameter', about }, known) : null
}

/** Most templates fail over tools, others over the order of the messages or over a system message. */
function recognizeTemplate(said: string, call: Call, known: readonly Adaptation[]): Adaptation | null {
  if (!saysTemplateFailed(said)) return null
  return (
    (call.tools.length > 0 ? once({ name: 'no_tools' }, known) : null) ??
    once({ name: 'alternating' }, known) ??
    (hasSystem(call) ? once({ name: 'no_system' }, known) : null)
  )
}

function recognizeHistory(said: string, call: Call, known: readonly Adaptation[]): Adaptation | null {
  if (!call.messages.some(({ role }) => role === 'tool' || role === 'assistant')) return null
  if (saysSingleCalls(said)) return once({ name: 'single_calls' }, known)
  if (wantsThoughts(said)) return once({ name: 'echo_thoughts' }, known)
  if (refusesSignature(said)) return once({ name: 'no_signatures' }, known)
  if (refusesThoughts(said)) return once({ name: 'no_thoughts' }, known)
  return saysToolIds(said) ? once({ name: 'short_ids' }, known) : null
}

/** A tool with a refused description is simplified first, and left out if that does not help. */
function recognizeTool(said: string, { tools }: Call, known: readonly Adaptation[]): Adaptation | null {
  if (tools.length === 0) return null
  const most = readToolLimit(said, tools.length)
  if (most !== null) return { name: 'tool_limit', value: most }
  if (!/schema|tool|function|propert|grammar|regex|pattern|parameter|json/i.test(said)) return null
  const about = findTool(said, tools)
  if (!about) {
    if (!/schema|grammar|function_declaration|parameters|\bpattern must\b/i.test(said)) return null
    return once({ name: 'plain_tool', about: '*' }, known) ?? once({ name: 'no_tools' }, known)
  }
  return once({ name: 'plain_tool', about }, known) ?? once({ name: 'left_out_tool', about }, known)
}

/** Returns the tool that a sentence names, otherwise the tool at the index it names. */
function findTool(said: string, tools: Call['tools']): string | null {
  const quoted = tools.filter(({ name }) => isNamed(said, name))
  if (quoted[0]) return quoted[0].name
  const place =
    /(?:tools|function_declarations|functionDeclarations|functions)(?:\[|\.)(\d+)(?!\]\.function_declarations)/i.exec(
      said.replace(/tools\[0\]\.function_declarations/i, 'function_declarations'),
    )?.[1]
  return place === undefined ? null : (tools[Number(place)]?.name ?? null)
}

async function recognizeLimit(
  error: ModelError,
  call: Call,
  known: readonly Adaptation[],
  counted: () => Promise<number>,
): Promise<Adaptation | null> {
  const { said, kind } = error
  const asked = call.max_output_tokens
  const credit = readCredit(said)
  if (credit !== null) return once({ name: 'output_limit', about: 'now', value: credit }, known)
  if (asked !== undefined && saysOutputLimit(said)) {
    const value = readOutputLimit(said, asked)
    return value === null
      ? once({ name: 'parameter', about: 'max_tokens' }, known)
      : { name: 'output_limit', value }
  }
  if (kind !== 'too_long' && !saysTooLong(said)) return null
  const sent = await counted()
  const named = readWindow(said)
  const before = known.find(({ name }) => name === 'window')?.value ?? Number.POSITIVE_INFINITY
  const room = readRoom(said)
  // The window is known, so the answer is too long for the rest of it.
  if (named !== null && named >= before && room !== null)
    return once({ name: 'output_limit', about: 'now', value: room }, known)
  // A server that refuses a fitting call counts differently: the window shrinks until the server accepts the call.
  const value = named !== null && named < before ? named : Math.floor(Math.min(sent, before) * UNNAMED_SHARE)
  return value >= 200 && value < before ? { name: 'window', value } : null
}

function once(fact: Adaptation, known: readonly Adaptation[]): Adaptation | null {
  const isKnown = fact.about
    ? known.some(({ name, about }) => name === fact.name && about === fact.about)
    : has(known, fact.name)
  return isKnown ? null : fact
}

const hasSystem = ({ messages }: Pick<ModelCall, 'messages'>) =>
  messages.some(({ role }) => role === 'system')

const hasFiles = ({ messages }: Pick<ModelCall, 'messages'>) =>
  messages.some(({ role, content }) => role === 'user' && content.some(({ type }) => type === 'file'))

/** Returns whether a sentence contains a name as a separate word. */
function isNamed(said: string, name: string): boolean {
  for (let at = said.indexOf(name); at >= 0; at = said.indexOf(name, at + 1)) {
    const around = [said[at - 1] ?? ' ', said[at + name.length] ?? ' ']
    if (around.every((sign) => /[^A-Za-z0-9_-]/.test(sign))) return true
  }
  return false
}
