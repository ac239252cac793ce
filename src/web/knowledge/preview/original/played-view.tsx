import { lazy } from 'react'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { readPlayback } from '#shared/knowledge/documents/playback.ts'
import { urlOf } from '../../../platform/lib/api/call.ts'
import { ContentFailed } from '../content-state.tsx'
import { type VersionProps, ViewerSkeleton } from '../fallback/viewer-skeleton.tsx'
import { usePartsOnScreen, usePlayback } from '../use-document.ts'

const MediaView = lazy(() => import('../../../../viewers/media/view.tsx'))

type PlayedViewProps = VersionProps & {
  /** The recording to play when the document is its transcript. */
  recording?: Pick<Document, 'id' | 'version'>
}

/** A recording with its transcript. */
export function PlayedView({ document, chunk, version, recording }: PlayedViewProps) {
  const playback = usePlayback(recording?.id ?? document.id, recording?.version ?? version)
  const { parts } = usePartsOnScreen(document, version)
  const retry = () => void playback.refetch()
  if (playback.isError) return <ContentFailed kind="media" error={playback.error} onRetry={retry} />
  if (!playback.data) return <ViewerSkeleton />
  const { ticket, media_type } = playback.data
  return (
    <MediaView
      key={ticket}
      {...{ document, chunk }}
      url={urlOf(readPlayback, { params: { ticket } })}
      mediaType={media_type}
      parts={parts}
      onRetry={retry}
    />
  )
}
