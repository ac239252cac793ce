import { readWrittenCalls } from '../../models/adapting/calls/written-calls.ts'
import { operationUrl } from '../../models/addresses/operation-url.ts'
import type {
  FinishReason,
  ModelCall,
  ModelMessage,
  ModelPart,
  ToolCallPart,
  Usage,
} from '../../models/port.ts'
import { ModelError } from '../../models/port.ts'
import { createAllowance } from '../../models/wire/allowance.ts'
import type { Dialect, WireReader } from '../../models/wire/dialect.ts'
import { isErrorEvent } from '../../models/wire/error-words.ts'
import { failureInStream, sentenceFor } from '../../models/wire/failures.ts'
import { readFinish } from '../../models/wire/finish-words.ts'
import { FOREIGN_SIGNATURE } from '../../models/wire/foreign-signature.ts'
import { parseInput } from '../../models/wire/json-input.ts'
import { generateSampling } from '../../models/wire/write-sampling.ts'
import { withCamelKeys } from './camel-keys.ts'
import { googleHeaders } from './google-headers.ts'

/** Gemini's generateContent. */
export const googleGenerate: Dialect = {
  request: (call, endpoint) => ({
    url: operationUrl(
      endpoint.base_url,
      `/models/${encodeURIComponent(call.model)}:streamGenerateContent?alt=sse`,
    ),
    headers: googleHeaders(endpoint),
    body: writeBody(call),
  }),
  createReader,
  version: 'v1beta',
}

function writeBody(call: ModelCall): Record<string, unknown> {
  const system = call.messages.flatMap((message) =>
    message.role === 'system' ? [{ text: message.content }] : [],
  )
  const declarations = call.tools.map(({ name, description, input_schema }) => ({
    name,
    description,
    parametersJsonSchema: input_schema,
  }))
  return {
    contents: call.messages.flatMap((message) => writeMessage(message, call.model)),
    ...(system.length > 0 && { systemInstruction: { parts: system } }),
    ...(declarations.length > 0 && {
      tools: [{ functionDeclarations: declarations }],
      toolConfig: { functionCallingConfig: writeToolChoice(call.tool_choice) },
    }),
    generationConfig: {
      ...(call.temperature !== undefined && { temperature: call.temperature }),
      ...(call.max_output_tokens !== undefined && { maxOutputTokens: call.max_output_tokens }),
      ...generateSampling(call),
      ...(call.output && { responseMimeType: 'application/json', responseJsonSchema: call.output.schema }),
    },
  }
}

function writeToolChoice(choice: ModelCall['tool_choice']) {
  if (typeof choice !== 'string') return { mode: 'ANY', allowedFunctionNames: [choice.name] }
  return { mode: choice === 'required' ? 'ANY' : choice.toUpperCase() }
}

function writeMessage(message: ModelMessage, model: string): Record<string, unknown>[] {
  switch (message.role) {
    case 'system':
      return []
    case 'user':
      return [
        {
          role: 'user',
          parts: message.content.map((part) =>
            part.type === 'text'
              ? { text: part.text }
              : { inlineData: { mimeType: part.media_type, data: part.data_base64 } },
          ),
        },
      ]
    case 'tool':
      return [
        {
          role: 'user',
          parts: message.content.map(({ name, output, is_error }) => ({
            functionResponse: { name, response: is_error ? { error: output } : { result: output } },
          })),
        },
      ]
    case 'assistant':
      return [{ role: 'model', parts: signFirst(message.content.flatMap(writeAssistantPart), model) }].filter(
        ({ parts }) => parts.length > 0,
      )
  }
}

/** Signs the first of several parallel calls, as Gemini itself does. */
function signFirst(parts: Record<string, unknown>[], model: string): Record<string, unknown>[] {
  const first = parts.findIndex(({ functionCall }) => functionCall !== undefined)
  if (first < 0 || /gemini-[12]\b|gemma/i.test(model)) return parts
  if (parts.some(({ functionCall, thoughtSignature }) => functionCall && thoughtSignature)) return parts
  return parts.with(first, { ...parts[first], thoughtSignature: FOREIGN_SIGNATURE })
}

function writeAssistantPart(
  part: Extract<ModelMessage, { role: 'assistant' }>['content'][number],
): Record<string, unknown>[] {
  const signature =
    'metadata' in part && part.metadata?.signature ? { thoughtSignature: part.metadata.signature } : {}
  if (part.type === 'text') return part.text ? [{ text: part.text }] : []
  if (part.type === 'tool-call')
    return [{ functionCall: { name: part.name, args: parseInput(part.input) }, ...signature }]
  return []
}

type WirePart = {
  text?: string
  thought?: boolean
  thoughtSignature?: string
  functionCall?: {
    id?: string
    name?: string
    args?: unknown
    partialArgs?: PartialArg[]
    willContinue?: boolean
  }
}
type PartialArg = {
  jsonPath: string
  stringValue?: string
  numberValue?: number
  boolValue?: boolean
  nullValue?: unknown
  willContinue?: boolean
}
type WireUsage = {
  promptTokenCount?: number
  candidatesTokenCount?: number
  thoughtsTokenCount?: number
  cachedContentTokenCount?: number
  toolUsePromptTokenCount?: number
}
type Chunk = {
  error?: unknown
  promptFeedback?: { blockReason?: string }
  usageMetadata?: WireUsage
  candidates?: {
    content?: { parts?: (WirePart | null)[] | null } | null
    finishReason?: string
    /** Holds the call after `MALFORMED_FUNCTION_CALL`. */
    finishMessage?: string
    groundingMetadata?: { groundingChunks?: { web?: { uri?: string; title?: string } }[] }
  }[]
}

function createReader({ tools }: Pick<ModelCall, 'tools'>, allowance = createAllowance()): WireReader {
  const calls: ToolCallPart[] = []
  /** Arguments that come in pieces: of so many characters, and text only at the end. */
  const open: { call: ToolCallPart; args: Record<string, unknown>; streamed: number }[] = []
  const sources = new Map<string, string | null>()
  let usage: WireUsage | null = null
  let finish: string | null = null
  let malformed = ''
  let hasCandidates = false
  let hasText = false

  const readCall = (part: WirePart): void => {
    const { id, name, args, partialArgs } = part.functionCall ?? {}
    if (name) {
      const call: ToolCallPart = {
        type: 'tool-call',
        id: id ?? `call_${calls.length + 1}`,
        name,
        input: args ? JSON.stringify(args) : '{}',
      }
      if (part.thoughtSignature) call.metadata = { signature: part.thoughtSignature }
      allowance.keep(part.thoughtSignature?.length ?? 0)
      calls.push(call)
      allowance.call(calls.length, call.input.length, call.input.length)
      open.push({ call, args: (args as Record<string, unknown>) ?? {}, streamed: 0 })
    }
    const current = open.at(-1)
    if (!current) return
    for (const piece of partialArgs ?? []) {
      addArgument(current.args, piece)
      const added = piece.jsonPath.length + (piece.stringValue?.length ?? 0)
      current.streamed += added
      allowance.call(calls.length, current.streamed, added)
    }
  }

  return {
    read(event) {
      // Some gateways wrap each chunk.
      const { response } = event as { response?: Chunk | null }
      const chunk = withCamelKeys(response ?? (event as Chunk))
      if (chunk.error) throw failureInStream(chunk.error)
      if (!chunk.candidates && isErrorEvent(chunk)) throw failureInStream(chunk)
      usage = chunk.usageMetadata ? { ...usage, ...chunk.usageMetadata } : usage
      if (chunk.promptFeedback?.blockReason) finish ??= 'SAFETY'
      const candidate = chunk.candidates?.[0]
      hasCandidates ||= candidate !== undefined
      finish = candidate?.finishReason ?? finish
      malformed = candidate?.finishMessage ?? malformed
      for (const { web } of candidate?.groundingMetadata?.groundingChunks ?? [])
        if (web?.uri && !sources.has(web.uri)) {
          allowance.keep(web.uri.length + (web.title?.length ?? 0))
          sources.set(web.uri, web.title ?? null)
        }
      return (candidate?.content?.parts ?? []).flatMap((part): ModelPart[] => {
        if (!part) return []
        if (part.functionCall) readCall(part)
        if (!part.text) return []
        hasText ||= !part.thought
        return [part.thought ? { type: 'reasoning', text: part.text } : { type: 'text', text: part.text }]
      })
    },
    end(ending) {
      const isWhole = (hasText || calls.length > 0) && open.every(({ streamed }) => streamed === 0)
      if (ending !== 'unknown' && isWhole) finish ??= 'STOP'
      // An answer without candidates is empty.
      if (finish === null && usage && !hasCandidates) finish = 'OTHER'
      if (finish === null) throw new ModelError('interrupted', sentenceFor('interrupted'))
      const written = finish === 'MALFORMED_FUNCTION_CALL' ? readMalformed(malformed, tools) : []
      calls.push(...written)
      const ended = written.length > 0 ? 'tool-calls' : readFinish(finish)
      for (const { call, args, streamed } of open) if (streamed > 0) call.input = JSON.stringify(args)
      const found = [...sources].map(([url, title]) => ({ type: 'source' as const, url, title }))
      const reason: FinishReason = calls.length > 0 ? 'tool-calls' : ended
      return [
        ...found,
        ...calls,
        ...(usage ? [{ type: 'usage' as const, ...readUsage(usage) }] : []),
        { type: 'finish', reason },
      ]
    },
  }
}

/** Returns the calls of Python that the provider refused to parse: `Malformed function call: print(default_api.add(a=6))`. */
function readMalformed(message: string, tools: ModelCall['tools']): ToolCallPart[] {
  const code = message.replace(/^malformed function call:?/i, '')
  return readWrittenCalls(code.slice(0, MAX_MALFORMED), tools) ?? []
}

const MAX_MALFORMED = 100_000

/** An array that is written at a place far behind its end would be filled up to it. */
const INDEX_MAX = 10_000

/** Arguments that are streamed name their place by a JSON path such as `$.filter.names[0]`. */
function addArgument(args: Record<string, unknown>, piece: PartialArg): void {
  const steps = [...piece.jsonPath.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\['([^']+)'\]/g)].map(
    ([, name, index, quoted]) => name ?? quoted ?? Number(index),
  )
  const last = steps.pop()
  // Writing to properties that every object inherits would pollute the prototype.
  const isForbidden = (step: string | number) => step in Object.prototype || Number(step) > INDEX_MAX
  if (last === undefined || [...steps, last].some(isForbidden)) return
  let place: Record<string | number, unknown> = args
  for (const [i, step] of steps.entries()) {
    const next = steps[i + 1] ?? last
    const inner = place[step]
    if (typeof inner !== 'object' || inner === null) place[step] = typeof next === 'number' ? [] : {}
    place = place[step] as Record<string | number, unknown>
  }
  const value =
    piece.stringValue ?? piece.numberValue ?? piece.boolValue ?? ('nullValue' in piece ? null : undefined)
  place[last] =
    typeof value === 'string' && typeof place[last] === 'string'
      ? place[last] + value
      : (value ?? place[last] ?? '')
}

function readUsage(usage: WireUsage): Usage {
  const thoughts = usage.thoughtsTokenCount ?? 0
  return {
    input_tokens: (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0),
    output_tokens: (usage.candidatesTokenCount ?? 0) + thoughts,
    cached_tokens: usage.cachedContentTokenCount ?? 0,
    reasoning_tokens: thoughts,
    estimated: false,
  }
}
