import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { type GivePart, type ModelCall, ModelError } from '../../src/server/models/models/port.ts'
import { streamSdkModel } from '../../src/server/models/models/sdk/adapter.ts'
import { defaultLimits } from '../../src/server/models/models/wire/allowance.ts'
import { openGate } from '../../src/server/models/models/wire/gate.ts'
import { streamOverWire } from '../../src/server/models/models/wire/stream.ts'
import { anthropicMessages } from '../../src/server/models/providers/anthropic/anthropic-messages.ts'
import { streamCohere } from '../../src/server/models/providers/cohere/stream-cohere.ts'
import { openaiChat } from '../../src/server/models/providers/compatible/openai-chat.ts'
import { googleGenerate } from '../../src/server/models/providers/google/google-generate.ts'
import { openaiResponses } from '../../src/server/models/providers/openai/openai-responses.ts'
import type { Recording } from './recordings.ts'

/** Result of reading a recording. */
export type Reading = {
  text: string
  reasoning: string
  tool_calls: { name: string; arguments: string }[]
  finish: string | null
  usage: { input: number; output: number } | null
  error: string | null
}

const patience = { firstMs: 10_000, quietMs: 10_000, idleMs: 10_000, attempts: 1, backoffMs: 1 }

const dialects = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  'anthropic-messages': anthropicMessages,
  'google-generate': googleGenerate,
}

/** Reads a recording with the product's own dialect, or through the adapter where there is none. */
export function readWithProduct(recording: Recording, base_url: string): Promise<Reading> {
  const endpoint = { provider: 'recorded', base_url, api_key: 'recorded' }
  const { dialect } = recording
  if (dialect === 'embeddings') throw new Error('an embedding is not an answer')
  return collect(async (give) => {
    const stream =
      dialect === 'cohere-chat'
        ? await streamCohere(endpoint, patience, defaultLimits, openGate(endpoint))
        : streamOverWire(dialects[dialect], endpoint, patience)
    await stream(callFor(recording), AbortSignal.timeout(20_000), give)
  })
}

/** Reads the same recording with the AI SDK's provider. */
export function readWithSdk(recording: Recording, baseURL: string): Promise<Reading> {
  const model = sdkModel(recording.dialect, baseURL)
  return collect((give) => streamSdkModel(model, callFor(recording), AbortSignal.timeout(20_000), give))
}

function sdkModel(dialect: Recording['dialect'], baseURL: string): LanguageModelV4 {
  const options = { baseURL, apiKey: 'recorded' }
  if (dialect === 'openai-responses') return createOpenAI(options).responses('recorded')
  if (dialect === 'anthropic-messages') return createAnthropic(options)('recorded')
  if (dialect === 'google-generate') return createGoogleGenerativeAI(options)('recorded')
  return createOpenAICompatible({ ...options, name: 'recorded' })('recorded')
}

function callFor(recording: Recording): ModelCall {
  const names = new Set(
    recording.expect?.tool_calls.filter((call) => !call.server).flatMap((call) => call.name ?? []),
  )
  return {
    model: 'recorded',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'recorded' }] }],
    tools: [...names].map((name) => ({
      name,
      description: name,
      input_schema: { type: 'object', properties: {} },
    })),
    tool_choice: 'auto',
  }
}

async function collect(stream: (give: GivePart) => Promise<void>): Promise<Reading> {
  const reading: Reading = { text: '', reasoning: '', tool_calls: [], finish: null, usage: null, error: null }
  try {
    await stream((part) => {
      if (part.type === 'text') reading.text += part.text
      else if (part.type === 'reasoning') reading.reasoning += part.text
      else if (part.type === 'tool-call') reading.tool_calls.push({ name: part.name, arguments: part.input })
      else if (part.type === 'usage') reading.usage = { input: part.input_tokens, output: part.output_tokens }
      else if (part.type === 'finish') reading.finish = part.reason
    })
  } catch (error) {
    reading.error = error instanceof ModelError ? `${error.kind}: ${error.message}` : String(error)
  }
  return reading
}
