import { type ModelCall, ModelError, type ModelPart, type StreamModel } from '../port.ts'
import { sentenceFor } from '../wire/failures.ts'
import { writeBelief } from './belief.ts'
import { fillInput } from './intents.ts'
import { makeWhole } from './make-whole.ts'
import { writeReply } from './reply.ts'
import { sayMemory } from './say-memory.ts'
import { readTask, type Task, textOf } from './task.ts'
import { partsOf, type Work, workThrough } from './work.ts'

/** Characters of a conversation whose words are counted. The count of longer ones is extrapolated. */
const mostCounted = 100_000

/**
 * Creates the built-in model, which needs no key and no download and invents nothing. It calls tools when it recognizes the need,
 * answers what its skills cover, and otherwise says in one sentence that it cannot and how to connect a model.
 */
export function createOfflineModel(clock: { now(): Date }): StreamModel {
  return async (call, signal, give) => {
    signal.throwIfAborted()
    const task = readTask(call)
    const { text, toolCall } =
      call.output && call.output.name !== 'answer'
        ? { text: writeOutput(call, task.text), toolCall: null }
        : respond(call, task, clock.now())
    if (text) give({ type: 'text', text })
    if (toolCall) give(toolCall)
    give({ type: 'usage', ...countUsage(call, text) })
    give({ type: 'finish', reason: toolCall ? 'tool-calls' : 'stop' })
  }
}

function respond(call: ModelCall, task: Task, now: Date): { text: string; toolCall: ModelPart | null } {
  if (task.memory) return { text: sayMemory(task.memory, task.language), toolCall: null }
  if (task.given !== null) return { text: task.given, toolCall: null }
  const canCall = call.tool_choice !== 'none'
  const work = workThrough({ ...task, now, canCall, tools: toolsOf(call) })
  const toolCall = canCall ? chooseTool(call, task, work) : null
  return { text: toolCall ? '' : writeReply(task, work), toolCall }
}

/** Returns the tools that may be called: the one that a user chose, otherwise all offered ones. */
function toolsOf({ tools, tool_choice }: ModelCall) {
  return typeof tool_choice === 'object' ? tools.filter(({ name }) => name === tool_choice.name) : tools
}

/** Returns the next call of the work, otherwise the call of a required tool when no part has an answer. */
function chooseTool(call: ModelCall, { text, results }: Task, { next, parts }: Work): ModelPart | null {
  const id = `call_${results.length + 1}`
  if (next) return { type: 'tool-call', id, name: next.tool, input: JSON.stringify(withEarlier(call, next)) }
  const [tool] = toolsOf(call)
  const isForced = typeof call.tool_choice === 'object' || call.tool_choice === 'required'
  if (!tool || !isForced || results.length > 0 || parts.some(({ answer }) => answer)) return null
  return { type: 'tool-call', id, name: tool.name, input: JSON.stringify(fillInput(tool, text)) }
}

/** A schedule without words of its own repeats the question before. */
function withEarlier(
  { messages }: ModelCall,
  { tool, input }: NonNullable<Work['next']>,
): Record<string, unknown> {
  if (tool !== 'schedule' || input.text !== '') return input
  const asked = messages.filter(({ role }) => role === 'user').at(-2)
  const text = asked ? textOf(asked).slice(0, 10_000).trim() : ''
  return { ...input, text: text || String(input.name), name: (text || String(input.name)).slice(0, 60) }
}

function writeOutput(call: ModelCall, text: string): string {
  const belief = call.output?.name === 'belief' ? writeBelief(text) : null
  if (belief) return JSON.stringify(belief)
  if (call.output?.name === 'question') return JSON.stringify({ question: makeWhole(text) })
  if (call.output?.name !== 'plan') throw new ModelError('not_available', sentenceFor('not_available'))
  const steps = partsOf(text).map(({ description, follows }, i) => {
    return { number: i + 1, description, after: follows ? [i] : [] }
  })
  return JSON.stringify({ steps })
}

/** Counts words and symbols, because this model has no tokenizer. */
function countUsage(call: ModelCall, answered: string) {
  const given = JSON.stringify(call.messages)
  return {
    input_tokens: countWords(given),
    output_tokens: Math.max(countWords(answered), 1),
    cached_tokens: 0,
    reasoning_tokens: 0,
    estimated: Math.max(given.length, answered.length) > mostCounted,
  }
}

function countWords(text: string): number {
  const counted = text.slice(0, mostCounted)
  const count = counted.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)?.length ?? 0
  return Math.round(count * Math.max(1, text.length / mostCounted))
}
