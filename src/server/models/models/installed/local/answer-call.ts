import { randomUUID } from 'node:crypto'
import { tryJson } from '../../../../platform/outbound/foreign/foreign.ts'
import { fitSchema } from '../../adapting/tool-schemas/fit-schema.ts'
import { record } from '../../adapting/tool-schemas/schema-parts.ts'
import type { FinishReason, GivePart, JsonSchema, ModelCall, ModelTool } from '../../port.ts'
import { dropNulls, grammarSchema } from './grammar-schema.ts'
import { historyOf } from './history.ts'
import type { Functions, Grammar, OpenModel, Sampling } from './llama.ts'

/** Output tokens when the call sets no limit. */
const MAX_TOKENS = 1_024
/** Tool calls per answer. */
const MAX_CALLS = 4
const TOP_P = 0.95
const REPEAT_PENALTY = { penalty: 1.1, lastTokens: 64 }
const TEMPERATURE = 0.6

/** Generates one answer. `said` is the text that an earlier process already wrote of it. @throws the reason of `signal` */
export async function answerCall(
  model: OpenModel,
  call: ModelCall,
  said: string,
  signal: AbortSignal,
  give: GivePart,
): Promise<void> {
  const { sequence } = model
  const before = { input: sequence.tokenMeter.usedInputTokens, output: sequence.tokenMeter.usedOutputTokens }
  const reason = await write(model, call, said, signal, give)
  const read = sequence.tokenMeter.usedInputTokens - before.input
  const output_tokens = sequence.tokenMeter.usedOutputTokens - before.output
  // The KV cache keeps the prefix shared with the previous call, so those tokens are not evaluated again.
  const input_tokens = Math.max(read, sequence.nextTokenIndex - output_tokens)
  give({
    type: 'usage',
    ...{ input_tokens, cached_tokens: input_tokens - read, reasoning_tokens: 0, output_tokens },
    estimated: false,
  })
  give({ type: 'finish', reason })
}

async function write(
  model: OpenModel,
  call: ModelCall,
  said: string,
  signal: AbortSignal,
  give: GivePart,
): Promise<FinishReason> {
  const form = formOf(call)
  const limit = Math.min(call.max_output_tokens ?? MAX_TOKENS, Math.floor(model.context_tokens / 2))
  const grammar = form.schema && (await model.llama.createGrammarForJsonSchema(form.schema))
  const isQuiet = form.kind === 'call'
  const answer = await model.chat.generateResponse(historyOf(call, form.note, said), {
    ...samplingOf(call),
    ...{ signal, maxTokens: Math.max(1, limit) },
    ...(grammar ? { grammar } : functionsOf(call)),
    onResponseChunk: ({ type, text }) => {
      if (text === '' || isQuiet) return
      give(type === 'segment' ? { type: 'reasoning', text } : { type: 'text', text })
    },
  })
  if (form.kind === 'call') return giveChosen(call, answer.response, give)
  const calls = answer.functionCalls ?? []
  for (const { functionName, params } of calls) giveCall(call.tools, functionName, params, give)
  if (calls.length > 0) return 'tool-calls'
  return answer.metadata.stopReason === 'maxTokens' ? 'length' : 'stop'
}

/** Returns the engine's sampling parameters. The engine has no effort, and Atrium cuts the answer at `stop`. */
function samplingOf({ temperature = TEMPERATURE, sampling = {} }: ModelCall): Sampling {
  const { top_p, top_k, seed, frequency_penalty, presence_penalty } = sampling
  return {
    ...{ temperature, topP: top_p ?? TOP_P, seed: seed ?? Math.floor(Math.random() * 2 ** 31) },
    ...(top_k !== undefined && { topK: top_k }),
    repeatPenalty: {
      ...REPEAT_PENALTY,
      ...(frequency_penalty !== undefined && { frequencyPenalty: frequency_penalty }),
      ...(presence_penalty !== undefined && { presencePenalty: presence_penalty }),
    },
  }
}

type Form = { kind: 'text' | 'call'; note: string; schema: Record<string, unknown> | null }

/** Returns the form of the answer: text, JSON that follows a schema, or JSON of a required tool call. */
function formOf({ tools, tool_choice, output }: ModelCall): Form {
  if (output) {
    const { schema } = fitSchema(output.schema, { isPlain: false, isGoogle: false })
    const note = `Answer with JSON of this schema alone: ${JSON.stringify(schema)}`
    return { kind: 'text', note, schema: grammarSchema(schema) }
  }
  const named =
    typeof tool_choice === 'object' ? tools.filter(({ name }) => name === tool_choice.name) : tools
  if (tool_choice === 'auto' || tool_choice === 'none' || named.length === 0)
    return { kind: 'text', note: '', schema: null }
  const described = named.map(({ name, description, input_schema }) =>
    JSON.stringify({ tool: name, description, arguments: input_schema }),
  )
  const note = `Call one of these tools. Answer with JSON of the form {"tool": NAME, "arguments": {…}} alone.\n${described.join('\n')}`
  const choices = named.map(({ name, input_schema }) => ({
    type: 'object',
    properties: { tool: { const: name }, arguments: objectGrammar(input_schema) },
  }))
  return { kind: 'call', note, schema: choices.length === 1 ? (choices[0] ?? null) : { oneOf: choices } }
}

/** Tool arguments are always an object, even if the schema states no type. */
const objectGrammar = (schema: JsonSchema) => grammarSchema({ ...schema, type: 'object' })

function functionsOf({ tools, tool_choice }: ModelCall): {
  functions?: Functions
  maxParallelFunctionCalls?: number
  grammar?: Grammar
} {
  if (tools.length === 0 || tool_choice === 'none') return {}
  const functions = tools.map(({ name, description, input_schema }) => [
    name,
    { description, params: objectGrammar(input_schema) },
  ])
  return { functions: Object.fromEntries(functions), maxParallelFunctionCalls: MAX_CALLS }
}

/** Emits the tool call that the grammar forced. JSON that was cut off counts as reaching the token limit. */
function giveChosen({ tools }: ModelCall, text: string, give: GivePart): FinishReason {
  const { tool, arguments: args } = record(tryJson(text.trim()))
  if (typeof tool !== 'string') return 'length'
  giveCall(tools, tool, args, give)
  return 'tool-calls'
}

function giveCall(tools: readonly ModelTool[], name: string, params: unknown, give: GivePart): void {
  const schema = tools.find((tool) => tool.name === name)?.input_schema ?? {}
  const input = JSON.stringify(dropNulls(record(params), schema))
  give({ type: 'tool-call', id: `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`, name, input })
}
