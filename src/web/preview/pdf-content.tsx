import { lazy, useState } from 'react'
import { ContentFailed } from './content-state.tsx'
import { useByteSource } from './original/byte-source.ts'
import { usePartsOnScreen } from './use-document.ts'
import { type VersionProps, ViewerSkeleton } from './viewer-skeleton.tsx'

const load = () => import('../../viewers/pdf/view.tsx')
const PdfView = lazy(load)

/** A PDF; its viewer comes while its first bytes come. */
export function PdfContent({ document, chunk, version }: VersionProps) {
  useState(load)
  const source = useByteSource(document.id, version)
  const shown = usePartsOnScreen(document, version)
  if (source.isError)
    return <ContentFailed kind="pdf" error={source.error} onRetry={() => void source.refetch()} />
  if (!source.data) return <ViewerSkeleton />
  return <PdfView {...{ document, chunk, source: source.data }} {...shown} />
}
