import type { WebReading } from '#shared/knowledge/web-search/web-port.ts'
import type { WebAnswer } from '#shared/knowledge/web-search/web-search.ts'
import { websourceTag } from '#shared/platform/citations/citation-tags.ts'
import type { Language } from '#shared/platform/primitives.ts'
import type { ModelDeps } from '../../models/model-deps.ts'
import { type ToldDocument, writeEvidence } from '../../models/models/evidence.ts'
import { checkCited, citeAnswer, listen, type Payer } from '../rag/rag.ts'
import { ANSWER_FROM_PAGES } from './web-prompts.ts'
import { sayAbsent } from './web-texts.ts'

type Asked = { query: string; reading: WebReading; language: Language; model: string }
type Ways = { signal: AbortSignal; payer: Payer; onText: (text: string) => void }

/**
 * Answers a question from pages with citations, and checks the answer against them. Citations of pages that were not read are removed.
 * @throws AppError, ModelError
 */
export async function answerFromPages(
  deps: Pick<ModelDeps, 'models'>,
  { query, reading, language, model }: Asked,
  { signal, payer, onText }: Ways,
): Promise<Pick<WebAnswer, 'response' | 'is_answered' | 'sources' | 'doubts'>> {
  const { sources, passages } = reading
  const absent = sayAbsent(
    language,
    sources.map(({ url }) => url),
  )
  if (passages.length === 0) {
    onText(absent)
    return { response: absent, is_answered: false, sources, doubts: [] }
  }
  const given = new Set(passages.map(({ number }) => number))
  const titles = new Map(sources.map(({ url, title }) => [url, title]))
  const cited = citeAnswer({
    passages: sources.map(({ url }, at) => (given.has(at + 1) ? url : null)),
    tag: (url, number) => websourceTag(url, titles.get(url) ?? '', number),
    absent,
  })
  const text = `${query}\n\n${tellPages(reading)}`
  const call = {
    messages: [
      { role: 'system' as const, content: ANSWER_FROM_PAGES },
      { role: 'user' as const, content: [{ type: 'text' as const, text }] },
    ],
    ...{ tools: [], tool_choice: 'none' as const, language },
  }
  await payer.reserve(model, call)
  const { text: response } = await listen(deps, model, call, cited, { signal, payer, onText })
  const used = new Set(cited.cited())
  return {
    ...{ response, is_answered: cited.isAnswered() },
    sources: sources.map((source) => ({ ...source, used_in_response: used.has(source.url) })),
    doubts: cited.isAnswered() ? checkCited(response, textsOf(reading)) : [],
  }
}

/** Formats pages and their passages for a prompt. */
function tellPages({ sources, passages }: WebReading): string {
  const byPage = Map.groupBy(passages, ({ number }) => number)
  return writeEvidence(
    [...byPage].map(([number, some]): ToldDocument => {
      const { title = '', url = '', published = null } = sources[number - 1] ?? {}
      const place = [URL.canParse(url) ? new URL(url).hostname : '', published].filter(Boolean).join(' · ')
      return { name: title, parts: [{ place, passages: some }] }
    }),
  )
}

function textsOf({ sources, passages }: WebReading): Map<string, string> {
  const byPage = Map.groupBy(passages, ({ number }) => sources[number - 1]?.url ?? '')
  return new Map([...byPage].map(([url, some]) => [url, some.map(({ text }) => text).join('\n')]))
}
