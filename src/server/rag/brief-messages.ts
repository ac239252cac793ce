import { findCitations, replaceCitations } from '#shared/citations/tags.ts'
import { DocumentAnswer } from '#shared/rag/rag.ts'
import { parseJson } from '#shared/runs/join.ts'
import type { ModelMessage } from '../models/port.ts'
import type { Passage } from '../search/search.ts'
import { CITE_DOCUMENTS } from './rag-prompts.ts'
import { tellPassages } from './tell-passages.ts'

/** The tool whose results name passages. */
export const DOCUMENT_SEARCH = 'document_search'
const WITHDRAWN = '[Left out: a document it relies on is no longer available.]'

/**
 * Messages with the passages of `known` that are still readable behind the question, by their numbers, and with every marker that names one of
 * them in that number. An answer that relies on what is no longer readable is left out.
 */
export function briefMessages(
  messages: readonly ModelMessage[],
  known: readonly string[],
  readable: ReadonlyMap<string, Passage>,
): ModelMessage[] {
  const given = known.flatMap((id, at) => {
    const passage = readable.get(id)
    return passage ? [{ number: at + 1, passage }] : []
  })
  const mark = (text: string) =>
    replaceCitations(text, (id) => (readable.has(id) ? `[${known.indexOf(id) + 1}]` : ''))
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  return messages.map((message, at): ModelMessage => {
    if (message.role === 'system') return { ...message, content: `${message.content}\n\n${CITE_DOCUMENTS}` }
    if (message.role === 'tool')
      return { ...message, content: message.content.map((part) => briefResult(part, mark, readable)) }
    if (message.role !== 'user') return message
    const content = message.content.map((part) =>
      part.type === 'text' ? { ...part, text: mark(part.text) } : part,
    )
    return at === asked
      ? { role: 'user', content: [...content, { type: 'text', text: tellPassages(given) }] }
      : { role: 'user', content }
  })
}

type Result = Extract<ModelMessage, { role: 'tool' }>['content'][number]

/** Of a search its answer alone: its passages stand with the others. */
function briefResult(
  part: Result,
  mark: (text: string) => string,
  readable: ReadonlyMap<string, Passage>,
): Result {
  const answer = part.name === DOCUMENT_SEARCH && !part.is_error ? readDocumentAnswer(part.output) : null
  if (!answer) return part
  const isWhole = findCitations(answer.response).every(({ chunk_id }) => readable.has(chunk_id))
  const { question, is_answered, searched } = answer
  const response = isWhole ? mark(answer.response) : WITHDRAWN
  return { ...part, output: JSON.stringify({ question, response, is_answered, searched }) }
}

/** What a search answered, as its result is handed to a model; null for a failure. */
export function readDocumentAnswer(output: string): DocumentAnswer | null {
  return DocumentAnswer.safeParse(parseJson(output)).data ?? null
}
