import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Chunk, Document } from '#shared/knowledge/documents/documents.ts'
import { useChunk } from './use-document.ts'
import { type Mode, modes } from './view-modes.tsx'
import { isContent, isMade, viewerOf } from './viewer-of.ts'

export type Preview = {
  /** Null while the document is not completed: there is nothing to choose yet. */
  mode: Mode | null
  /** What of it can be looked at: before it is completed, or when it failed, what is there already. */
  shown: Mode | null
  hasOriginal: boolean
  setMode: (mode: Mode) => void
  chunk: Chunk | null
  isChunkMissing: boolean
  /** Of the passage that was asked for, else the newest. */
  version: number
}

/** How a document is shown: what the address says of the view and the passage, else what suits its kind. */
export function usePreview(document: Document): Preview {
  const { chunk: chunkId = null, view } = useSearch({ strict: false }) as { chunk?: string; view?: string }
  const navigate = useNavigate()
  const { data: found } = useChunk(document.id, chunkId)
  const hasOriginal = viewerOf(document) !== 'markdown'
  const asked = modes.find((mode) => mode === view && (hasOriginal || mode !== 'original'))
  const chunk = found && !('notFound' in found) ? found : null
  const setMode = (mode: Mode) =>
    void navigate({
      to: '.',
      search: ((before: object) => ({ ...before, view: mode })) as never,
      replace: true,
    })
  const mode = document.status === 'completed' ? (asked ?? firstMode(document, chunkId)) : null
  return {
    ...{ mode, shown: mode ?? earlyMode(document) },
    ...{ hasOriginal, setMode, chunk },
    isChunkMissing: found !== undefined && 'notFound' in found,
    version: chunk && 'version' in chunk ? chunk.version : document.version,
  }
}

/** A passage that is asked for stands in the original; what has no viewer is shown as it was read. */
function firstMode(document: Document, chunkId: string | null): Mode {
  const kind = viewerOf(document)
  if (kind === 'markdown') return 'digitized'
  return chunkId !== null || kind !== 'fallback' ? 'original' : 'digitized'
}

/** The original as soon as its viewer has what it shows, else what was read; null when there is neither yet. */
function earlyMode(document: Document): Mode | null {
  const kind = viewerOf(document)
  const { files } = document.doc_metadata
  if (isContent(kind) || (isMade(kind) && files.length > 0)) return 'original'
  return files.includes('digitized.md') ? 'digitized' : null
}
