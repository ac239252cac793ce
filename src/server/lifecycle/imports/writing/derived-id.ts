import { createHash } from 'node:crypto'
import type { ImportedKind } from '../../../platform/db/export-tables.ts'
import type { Origin } from './thing-store.ts'

/**
 * Returns the id of a thing of our archive in this installation. It depends on the person, so that an archive cannot name things of
 * others, and is the same in every import.
 */
export function deriveId({ user_id, source }: Origin, kind: ImportedKind, foreignId: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([user_id, source, kind, foreignId]))
    .digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-5${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}
