import type { DocumentPhase } from './documents.ts'

/** Phases of a document's reading, in order. */
export const documentPhases: DocumentPhase[] = ['UPLOAD', 'PARSING', 'CHUNKING_ENRICHMENT', 'EMBEDDING']

const byPhase: Record<DocumentPhase, number> = {
  UPLOAD: 0,
  PARSING: 25,
  CHUNKING_ENRICHMENT: 50,
  EMBEDDING: 75,
}

/** Returns the progress that a chip shows, in percent, from the phase of a document. Other servers send the status `processing`. */
export function chipProgress(status: string, phase: DocumentPhase | null): number {
  if (status === 'completed') return 100
  if (status === 'processing' || status === 'in_progress') return phase === null ? 0 : byPhase[phase]
  return 0
}
