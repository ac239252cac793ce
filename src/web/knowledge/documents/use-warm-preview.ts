import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { loadPdfView } from '../../../viewers/pdf/load.ts'
import { whenIdle } from '../../platform/lib/page-state.ts'

/** Preloads what opening a document needs, once documents are on screen and the browser is idle. */
export function useWarmPreview(first: Document | undefined): void {
  const router = useRouter()
  const [id, extension] = [first?.id, first?.normalized_extension]
  useEffect(() => {
    if (id === undefined) return
    return whenIdle(() => {
      void router.preloadRoute({ to: `/documents/preview/${id}` }).catch(() => undefined)
      if (extension === 'pdf') void loadPdfView().catch(() => undefined)
    })
  }, [router, id, extension])
}
