import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Chunk, Document } from '#shared/knowledge/documents/documents.ts'
import { useChunk } from './use-document.ts'
import { type Mode, modes } from './view-modes.tsx'
import { isContent, isMade, viewerOf } from './viewer-of.ts'

export type Preview = {
  /** Null while the document is not completed, when there is no choice yet. */
  mode: Mode | null
  /** The available view, even before it is completed or after it failed. */
  shown: Mode | null
  hasOriginal: boolean
  setMode: (mode: Mode) => void
  chunk: Chunk | null
  isChunkMissing: boolean
  /** The version of the requested passage, otherwise the newest. */
  version: number
}

/** Returns how a document is shown: by the address, otherwise by what suits its kind. */
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

/** A requested passage is shown in the original; a document without a viewer is shown digitized. */
function firstMode(document: Document, chunkId: string | null): Mode {
  const kind = viewerOf(document)
  if (kind === 'markdown') return 'digitized'
  return chunkId !== null || kind !== 'fallback' ? 'original' : 'digitized'
}

/** Returns the original as soon as its viewer has content, otherwise the digitized view; null before both. */
function earlyMode(document: Document): Mode | null {
  const kind = viewerOf(document)
  const { files } = document.doc_metadata
  if (isContent(kind) || (isMade(kind) && files.length > 0)) return 'original'
  return files.includes('digitized.md') ? 'digitized' : null
}
