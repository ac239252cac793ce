import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import type { MadeViewProps, ViewerProps } from '../../../viewers/viewer.ts'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { ContentFailed } from './content-state.tsx'
import { Fallback } from './fallback/fallback.tsx'
import { type VersionProps, ViewerSkeleton } from './fallback/viewer-skeleton.tsx'
import { PlayedView } from './original/played-view.tsx'
import { TranscriptView } from './original/transcript-view.tsx'
import { PdfContent } from './pdf-content.tsx'
import { Segments } from './segments.tsx'
import { useContent, usePartsOnScreen } from './use-document.ts'
import { type BytesKind, isContent, isMade, type MadeKind, pagesOf, viewerOf } from './viewer-of.ts'

const contentLoads: Record<BytesKind, () => Promise<{ default: ComponentType<ViewerProps> }>> = {
  image: () => import('../../../viewers/image/view.tsx'),
  html: () => import('../../../viewers/html/view.tsx'),
}
const contentViews: Record<BytesKind, ComponentType<ViewerProps>> = {
  image: lazy(contentLoads.image),
  html: lazy(contentLoads.html),
}
const madeViews: Record<MadeKind, ComponentType<MadeViewProps>> = {
  sheet: lazy(() => import('../../../viewers/sheet/view.tsx')),
  mail: lazy(() => import('../../../viewers/mail/view.tsx')),
  slides: lazy(() => import('../../../viewers/slides/view.tsx')),
  archive: lazy(() => import('../../../viewers/archive/view.tsx')),
}

type OriginalProps = MadeViewProps & {
  /** The version of the passage, otherwise the newest. */
  version: number
  onDigitized: () => void
}

/** A document in the viewer of its kind. A sheet that also has pages can be shown as either. */
export function Original({ version, onDigitized, ...shown }: OriginalProps) {
  const { document } = shown
  const [isPages, setPages] = useState(false)
  const kind = isPages ? pagesOf(document) : viewerOf(document)
  const hasBoth = viewerOf(document) === 'sheet' && isContent(pagesOf(document))
  return (
    <>
      {hasBoth && <SheetLook isPages={isPages} onChange={setPages} />}
      <Suspense fallback={<ViewerSkeleton />}>
        {isMade(kind) ? (
          <MadeView key={`${document.id}:${document.version}`} kind={kind} {...shown} />
        ) : kind === 'media' ? (
          <PlayedView key={`${document.id}:${version}`} {...shown} version={version} />
        ) : kind === 'transcript' ? (
          <TranscriptView key={`${document.id}:${version}`} {...shown} version={version} />
        ) : kind === 'pdf' ? (
          <PdfContent key={`${document.id}:${version}`} {...shown} version={version} />
        ) : isContent(kind) ? (
          <ContentView key={`${document.id}:${version}`} kind={kind} {...shown} version={version} />
        ) : (
          <Fallback document={document} onDigitized={onDigitized} />
        )}
      </Suspense>
    </>
  )
}

function MadeView({ kind, ...shown }: MadeViewProps & { kind: MadeKind }) {
  const View = madeViews[kind]
  return <View {...shown} />
}

type ContentViewProps = VersionProps & { kind: BytesKind }

function ContentView({ kind, document, chunk, version }: ContentViewProps) {
  useState(contentLoads[kind])
  const content = useContent(document.id, version)
  const url = useUrl(content.data)
  const shown = usePartsOnScreen(document, version)
  if (content.isError)
    return <ContentFailed kind={kind} error={content.error} onRetry={() => void content.refetch()} />
  if (!content.data || !url) return <ViewerSkeleton />
  const View = contentViews[kind]
  return <View {...{ document, chunk, url }} blob={content.data} {...shown} />
}

function SheetLook({ isPages, onChange }: { isPages: boolean; onChange: (isPages: boolean) => void }) {
  const { t } = useTranslation('documents')
  return (
    <div className="flex flex-none border-b border-line px-2 py-1.5">
      <Segments
        name={t('viewer.sheet.look')}
        value={isPages ? 'pages' : 'grid'}
        options={[
          { value: 'grid', label: t('viewer.sheet.as_grid') },
          { value: 'pages', label: t('viewer.sheet.as_pages') },
        ]}
        onChange={(value) => onChange(value === 'pages')}
      />
    </div>
  )
}

/** Returns an object URL for bytes while they are shown. */
function useUrl(blob: Blob | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!blob) return
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return url
}
