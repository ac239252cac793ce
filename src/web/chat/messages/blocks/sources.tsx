import { lazy, Suspense, useId, useMemo, useState } from 'react'
import { findCitations } from '#shared/platform/citations/citation-tags.ts'
import type { CitedQuery } from '#shared/platform/citations/passages.ts'
import type { Source } from '#shared/runs/runs/sources.ts'
import { formatTime } from '../../../platform/i18n/format.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { openPanel } from '../../../platform/lib/chat-panel.ts'
import { safeLink } from '../../../platform/markdown/links.ts'
import { Button } from '../../../platform/ui/button.tsx'

// Most answers rely on no document.
const PassageList = lazy(() => import('../../../platform/citations/passage-list.tsx'))

/** Number of sources shown before expanding. */
const FEW = 5

type SourcesProps = { sources: readonly Source[] /** The text that relies on them. */; text: string }

/** The sources of a text: passages by document, and numbered links with their hosts. */
export default function Sources({ sources, text }: SourcesProps) {
  const { t } = useTranslation('streaming_blocks')
  const id = useId()
  const { passages, links } = useMemo(() => sortSources(sources, text), [sources, text])
  const documents = new Set(passages.map(({ passage }) => passage.document_id)).size
  return (
    <section
      aria-labelledby={id}
      className="mt-4 grid grid-cols-[minmax(0,1fr)] justify-items-start gap-1 text-13"
    >
      <h3 id={id} className="text-12 font-medium text-ink-3">
        {t('sources.title')}
        {passages.length > 0 && (
          <span className="num ml-2 font-normal">
            {t('sources.passages', { count: passages.length })} {t('sources.documents', { count: documents })}
          </span>
        )}
      </h3>
      {passages.length > 0 && (
        <Suspense fallback={<div className="h-8" />}>
          <PassageList passages={passages} />
        </Suspense>
      )}
      {links.length > 0 && <Links links={links} />}
    </section>
  )
}

function Links({ links }: { links: readonly Source[] }) {
  const { t } = useTranslation('streaming_blocks')
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? links : links.slice(0, FEW)
  return (
    <>
      <ol className="w-full">
        {shown.map((source) => (
          <li
            key={source.id}
            className="flex min-h-7 items-baseline gap-2 max-md:min-h-11 max-md:items-center"
          >
            <span className="num min-w-5 flex-none text-right text-12 text-ink-3">{source.number}</span>
            {source.query ? (
              <QueryName id={source.id} query={source.query} />
            ) : (
              <SourceName source={source} />
            )}
          </li>
        ))}
      </ol>
      {!isWhole && links.length > FEW && (
        <Button variant="link" size="sm" onClick={() => setWhole(true)}>
          {t('sources.all', { count: links.length })}
        </Button>
      )}
    </>
  )
}

/** A cited query: its database, and the panel with its text, time and rows. */
function QueryName({ id, query: { database, read_at, rows } }: { id: string; query: CitedQuery }) {
  const { t } = useTranslation('streaming_blocks')
  return (
    <>
      <Button variant="link" size="sm" onClick={() => openPanel('artifact', id)}>
        {database}
      </Button>
      <span className="num flex-none text-12 text-ink-3">
        {formatTime(new Date(read_at))} · {t('citation.query_rows', { count: rows })}
      </span>
    </>
  )
}

/** Passages have the numbers of the text; an uncited one has that of the list. */
function sortSources(sources: readonly Source[], text: string) {
  const numbers = new Map(findCitations(text).map(({ chunk_id, number }) => [chunk_id, number]))
  return {
    links: sources.filter(({ passage }) => !passage),
    passages: sources.flatMap(({ id, number, passage }) =>
      passage ? [{ chunkId: id, number: numbers.get(id) ?? number, passage, isCited: numbers.has(id) }] : [],
    ),
  }
}

function SourceName({ source: { id, title, url, snippet } }: { source: Source }) {
  const link = url === null ? null : safeLink(url)
  const host = link && new URL(link).host.replace(/^www\./, '')
  if (!link)
    return (
      <span dir="auto" className="min-w-0 truncate text-ink-2">
        {title ?? id}
      </span>
    )
  return (
    <>
      <a
        href={link}
        target="_blank"
        rel="noreferrer noopener"
        title={snippet}
        className="min-w-0 truncate font-medium hover:underline"
      >
        {title ?? host}
      </a>
      {title && <span className="flex-none text-12 text-ink-3">{host}</span>}
    </>
  )
}
