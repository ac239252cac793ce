import { CompressedText } from '#shared/knowledge/corpus/corpus.ts'
import { DocumentAnswer } from '#shared/knowledge/rag/rag.ts'
import { findCitations, replaceCitations } from '#shared/platform/citations/citation-tags.ts'
import type { FoundPassage } from '#shared/platform/citations/passages.ts'
import { parseJson } from '#shared/runs/runs/join.ts'
import type { ModelMessage, ToolResultPart } from '../../models/models/port.ts'
import type { Passage } from '../search/search.ts'
import { CITE_DOCUMENTS } from './rag-prompts.ts'
import { tellPassages } from './tell-passages.ts'

const WITHDRAWN = '[Left out: a document it relies on is no longer available.]'

/**
 * Adds the passages of `known` that are still readable, with their numbers, to the last question, and replaces their citation tags by these
 * numbers. Results that rely on unreadable passages are withheld.
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

/** Reduces a citing result to its answer: its passages are listed with the question. */
function briefResult(
  part: Result,
  mark: (text: string) => string,
  readable: ReadonlyMap<string, Passage>,
): Result {
  const found = readCitingResult(part)
  if (!found) return part
  const isWhole = findCitations(found.response).every(({ chunk_id }) => readable.has(chunk_id))
  const response = isWhole ? mark(found.response) : WITHDRAWN
  return { ...part, output: JSON.stringify({ ...found.beside, response }) }
}

/** The result of a tool that cites passages. */
type CitingResult = {
  response: string
  passages: FoundPassage[]
  /** Other fields that the model receives. */
  beside: Record<string, unknown>
}

/** Parses a tool result that cites passages; null for failures and other tools. */
export function readCitingResult({
  name,
  output,
  is_error,
}: Pick<ToolResultPart, 'name' | 'output' | 'is_error'>): CitingResult | null {
  if (is_error) return null
  if (name === 'document_search') return readAnswer(output)
  return name === 'text_compressor' ? readCompressed(output) : null
}

function readAnswer(output: string): CitingResult | null {
  const found = DocumentAnswer.safeParse(parseJson(output)).data
  if (!found) return null
  const { question, is_answered, searched, response, sources: passages } = found
  return { response, passages, beside: { question, is_answered, searched } }
}

function readCompressed(output: string): CitingResult | null {
  const found = CompressedText.safeParse(parseJson(output)).data
  if (!found) return null
  const { response, passages, coverage, sources } = found
  const documents = sources.map(({ name }) => name)
  return { response, passages, beside: { chunks_read: coverage, documents } }
}
