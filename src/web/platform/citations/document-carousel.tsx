import { useQueries } from '@tanstack/react-query'
import { chipProgress } from '#shared/knowledge/documents/chip-progress.ts'
import { type Document, getDocument } from '#shared/knowledge/documents/documents.ts'
import { extensionOf } from '#shared/platform/file-extension.ts'
import { useTranslation } from '../i18n/i18n.ts'
import { callOrNotFound, type NotFound } from '../lib/api/call.ts'
import { FileTile, FillBar } from '../ui/files/file-tile.tsx'
import { DocumentLink } from './document-link.tsx'
import { TRUSTED_MS } from './open-passage.ts'
import { Strip } from './strip.tsx'

/** A document, with its name if it is known. */
type Named = { id: string; name: string | null }
type DocumentCarouselProps = {
  documents: readonly Named[]
  /** The first number by which each is cited, by document id. */
  numbers: ReadonlyMap<string, number>
}

/** Documents side by side, three in view. Each opens next to the chat; missing ones are omitted. */
export default function DocumentCarousel({ documents, numbers }: DocumentCarouselProps) {
  const { t } = useTranslation('streaming_blocks')
  const shown = useDocuments(documents)
  if (shown.length === 0) return null
  return (
    <Strip
      title={t('documents.title')}
      counts={t('documents.counts', { count: shown.length })}
      stepOf={(width) => width}
      edge={1}
    >
      {shown.map(({ id, name, percent }) => (
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
            {percent < 100 && (
              <span
                role="progressbar"
                aria-label={name}
                aria-valuenow={percent}
                aria-valuemin={0}
                aria-valuemax={100}
              >
                <FillBar value={percent} />
              </span>
            )}
          </DocumentLink>
        </li>
      ))}
    </Strip>
  )
}

/** Polling interval of a document that is being processed. */
const POLL_INTERVAL_MS = 3000

/**
 * Loads documents once each, concurrently, and polls those being processed. Missing ones are omitted; for an unreadable
 * one, a known name is enough.
 */
function useDocuments(documents: readonly Named[]): { id: string; name: string; percent: number }[] {
  const single = [...new Map(documents.map((document) => [document.id, document])).values()]
  const answers = useQueries({
    queries: single.map(({ id }) => ({
      queryKey: ['named-document', id],
      queryFn: ({ signal }: { signal: AbortSignal }) => readDocument(id, signal),
      retry: false,
      refetchInterval: ({ state: { data } }: { state: { data?: Document | NotFound | undefined } }) =>
        data && 'status' in data && isUnderWay(data) ? POLL_INTERVAL_MS : false,
      ...{ staleTime: TRUSTED_MS, gcTime: TRUSTED_MS },
    })),
  })
  return single.flatMap(({ id, name: known }, at) => {
    const found = answers[at]?.data
    if (found && 'notFound' in found) return []
    const name = found?.name ?? known
    return name === null ? [] : [{ id, name, percent: found ? percentOf(found) : 100 }]
  })
}

const isUnderWay = ({ status }: Document) => status === 'queued' || status === 'in_progress'
// A failed document has no further progress; its page says why.
const percentOf = (document: Document) =>
  isUnderWay(document) ? chipProgress(document.status, document.current_phase) : 100

async function readDocument(documentId: string, signal: AbortSignal) {
  try {
    return await callOrNotFound(getDocument, { params: { documentId }, signal })
  } catch (error) {
    // The card shows the others, so the reason is only logged.
    if (!signal.aborted) console.error('Failed to load a document of a tool', documentId, error)
    throw error
  }
}
