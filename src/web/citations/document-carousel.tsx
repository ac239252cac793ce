import { useQueries } from '@tanstack/react-query'
import { getDocument } from '#shared/documents/documents.ts'
import { extensionOf } from '#shared/documents/file-kinds.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { callOrNotFound } from '../lib/call.ts'
import { FileTile } from '../ui/file-tile.tsx'
import { DocumentLink } from './document-link.tsx'
import { TRUSTED_MS } from './open-passage.ts'
import { Strip } from './strip.tsx'

/** A document whose name is known, or is asked for. */
type Named = { id: string; name: string | null }
type DocumentCarouselProps = {
  documents: readonly Named[]
  /** The number each is cited by first, by its id. */
  numbers: ReadonlyMap<string, number>
}

/** Documents beside each other, three in view; each opens beside the chat. Those that are not there are left out. */
export default function DocumentCarousel({ documents, numbers }: DocumentCarouselProps) {
  const { t } = useTranslation('streaming_blocks')
  const shown = useNames(documents)
  if (shown.length === 0) return null
  return (
    <Strip
      title={t('documents.title')}
      counts={t('documents.counts', { count: shown.length })}
      stepOf={(width) => width}
      edge={1}
    >
      {shown.map(({ id, name }) => (
        <li key={id} className="flex flex-none basis-[calc((100%-16px)/3)] max-md:basis-40">
          <DocumentLink documentId={id} className="passage-tile w-full!">
            <span className="flex items-center gap-1.5 text-12 text-ink-2">
              <FileTile extension={extensionOf(name)} size="sm" />
              <span className="flex-1" />
              {numbers.has(id) && (
                <span className="cite">
                  <span className="sr-only">{t('passages.cited')} </span>
                  {numbers.get(id)}
                </span>
              )}
            </span>
            <span dir="auto" className="line-clamp-2 text-13 wrap-anywhere">
              {name}
            </span>
          </DocumentLink>
        </li>
      ))}
    </Strip>
  )
}

/** Names that are not known are asked for, each once and side by side; one that cannot be had is left out. */
function useNames(documents: readonly Named[]): { id: string; name: string }[] {
  const single = [...new Map(documents.map((document) => [document.id, document])).values()]
  const unknown = single.filter(({ name }) => name === null).map(({ id }) => id)
  const answers = useQueries({
    queries: unknown.map((documentId) => ({
      queryKey: ['named-document', documentId],
      queryFn: ({ signal }: { signal: AbortSignal }) => readDocument(documentId, signal),
      retry: false,
      ...{ staleTime: TRUSTED_MS, gcTime: TRUSTED_MS },
    })),
  })
  const found = new Map(unknown.map((id, at) => [id, answers[at]?.data]))
  return single.flatMap(({ id, name }) => {
    if (name !== null) return [{ id, name }]
    const document = found.get(id)
    return document && 'name' in document ? [{ id, name: document.name }] : []
  })
}

async function readDocument(documentId: string, signal: AbortSignal) {
  try {
    return await callOrNotFound(getDocument, { params: { documentId }, signal })
  } catch (error) {
    // The card shows the others; why one is missing stands here alone.
    if (!signal.aborted) console.error('Failed to load a document of a tool', documentId, error)
    throw error
  }
}
