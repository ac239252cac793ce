import { lazy, useState } from 'react'
import { loadPdfView } from '../../../viewers/pdf/load.ts'
import { ContentFailed } from './content-state.tsx'
import { type VersionProps, ViewerSkeleton } from './fallback/viewer-skeleton.tsx'
import { useByteSource } from './original/byte-source.ts'
import { usePartsOnScreen } from './use-document.ts'

const PdfView = lazy(loadPdfView)

/** A PDF; its viewer loads concurrently with its first bytes. */
export function PdfContent({ document, chunk, version }: VersionProps) {
  useState(loadPdfView)
  const source = useByteSource(document.id, version)
  const shown = usePartsOnScreen(document, version)
  if (source.isError)
    return <ContentFailed kind="pdf" error={source.error} onRetry={() => void source.refetch()} />
  if (!source.data) return <ViewerSkeleton />
  return <PdfView {...{ document, chunk, source: source.data }} {...shown} />
}
