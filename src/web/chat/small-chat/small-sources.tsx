import { useQuery } from '@tanstack/react-query'
import { useId, useMemo } from 'react'
import { MAX_PASSAGES_PER_REQUEST, readPassageWords } from '#shared/knowledge/rag/passage-words.ts'
import { findCitations } from '#shared/platform/citations/citation-tags.ts'
import type { Source } from '#shared/runs/runs/sources.ts'
import { placeWords } from '../../platform/citations/place-words.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { safeLink } from '../../platform/markdown/links.ts'

/** Maximum characters quoted from a passage. */
const MAX_QUOTE = 160

type SourcesProps = { sources: readonly Source[]; text: string; anchor: string }
type Shown = { id: string; number: number; source: Source }

/** The citations of an answer in the order of their numbers: quoted passages, and web pages. */
export function Sources({ sources, text, anchor }: SourcesProps) {
  const { t } = useTranslation(['embeds', 'documents'])
  const id = useId()
  const shown = useMemo(() => citedOf(sources, text), [sources, text])
  const quotes = useQuotes(shown)
  if (shown.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="mb-1 text-12 text-ink-3">
        <span className="font-medium text-ink">{t('chat.sources')}</span> {shown.length}
      </h3>
      <ol>
        {shown.map(({ id: key, number, source }) => (
          <li key={key} id={`${anchor}-${number}`} className="source">
            <span className="cite">{number}</span>
            <span className="min-w-0 wrap-anywhere">
              <Name source={source} />
              {source.passage && <span className="text-ink-2"> {placeWords(t, source.passage)}</span>}
              {quotes.get(key) && (
                <span className="text-ink-2"> {t('chat.quote', { text: quotes.get(key) })}</span>
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Returns the component for an answer's numbers, which link to the sources below. */
export function citationOf(sources: readonly Source[], anchor: string) {
  const known = new Set(sources.map(({ id }) => id))
  return function VisitedCitation({ id, number }: { id: string; number: number }) {
    const { t } = useTranslation('embeds')
    if (!known.has(id)) return <span className="cite">{number}</span>
    const show = () => document.getElementById(`${anchor}-${number}`)?.scrollIntoView({ block: 'nearest' })
    return (
      <button type="button" className="cite" aria-label={t('chat.source', { number })} onClick={show}>
        {number}
      </button>
    )
  }
}

function Name({ source: { id, title, url, passage } }: { source: Source }) {
  const link = url === null || passage ? null : safeLink(url)
  const name = passage?.document_name ?? title ?? url ?? id
  if (!link) return <span className="font-medium">{name}</span>
  return (
    <a href={link} target="_blank" rel="noreferrer noopener" className="font-medium hover:underline">
      {name}
    </a>
  )
}

function citedOf(sources: readonly Source[], text: string): Shown[] {
  const numbers = new Map(findCitations(text).map(({ chunk_id, number }) => [chunk_id, number]))
  return sources
    .filter(({ id, passage }) => !passage || numbers.has(id))
    .map((source) => ({ id: source.id, number: numbers.get(source.id) ?? source.number, source }))
    .sort((a, b) => a.number - b.number)
}

/** Returns the beginnings of the cited passages that a visitor may read. */
function useQuotes(shown: Shown[]): ReadonlyMap<string, string> {
  const ids = shown.filter(({ source }) => source.passage).map(({ id }) => id)
  const { data } = useQuery({
    queryKey: ['visited-passages', ids],
    queryFn: ({ signal }) =>
      call(readPassageWords, {
        body: { chunk_ids: ids.slice(0, MAX_PASSAGES_PER_REQUEST) },
        signal,
        quiet: true,
      }),
    enabled: ids.length > 0,
    ...{ retry: false, staleTime: Number.POSITIVE_INFINITY },
  })
  const passages = data?.passages ?? []
  return new Map(passages.map(({ chunk_id, text_preview }) => [chunk_id, shorten(text_preview)]))
}

function shorten(words: string): string {
  const plain = words.replace(/\s+/g, ' ').trim()
  return plain.length > MAX_QUOTE ? `${plain.slice(0, MAX_QUOTE).toWellFormed()}…` : plain
}
