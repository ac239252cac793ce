import { tryJson } from '../../../../platform/outbound/foreign/foreign.ts'
import type { ModelCall, ModelMessage, ToolResultPart } from '../../port.ts'
import type { HistoryCall, HistoryItem } from './llama.ts'

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>

/**
 * Converts the messages of a call to the engine's history. The last item is the answer to generate, which begins with `said`.
 * Thoughts are left out; files are replaced by their names.
 */
export function historyOf(
  { messages }: Pick<ModelCall, 'messages'>,
  note: string,
  said: string,
): HistoryItem[] {
  const results = new Map(
    messages
      .filter((message): message is ToolMessage => message.role === 'tool')
      .flatMap(({ content }) => content.map((result) => [result.id, result] as const)),
  )
  const items: HistoryItem[] = []
  const system = [...messages.flatMap((one) => (one.role === 'system' ? [one.content] : [])), note]
  const instructions = system.filter((text) => text !== '').join('\n\n')
  if (instructions) items.push({ type: 'system', text: instructions })
  for (const message of messages) {
    if (message.role === 'user') items.push({ type: 'user', text: userText(message.content) })
    if (message.role === 'assistant') lastAnswer(items).push(...responseOf(message.content, results))
  }
  const answer = lastAnswer(items)
  if (said) answer.push(said)
  return items
}

/** Returns the open response of the model. Tool calls and the text after them form one response. */
function lastAnswer(items: HistoryItem[]): (string | HistoryCall)[] {
  const last = items.at(-1)
  if (last?.type === 'model') return last.response
  const response: (string | HistoryCall)[] = []
  items.push({ type: 'model', response })
  return response
}

function responseOf(
  content: Extract<ModelMessage, { role: 'assistant' }>['content'],
  results: ReadonlyMap<string, ToolResultPart>,
): (string | HistoryCall)[] {
  return content.flatMap((part): (string | HistoryCall)[] => {
    if (part.type === 'text') return part.text === '' ? [] : [part.text]
    if (part.type === 'reasoning') return []
    const { id, name, input } = part
    const result = results.get(id)?.output ?? 'There is no result.'
    return [{ type: 'functionCall', name, params: tryJson(input) ?? {}, result }]
  })
}

function userText(content: Extract<ModelMessage, { role: 'user' }>['content']): string {
  return content
    .map((part) => (part.type === 'text' ? part.text : `[File: ${part.name ?? part.media_type}]`))
    .join('\n\n')
}
