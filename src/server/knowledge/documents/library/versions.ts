import type { DocumentVersion } from '#shared/knowledge/documents/versions.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { showReading } from './add-store.ts'
import { lockReadings } from './remove-store.ts'
import { readDocument } from './store.ts'
import { listVersions, readVersion } from './version-store.ts'

type Page = { page: number; limit: number }

/** Lists the versions of a document, the newest first. */
export async function showVersions({ db }: Pick<RunDeps, 'db'>, id: string, { page, limit }: Page) {
  const { rows, total } = await listVersions(db, id, { page, limit })
  const items = rows.map(
    ({ pipeline, created_at, ...row }): DocumentVersion => ({
      ...{ ...row, created_at: created_at.toISOString(), processing_pipeline: pipeline },
    }),
  )
  return { items, total, page, has_more: page * limit < total }
}

/**
 * Shows an older version again as a new version; citations of the others stay valid.
 * @throws AppError `not_found`, `conflict` when it is already shown
 */
export async function restoreVersion(
  { db }: Pick<RunDeps, 'db'>,
  id: string,
  version: number,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockReadings(trx, id)
    const [shown, older] = [await readDocument(trx, id), await readVersion(trx, id, version)]
    if (!shown || !older) throw new AppError('not_found', 'This document has no such version.')
    if (older.reading_id === shown.reading_id)
      throw new AppError('conflict', 'This version is already shown.')
    const { reading_id, name, size, extension } = older
    await showReading(trx, id, { reading_id, name, size, extension })
  })
}
