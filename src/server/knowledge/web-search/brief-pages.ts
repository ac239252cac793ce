import { WebAnswer } from '#shared/knowledge/web-search/web-search.ts'
import { findMarkers } from '#shared/platform/citations/citation-tags.ts'
import { parseJson } from '#shared/runs/runs/join.ts'
import type { ModelMessage } from '../../models/models/port.ts'
import { CITE_PAGES } from './web-prompts.ts'

const WEB_SEARCH = 'web_search'

/** A page that messages name. */
export type NamedPage = { url: string; title: string; snippet: string }

/**
 * Replaces page citations in messages by numbers that count through all messages, and search results by their answer and cited pages. Text
 * of pages is removed, because the model may call tools. Returns `pages` by number. Without `isNumbered`, when passages use the numbers,
 * pages are cited by title.
 */
export function briefPages(
  messages: readonly ModelMessage[],
  { isNumbered }: { isNumbered: boolean },
): { messages: ModelMessage[]; pages: NamedPage[] } {
  const pages = new Map<string, NamedPage>()
  const note = (page: NamedPage) => {
    const known = pages.get(page.url)
    if (!known || known.snippet === '') pages.set(page.url, page)
  }
  const mark = (text: string) => {
    let at = 0
    let marked = ''
    for (const { id, title, at: from, length } of findMarkers(text)) {
      if (title === null) continue
      note({ url: id, title, snippet: '' })
      const number = [...pages.keys()].indexOf(id) + 1
      marked += text.slice(at, from) + (isNumbered ? `[${number}]` : `(${title})`)
      at = from + length
    }
    return marked + text.slice(at)
  }
  const brief = (message: ModelMessage): ModelMessage => {
    if (message.role === 'tool')
      return { ...message, content: message.content.map((part) => briefResult(part, mark, note)) }
    if (message.role === 'system') return message
    const content = message.content.map((part) =>
      part.type === 'text' ? { ...part, text: mark(part.text) } : part,
    )
    return { ...message, content } as ModelMessage
  }
  const told = messages.map(brief)
  if (pages.size === 0) return { messages: told, pages: [] }
  const known = told.map((message) =>
    message.role === 'system' ? { ...message, content: `${message.content}\n\n${CITE_PAGES}` } : message,
  )
  return { messages: known, pages: isNumbered ? [...pages.values()] : [] }
}

type Result = Extract<ModelMessage, { role: 'tool' }>['content'][number]

function briefResult(part: Result, mark: (text: string) => string, note: (page: NamedPage) => void): Result {
  const answer =
    part.name === WEB_SEARCH && !part.is_error ? WebAnswer.safeParse(parseJson(part.output)).data : null
  if (!answer) return part
  const { query, response, is_answered, engine, sources } = answer
  const cited = sources.filter(({ used_in_response }) => used_in_response)
  for (const { url, title, snippet } of cited) note({ url, title, snippet })
  const named = cited.map(({ url, title, published }) => ({ title, url, published }))
  return {
    ...part,
    output: JSON.stringify({ query, response: mark(response), is_answered, engine, pages: named }),
  }
}
