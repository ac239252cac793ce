import type { Adaptation } from '#shared/models/connections/adaptations.ts'
import { aboutOf } from '../adapting/learned.ts'
import { saysNoTools, wantsThoughts } from '../adapting/refusal-words.ts'

type Body = Record<string, unknown>
type Concession = { about: string; refused: RegExp; change: (body: Body) => Body | null }

/**
 * Parameters that servers are known to refuse. `change` returns the body without the parameter, or null when the body does not
 * contain it.
 */
const concessions: Concession[] = [
  {
    about: 'stream',
    refused:
      /(?:not? support|n['’]t support|verified to|not allow|unsupported|without|disable).{0,30}\bstream(?:ing|ed)?\b(?!_)|\bstream(?:ing|ed)?\b(?!_).{0,30}(?:not (?:be )?(?:support|allow|available|enabled)|unsupported|must be false|disabled)/i,
    change: withoutStream,
  },
  {
    about: 'content',
    refused:
      /\bcontent\b.{0,60}(?:\bnull\b|\bnone\b|a (?:valid )?string|missing|required)|(?:missing|required|null).{0,30}\bcontent\b/i,
    change: withoutNulls,
  },
  { about: 'stream_options', refused: /stream_options|include_usage/i, change: without('stream_options') },
  {
    about: 'max_completion_tokens',
    refused:
      /use .{0,6}max_?completion_?tokens|max_tokens.{0,80}(?:not supported|unsupported|unrecognized|not permitted|unexpected)|(?:unsupported|unrecognized|unexpected).{0,40}max_tokens/i,
    change: renameMaxTokens,
  },
  { about: 'cache_control', refused: /cache_control|cache control|prompt caching/i, change: withoutCaching },
  { about: 'temperature', refused: /temperature/i, change: without('temperature') },
  { about: 'thinkingConfig', refused: /thinking/i, change: withoutThinkingConfig },
  { about: 'reasoning_effort', refused: /reasoning.?effort/i, change: without('reasoning_effort') },
  { about: 'include', refused: /encrypted.content/i, change: without('include') },
  { about: 'thoughts', refused: /reasoning_(content|details)/i, change: withoutThoughts },
  {
    about: 'tool_choice',
    refused: /tool_choice|tool choice|function_calling_config/i,
    change: easeToolChoice,
  },
  {
    about: 'response_format',
    refused: /response_format|json.?(?:schema|object|mode)|guided|structured output|grammar|\bschema\b/i,
    change: easeFormat,
  },
]

/** Common words, which are parameters only where they are marked as such. */
const COMMON = new Set(['text', 'store', 'include', 'input', 'system', 'reasoning', 'metadata', 'user'])
/** Parameters that every request needs. */
const ESSENTIAL = new Set([
  'model',
  'messages',
  'input',
  'contents',
  'stream',
  'tools',
  'max_tokens',
  'system',
])
const UNKNOWN_WORDS =
  /unsupported|not (?:be )?support|only support|n['’]t (?:be )?support|unrecognized|unknown|unexpected|not permitted|not allowed|invalid|deprecated|extra/i

/** Returns the body without the parameters that this server is known to refuse. */
export function applyConcessions(body: Body, facts: readonly Adaptation[]): Body {
  let result = body
  for (const about of aboutOf(facts, 'parameter')) result = changeBody(result, about) ?? result
  return result
}

/** Returns the body without what the server's sentence refuses, and the fact to learn; null when nothing can be dropped. */
export function concede(body: Body, said: string): { fact: Adaptation; body: Body } | null {
  // Missing thoughts and unsupported tools are no parameters to drop.
  if (wantsThoughts(said)) return null
  for (const { about, refused } of concessions) {
    if (!refused.test(said) || (about === 'tool_choice' && saysNoTools(said))) continue
    const changed = changeBody(body, about)
    if (changed) return { fact: { name: 'parameter', about }, body: changed }
  }
  const unknown = UNKNOWN_WORDS.test(said) && Object.keys(body).find((name) => isNamed(said, name))
  return unknown
    ? { fact: { name: 'parameter', about: unknown }, body: without(unknown)(body) ?? body }
    : null
}

function changeBody(body: Body, about: string): Body | null {
  const known = concessions.find((one) => one.about === about)
  if (known) return known.change(body)
  return ESSENTIAL.has(about) ? null : without(about)(body)
}

function isNamed(said: string, name: string): boolean {
  if (ESSENTIAL.has(name)) return false
  // Proxies name parameters as their own code does: `presencePenalty`.
  const camel = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  const words = said.split(/[^A-Za-z0-9_]/)
  if (!COMMON.has(name)) return words.includes(name) || words.includes(camel)
  return [`'${name}'`, `"${name}"`, `\`${name}\``, `${name}:`].some((word) => said.includes(word))
}

function without(name: string) {
  return ({ [name]: given, ...rest }: Body): Body | null => (given === undefined ? null : rest)
}

/** The answer then comes as one document. */
function withoutStream({ stream, stream_options: _, ...rest }: Body): Body | null {
  return stream === true ? { ...rest, stream: false } : null
}

/** Some servers refuse messages without a text, which only call tools. */
function withoutNulls(body: Body): Body | null {
  const messages = Array.isArray(body.messages) ? (body.messages as Body[]) : []
  if (!messages.some(({ content }) => content === null)) return null
  return { ...body, messages: messages.map((one) => (one.content === null ? { ...one, content: '' } : one)) }
}

function renameMaxTokens({ max_tokens, ...rest }: Body): Body | null {
  return max_tokens === undefined || !rest.messages ? null : { ...rest, max_completion_tokens: max_tokens }
}

/** Servers with Anthropic's API may support no cache, and no system message in blocks. */
function withoutCaching(body: Body): Body | null {
  if (!JSON.stringify([body.system, body.tools, body.messages]).includes('"cache_control"')) return null
  const strip = ({ cache_control: _, ...block }: Body): Body => block
  const inBlocks = (list: unknown) => (Array.isArray(list) ? list.map(strip) : list)
  const messages = (body.messages as Body[]).map((turn) => ({ ...turn, content: inBlocks(turn.content) }))
  const texts = Array.isArray(body.system) ? body.system.map(({ text }: Body) => text).join('\n\n') : null
  return {
    ...body,
    messages,
    ...(texts !== null && { system: texts }),
    ...(body.tools !== undefined && { tools: inBlocks(body.tools) }),
  }
}

/** Google's option is nested in `generationConfig`. */
function withoutThinkingConfig({ generationConfig, ...body }: Body): Body | null {
  if (typeof generationConfig !== 'object' || generationConfig === null) return null
  const { thinkingConfig, ...rest } = generationConfig as Body
  return thinkingConfig === undefined ? null : { ...body, generationConfig: rest }
}

function withoutThoughts(body: Body): Body | null {
  const messages = body.messages as Body[] | undefined
  if (!messages?.some((message) => 'reasoning_content' in message || 'reasoning_details' in message))
    return null
  return {
    ...body,
    messages: messages.map(({ reasoning_content: _, reasoning_details: __, ...message }) => message),
  }
}

/** Requires the only tool on offer where a server supports no named choice. Other servers support only `auto`. */
function easeToolChoice(body: Body): Body | null {
  const { tool_choice } = body
  if (typeof tool_choice === 'object' && tool_choice !== null) {
    const { name, function: named } = tool_choice as { name?: string; function?: { name: string } }
    const tools = (body.tools as { name?: string; function?: { name: string } }[]).filter(
      (tool) => (tool.function?.name ?? tool.name) === (named?.name ?? name),
    )
    return { ...body, tools, tool_choice: 'required' }
  }
  return tool_choice === undefined || tool_choice === 'auto' ? null : { ...body, tool_choice: 'auto' }
}

/** Asks a server without schemas for any JSON, with the schema in words. */
function easeFormat(body: Body): Body | null {
  const format = body.response_format as { type: string; json_schema?: { schema: unknown } } | undefined
  if (!format) return null
  if (format.type !== 'json_schema') return without('response_format')(body)
  const content = `Answer with JSON that follows this schema, and nothing else: ${JSON.stringify(format.json_schema?.schema)}`
  return {
    ...body,
    messages: addInstruction(body.messages as Body[], content),
    response_format: { type: 'json_object' },
  }
}

/** Appends to the existing instructions, because many templates refuse a second message of them. */
function addInstruction(messages: Body[], words: string): Body[] {
  const at = messages.findIndex(({ role, content }) => role === 'system' && typeof content === 'string')
  if (at < 0) return [{ role: 'system', content: words }, ...messages]
  return messages.map((message, index) =>
    index === at ? { ...message, content: `${String(message.content)}\n\n${words}` } : message,
  )
}
