import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { type Document, listDocumentChunks } from '#shared/knowledge/documents/documents.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { Dialog } from '../../platform/ui/overlays/dialog.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { Tabs } from '../../platform/ui/tabs.tsx'
import { SearchPanel } from '../search/search.tsx'
import { useCollections, VectorDb } from '../vector-db/vector-db.tsx'
import { ChunksTab } from './chunks-tab.tsx'
import { MetadataTab } from './metadata-tab.tsx'

const RagPanel = lazy(() => import('../rag/rag.tsx'))

type Props = { document: Document; onClose: () => void }

/** How a document was processed and how its passages are found, for super admins. */
export function DocumentDebug({ document, onClose }: Props) {
  const { t } = useTranslation('vectors')
  const [tab, setTab] = useState('metadata')
  const known = useCollections()
  // A citation navigates to its place in the document behind this overlay.
  const href = useLocation({ select: (location) => location.href })
  const openedAt = useRef(href)
  useEffect(() => {
    if (href !== openedAt.current) onClose()
  }, [href, onClose])
  const chunks = useQuery({
    queryKey: ['document-debug', document.id, document.version, document.updated_at],
    queryFn: ({ signal }) =>
      call(listDocumentChunks, { params: { documentId: document.id }, query: { limit: 1000 }, signal }),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="full"
      title={t('debug.title', { name: document.name })}
    >
      <Tabs
        pinned
        name={t('debug.title', { name: document.name })}
        value={tab}
        onValueChange={setTab}
        tabs={[
          {
            value: 'metadata',
            label: t('debug.metadata'),
            content: <MetadataTab document={document} info={chunks.data?.processing_info} />,
          },
          {
            ...{ value: 'chunks', label: t('debug.chunks') },
            ...(chunks.data && { count: chunks.data.total }),
            content: (
              <ChunksTab
                {...{ answer: chunks.data, error: chunks.error }}
                elements={document.doc_metadata.parsed_data}
                onRetry={() => void chunks.refetch()}
              />
            ),
          },
          {
            ...{ value: 'search', label: t('debug.search') },
            content: (
              <SearchPanel
                documentId={document.id}
                chunks={chunks.data?.chunks ?? []}
                collections={known.data?.collections ?? []}
                collectionsError={known.error}
              />
            ),
          },
          {
            ...{ value: 'rag', label: t('debug.rag') },
            content: (
              <Suspense
                fallback={<Skeletons sizes={['h-20 w-full', 'h-40 w-full']} className="mt-4 grid gap-3" />}
              >
                <RagPanel
                  documentId={document.id}
                  collections={known.data?.collections ?? []}
                  areKnown={known.data ? true : known.isError ? false : undefined}
                />
              </Suspense>
            ),
          },
          { value: 'vectors', label: t('debug.vector_db'), content: <VectorDb /> },
        ]}
      />
    </Dialog>
  )
}
