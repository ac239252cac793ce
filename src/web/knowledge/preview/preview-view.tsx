import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import clsx from 'clsx'
import { FileX, X } from 'lucide-react'
import type { MouseEvent } from 'react'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { errorText } from '../../platform/i18n/error-text.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { Button } from '../../platform/ui/button.tsx'
import { FileTile } from '../../platform/ui/files/file-tile.tsx'
import { IconButton } from '../../platform/ui/icon-button.tsx'
import { EmptyState } from '../../platform/ui/states/empty-state.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { View } from '../../platform/ui/view.tsx'
import { ClassChoice } from './facts/class-choice.tsx'
import { DocumentFacts, StatusBadge } from './facts/document-facts.tsx'
import { QualityReport } from './facts/quality-report.tsx'
import { SourceLink } from './facts/source-link.tsx'
import { PipelineChoice } from './pipeline-choice.tsx'
import { PreviewActions } from './preview-actions.tsx'
import { PreviewBody } from './preview-body.tsx'
import { useDocument } from './use-document.ts'
import { usePreview } from './use-preview.ts'
import { OlderVersion } from './versions/older-version.tsx'
import { useNewerFiles } from './versions/use-versions.ts'
import { ViewModes } from './view-modes.tsx'

/** A document: its progress, its original, and its digitized text. */
export function PreviewView() {
  const { t } = useTranslation('documents')
  const { documentId = '' } = useParams({ strict: false }) as { documentId?: string }
  const { version } = useSearch({ strict: false }) as { version?: number }
  const { data, isError, error, refetch } = useDocument(documentId, version)
  const { leave } = useWays()
  if (data && !('notFound' in data)) return <Preview key={`${data.id}:${version}`} document={data} />
  if (data)
    return (
      <View title={t('preview.missing')}>
        <EmptyState
          page
          icon={<FileX aria-hidden />}
          title={t('preview.missing')}
          action={<Button onClick={leave}>{t('preview.to_library')}</Button>}
        >
          {t('preview.missing_about')}
        </EmptyState>
      </View>
    )
  return (
    <View title={t('preview.title')}>
      {isError ? (
        <EmptyState
          page
          title={t('preview.load_failed')}
          action={<Button onClick={() => void refetch()}>{t('common:actions.retry')}</Button>}
        >
          {errorText(t, error)}
        </EmptyState>
      ) : (
        <Skeletons className="grid gap-4 px-8 py-6" sizes={['h-10 w-72', 'h-80 w-full rounded-card']} />
      )}
    </View>
  )
}

function Preview({ document }: { document: Document }) {
  const { t } = useTranslation('documents')
  const preview = usePreview(document)
  const { leave, linkTo, openVersion, workspaceId } = useWays()
  const isOlder = document.version !== document.newest_version
  useNewerFiles(document)
  const { mode, hasOriginal, setMode } = preview
  return (
    <View
      title={document.name}
      actions={
        <>
          <PreviewActions
            document={document}
            mode={mode}
            workspaceId={workspaceId}
            onVersion={openVersion}
            onLeave={leave}
          />
          <IconButton name={t('preview.close')} onClick={leave}>
            <X aria-hidden className="icon-18" />
          </IconButton>
        </>
      }
    >
      <div className="flex min-h-11 flex-none items-center gap-x-2.5 gap-y-1.5 border-b border-line px-5 py-1.5 max-md:flex-wrap max-md:px-3">
        <FileTile extension={document.normalized_extension} size="sm" />
        <span data-tour="facts" className="min-w-0">
          <DocumentFacts document={document} />
        </span>
        <SourceLink document={document} />
        <span className={clsx(mode && 'max-md:hidden')}>
          <StatusBadge document={document} />
        </span>
        {mode && <QualityReport document={document} />}
        <ClassChoice document={document} />
        <span className="flex items-center gap-2 max-md:w-full md:ml-auto">
          {mode && <ViewModes value={mode} hasOriginal={hasOriginal} onChange={setMode} />}
          {!isOlder && (
            <span className="max-md:ml-auto">
              <PipelineChoice document={document} />
            </span>
          )}
        </span>
      </div>
      {isOlder && <OlderVersion document={document} onNewest={() => openVersion(null)} />}
      <PreviewBody document={document} preview={preview} linkTo={linkTo} />
    </View>
  )
}

/** Returns where to navigate from here: back to the library or the workspace it was opened in, or to another document there. */
function useWays() {
  const navigate = useNavigate()
  const { workspaceId = null } = useParams({ strict: false }) as { workspaceId?: string }
  const library = workspaceId ? `/documents/workspace/${workspaceId}` : '/documents'
  const linkTo = (documentId: string) => {
    const href = `${library}/preview/${documentId}`
    const onClick = (event: MouseEvent) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      void navigate({ to: href })
    }
    return { href, onClick }
  }
  const openVersion = (version: number | null) =>
    void navigate({ to: '.', search: (version ? { version } : {}) as never })
  return { leave: () => void navigate({ to: library }), linkTo, openVersion, workspaceId }
}
