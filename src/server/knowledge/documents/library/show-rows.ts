import type { Document } from '#shared/knowledge/documents/documents.ts'
import type { Platform } from '../../../platform/platform.ts'
import { readSpeeds } from '../pipeline/speed-store.ts'
import { showDocument } from './show.ts'
import type { DocumentRow } from './store.ts'

/** Converts rows to documents on the wire, with the remaining time of those in progress. */
export async function showDocuments(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  rows: DocumentRow[],
): Promise<Document[]> {
  const isBusy = rows.some(({ status, total }) => status === 'in_progress' && total > 0)
  const speeds = isBusy ? await readSpeeds(db) : new Map()
  return rows.map((row) => showDocument(row, { now: clock.now(), speeds }))
}
