import type { Chunk, Document } from '#shared/knowledge/documents/documents.ts'
import { Skeletons } from '../../../platform/ui/states/skeleton.tsx'

/** The shown document: a version, and the requested passage. */
export type VersionProps = { document: Document; chunk: Chunk | null; version: number }

export function ViewerSkeleton() {
  return <Skeletons className="grid flex-1 gap-4 p-8" sizes={['h-full min-h-80 w-full']} />
}
