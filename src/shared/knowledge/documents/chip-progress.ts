import type { DocumentPhase } from './documents.ts'

/** The phases of a document's reading, in their order. */
export const documentPhases: DocumentPhase[] = ['UPLOAD', 'PARSING', 'CHUNKING_ENRICHMENT', 'EMBEDDING']

const byPhase: Record<DocumentPhase, number> = {
  UPLOAD: 0,
  PARSING: 25,
  CHUNKING_ENRICHMENT: 50,
  EMBEDDING: 75,
}

/** How far a chip says a document is, in percent: a document at work by its phase. Other servers say `processing`. */
export function chipProgress(status: string, phase: DocumentPhase | null): number {
  if (status === 'completed') return 100
  if (status === 'processing' || status === 'in_progress') return phase === null ? 0 : byPhase[phase]
  return 0
}
