import { useNavigate, useSearch } from '@tanstack/react-router'
import { Copy, Download, FileX, Maximize2 } from 'lucide-react'
import type { MouseEvent } from 'react'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { closeChatPanel } from '../../platform/lib/chat-panel.ts'
import { Button } from '../../platform/ui/button.tsx'
import { FileTile } from '../../platform/ui/files/file-tile.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { PanelHeader } from '../../platform/ui/panel-header.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { download } from '../documents/documents.ts'
import { copyRead } from './copy-read.ts'
import { DocumentFacts, StatusBadge } from './facts/document-facts.tsx'
import { SourceLink } from './facts/source-link.tsx'
import { PreviewBody } from './preview-body.tsx'
import { useDocument } from './use-document.ts'
import { usePreview } from './use-preview.ts'
import { ViewModes } from './view-modes.tsx'

/** A document next to the chat; the address selects it, its passage and its view. */
export function DocumentPanel({ subject }: { subject: string | null }) {
  const { t } = useTranslation('documents')
  const { data, isError, refetch } = useDocument(subject ?? '')
  if (data && !('notFound' in data)) return <Panel document={data} />
  return (
    <>
      <PanelHeader title={t('preview.title')} />
      {data && (
        <EmptyState icon={<FileX aria-hidden />} title={t('preview.missing')}>
          {t('preview.missing_about')}
        </EmptyState>
      )}
      {isError && (
        <EmptyState
          title={t('preview.load_failed')}
          action={<Button onClick={() => void refetch()}>{t('common:actions.retry')}</Button>}
        />
      )}
      {!data && !isError && <Skeletons sizes={['h-6 w-56', 'h-80 w-full']} />}
    </>
  )
}

function Panel({ document }: { document: Document }) {
  const { t } = useTranslation('documents')
  const preview = usePreview(document)
  const { chunk, view } = useSearch({ strict: false }) as { chunk?: string; view?: string }
  const navigate = useNavigate()
  const { mode, hasOriginal, setMode } = preview
  const alone = { ...(chunk && { chunk }), ...(view && { view }) }
  const linkTo = (documentId: string) => ({
    href: `?document=${documentId}`,
    onClick: (event: MouseEvent) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      void navigate({ to: '.', search: { document: documentId } as never })
    },
  })
  return (
    <>
      <PanelHeader
        title={document.name}
        icon={<FileTile extension={document.normalized_extension} size="sm" />}
        actions={
          <>
            <IconButton name={t('preview.copy')} onClick={() => void copyRead(t, document, mode)}>
              <Copy aria-hidden className="icon" />
            </IconButton>
            <IconButton name={t('card.download')} onClick={() => void download(t, document)}>
              <Download aria-hidden className="icon" />
            </IconButton>
            <IconButton
              name={t('preview.alone')}
              onClick={() => void navigate({ to: `/documents/${document.id}`, search: alone as never })}
            >
              <Maximize2 aria-hidden className="icon" />
            </IconButton>
          </>
        }
        onClose={closeChatPanel}
      />
      <div className="flex min-h-11 flex-none flex-wrap items-center gap-2 border-b border-line px-4 py-1.5">
        <span className="min-w-0">
          <DocumentFacts document={document} />
        </span>
        <SourceLink document={document} />
        {!mode && <StatusBadge document={document} />}
        <span className="flex-1" />
        {mode && <ViewModes value={mode} hasOriginal={hasOriginal} onChange={setMode} />}
      </div>
      <PreviewBody document={document} preview={preview} linkTo={linkTo} />
    </>
  )
}
