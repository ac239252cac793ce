import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type Document, type DocumentPart, listElements } from '#shared/knowledge/documents/documents.ts'
import { call } from '../../web/platform/lib/api/call.ts'
import { Button } from '../../web/platform/ui/button.tsx'
import { useTranslation } from '../../web/platform/ui/card-parts.ts'
import { EmptyState } from '../../web/platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../web/platform/ui/states/skeleton.tsx'
import type { MadeViewProps } from '../viewer.ts'
import { Slide } from './slide.tsx'

/** Slides per request. */
const AT_ONCE = 100

/** Shows a presentation that could not be rendered as pages: the content and notes of each slide. */
export default function SlidesView({ document, chunk }: MadeViewProps) {
  const { t } = useTranslation('documents')
  const { data: slides, isError, refetch } = useSlides(document)
  const list = useRef<HTMLOListElement>(null)
  const page = chunk?.place.boxes?.[0]?.page ?? chunk?.page_number ?? null
  const isThere = slides !== undefined
  useEffect(() => {
    if (isThere && page !== null)
      list.current?.querySelector(`[data-slide="${page}"]`)?.scrollIntoView({ block: 'center' })
  }, [isThere, page])
  if (isError)
    return (
      <EmptyState
        title={t('viewer.slides.failed')}
        action={<Button onClick={() => void refetch()}>{t('common:actions.retry')}</Button>}
      />
    )
  if (!slides) return <Skeletons className="column grid gap-4 py-8" sizes={['h-64 w-full', 'h-64  w-full']} />
  return (
    <div className="min-h-0 flex-1 overflow-auto bg-surface-2">
      <ol
        ref={list}
        aria-label={t('viewer.slides.of', { name: document.name })}
        className="column grid gap-4 py-6"
      >
        {slides.map((part) => (
          <Slide
            key={part.number}
            part={part}
            passage={part.number === page ? (chunk?.text ?? null) : null}
          />
        ))}
      </ol>
    </div>
  )
}

function useSlides({ id, version }: Document) {
  return useQuery({
    queryKey: ['document-file', id, version, 'slides'],
    queryFn: ({ signal }) => readSlides(id, version, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

async function readSlides(documentId: string, version: number, signal: AbortSignal): Promise<DocumentPart[]> {
  const slides: DocumentPart[] = []
  for (let total = 1; slides.length < total; ) {
    const from = (slides.at(-1)?.number ?? 0) + 1
    const query = { from, to: from + AT_ONCE - 1, version }
    const answer = await call(listElements, { params: { documentId }, query, signal })
    if (answer.parts.length === 0) break
    slides.push(...answer.parts)
    total = answer.total_parts
  }
  return slides
}
