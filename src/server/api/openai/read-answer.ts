import { beginsTag, findMarkers, plainCitations } from '#shared/platform/citations/citation-tags.ts'
import type { FinishReason } from '../../models/models/port.ts'
import { may, type Principal } from '../../platform/access/access.ts'
import type { Deps } from '../../tools/deps.ts'
import { type CallRow, nameDocuments } from './store.ts'

/** The answer of a call, independent of the wire format. */
export type WireAnswer = {
  text: string
  annotations: Annotation[]
  tool_calls: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
  finish_reason: 'stop' | 'length' | 'tool_calls' | 'content_filter'
  usage: { input: number; output: number; cached: number; reasoning: number }
}
export type Annotation = { url: string; title: string; start_index: number; end_index: number }

const finishes: Record<FinishReason, WireAnswer['finish_reason']> = {
  ...{ stop: 'stop', other: 'stop', length: 'length' },
  ...{ 'tool-calls': 'tool_calls', 'content-filter': 'content_filter' },
}

/** Returns the answer of a finished call. */
export async function readAnswer(
  { db, publicUrl }: Pick<Deps, 'db' | 'publicUrl'>,
  principal: Principal,
  { completed, content, ended, usage }: CallRow,
): Promise<WireAnswer> {
  if (!completed) {
    const annotations = await annotate({ db, publicUrl }, principal, content)
    const { input_tokens = 0, output_tokens = 0 } = usage ?? {}
    return {
      ...{ text: plainCitations(content), annotations, tool_calls: [], finish_reason: ended },
      usage: { input: input_tokens, output: output_tokens, cached: 0, reasoning: 0 },
    }
  }
  const { content: parts, finish, usage: used } = completed
  const tool_calls = parts.flatMap((part) =>
    part.type === 'tool-call'
      ? [
          {
            id: part.id,
            type: 'function' as const,
            function: { name: part.name, arguments: part.input || '{}' },
          },
        ]
      : [],
  )
  return {
    text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
    ...{
      annotations: [],
      tool_calls,
      finish_reason: tool_calls.length > 0 ? 'tool_calls' : finishes[finish],
    },
    usage: {
      ...{ input: used.input_tokens, output: used.output_tokens },
      ...{ cached: used.cached_tokens, reasoning: used.reasoning_tokens },
    },
  }
}

/** Returns the citations in the plain text: pages by URL, passages by the link of their document. */
async function annotate(
  { db, publicUrl }: Pick<Deps, 'db' | 'publicUrl'>,
  principal: Principal,
  content: string,
): Promise<Annotation[]> {
  const markers = findMarkers(content)
  const passages = markers.flatMap(({ id, title }) => (title === null ? [id] : []))
  const documents = await nameDocuments(db, (alias) => may(principal, 'read document', alias), passages)
  let shift = 0
  return markers.flatMap(({ id, title, number, at, length }) => {
    const start_index = at - shift
    const end_index = start_index + `[${number}]`.length
    shift += length - (end_index - start_index)
    if (title !== null) return [{ url: id, title, start_index, end_index }]
    const document = documents.get(id)
    if (!document) return []
    const url = `${publicUrl()}/documents/${document.document_id}?chunk=${id}`
    return [{ url, title: document.name, start_index, end_index }]
  })
}

/** Creates a filter that removes citation markers from streamed text. It holds back text that may start a marker. */
export function createPlainText(): (piece: string) => string {
  let held = ''
  return (piece) => {
    const text = plainCitations(held + piece)
    const starts = Array.from(text.matchAll(/</g), ({ index }) => index)
    const at = starts.find((index) => beginsTag(text.slice(index))) ?? text.length
    held = text.slice(at)
    return text.slice(0, at)
  }
}
