import { withoutCitations } from '#shared/platform/citations/citation-tags.ts'
import { parseJson } from '#shared/runs/runs/join.ts'
import type { ModelMessage, ToolCallPart, ToolResultPart } from '../../../models/models/port.ts'
import type { Database } from '../../../platform/db/db.ts'
import { CITING_TOOLS, type EarlierCall, loadCalls, type PathMessage } from './store.ts'

/** Minimum number of replies whose calls are sent. It grows in steps, so that the start of the conversation rarely changes. */
const MIN_REPLIES = 20
const MAX_CALLS_PER_REPLY = 12
const MAX_CHARACTERS_PER_REPLY = 12_000
/** Share of the window for the calls of one reply. */
const REPLY_SHARE = 0.04
const CHARACTERS_PER_TOKEN = 3
const MIN_OUTPUT = 200
const MAX_INPUT = 2_000
/** Characters of a result in a summary of the conversation. */
const SUMMARISED_OUTPUT = 300

/** The tool calls of earlier replies and their results, by message id: calls first, then results. */
export type EarlierCalls = ReadonlyMap<string, ModelMessage[]>

/** Loads the calls of the newest replies. Long results are cut to a share of the window, the same in every turn. */
export async function loadEarlierCalls(
  db: Database,
  path: readonly PathMessage[],
  contextTokens: number,
): Promise<EarlierCalls> {
  const replies = path.filter(({ role }) => role === 'assistant')
  const from = Math.max(0, Math.floor(replies.length / MIN_REPLIES) - 1) * MIN_REPLIES
  const share = Math.floor(contextTokens * REPLY_SHARE * CHARACTERS_PER_TOKEN)
  const room = Math.min(MAX_CHARACTERS_PER_REPLY, share)
  const calls = await loadCalls(
    db,
    replies.slice(from).map(({ id }) => id),
    { input: MAX_INPUT, result: MAX_CHARACTERS_PER_REPLY },
  )
  const byMessage = Map.groupBy(calls, ({ message_id }) => message_id)
  return new Map([...byMessage].map(([id, found]) => [id, writeCalls(found, room)]))
}

/** Returns the size of earlier calls in bytes, at most. */
export function bytesOf(messages: readonly ModelMessage[] | undefined): number {
  return messages ? Buffer.byteLength(JSON.stringify(messages)) : 0
}

/** Returns the text of earlier calls, for counting. */
export function textOfCalls(messages: readonly ModelMessage[] | undefined): string {
  return (messages ?? [])
    .flatMap(({ content }) => content as { input?: string; output?: string; text?: string }[])
    .map(({ input, output, text }) => input ?? output ?? text ?? '')
    .join('\n')
}

/** Returns one line per call, and what the person added, for a summary of the conversation. */
export function describeCalls(messages: readonly ModelMessage[] = []): string[] {
  const added = messages.flatMap((message) =>
    message.role === 'user'
      ? message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
      : [],
  )
  return [...describeEach(messages), ...added.map((text) => `Person, meanwhile: ${text}`)]
}

function describeEach([asked, answered]: readonly ModelMessage[]): string[] {
  if (asked?.role !== 'assistant' || answered?.role !== 'tool') return []
  return answered.content.map(({ id, name, output }) => {
    const call = asked.content.find((part) => part.type === 'tool-call' && part.id === id) as ToolCallPart
    return `Assistant used ${name}(${call.input}): ${cut(output, SUMMARISED_OUTPUT)}`
  })
}

function writeCalls(calls: EarlierCall[], room: number): ModelMessage[] {
  const newest = calls.slice(-MAX_CALLS_PER_REPLY)
  const each = Math.max(MIN_OUTPUT, Math.floor(room / newest.length))
  const parts = newest.map((call) => ({ ...call, id: `call_${call.id.replaceAll('-', '').slice(0, 24)}` }))
  return [
    {
      role: 'assistant',
      content: parts.map(
        ({ id, tool_id, input }): ToolCallPart => ({
          ...{ type: 'tool-call', id, name: tool_id, input: wholeInput(input) },
        }),
      ),
    },
    {
      role: 'tool',
      content: parts.map(
        ({ id, tool_id, error, result }): ToolResultPart => ({
          ...{ type: 'tool-result', id, name: tool_id, is_error: error !== null },
          output: cut(error === null ? readResult(tool_id, result ?? '') : `Error: ${error}`, each),
        }),
      ),
    },
  ]
}

/** Arguments must be a JSON object, so cut or other values are wrapped in one. */
function wholeInput(input: string | null): string {
  const value = parseJson(input ?? '{}')
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return input ?? '{}'
  return JSON.stringify({ input: input ?? '' })
}

/** Results that cite passages are reduced to their answer, because their numbers belong to the earlier turn. */
function readResult(toolId: string, result: string): string {
  const value = parseJson(result)
  if (typeof value === 'string') return value
  const { response } = (value ?? {}) as { response?: unknown }
  if (CITING_TOOLS.includes(toolId) && typeof response === 'string')
    return JSON.stringify({ response: withoutCitations(response) })
  return withoutCitations(result)
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most).toWellFormed()}\n[Cut here: ${text.length - most} more characters.]`
}
