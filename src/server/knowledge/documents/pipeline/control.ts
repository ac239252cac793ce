import type { Pipeline } from '#shared/knowledge/documents/documents.ts'
import type { TextEncoding } from '#shared/knowledge/documents/encodings.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { RunDeps } from '../../../runs/run-deps.ts'
import { findReading, showReading } from '../library/add-store.ts'
import { type DocumentRow, readDocument } from '../library/store.ts'
import { jobKey, requestProcessing } from './request.ts'
import { blobOf, failReading, restart } from './store.ts'

type Wish = { pipeline: Pipeline; encoding?: TextEncoding | undefined }

/**
 * Reads a document again. Another pipeline or encoding makes another reading and a newer version, so that citations of the earlier one stay
 * valid. Without an encoding, the chosen one stays. @throws AppError `conflict` while processing
 */
export async function processAgain(deps: RunDeps, id: string, wish: Wish): Promise<void> {
  const row = await find(deps, id)
  if (row.status !== 'completed' && row.status !== 'failed')
    throw new AppError('conflict', 'A document can be processed again once it is completed or failed.')
  await deps.jobs.prepare()
  await deps.db.transaction().execute(async (trx) => {
    const { user_id, name, size, extension } = row
    const { pipeline, encoding = row.encoding } = wish
    if (pipeline === row.pipeline && encoding === row.encoding) {
      const attempt = await restart(trx, row.reading_id, 'first')
      if (attempt) await requestProcessing(deps, { ...attempt, user_id }, trx)
      return
    }
    const blob_id = await blobOf(trx, row.reading_id)
    const reading = await findReading(trx, { blob_id, user_id, pipeline, name, encoding })
    await showReading(trx, id, { reading_id: reading.id, name, size, extension })
    if (reading.begins) await requestProcessing(deps, { ...reading, user_id }, trx)
  })
}

/** Resumes from the phase that failed. @throws AppError `conflict` when none failed */
export async function retryProcessing(deps: RunDeps, id: string): Promise<void> {
  const row = await find(deps, id)
  await deps.jobs.prepare()
  await deps.db.transaction().execute(async (trx) => {
    const attempt = row.status === 'failed' ? await restart(trx, row.reading_id, 'failed') : null
    if (!attempt) throw new AppError('conflict', 'Only a document that failed can be retried.')
    await requestProcessing(deps, { ...attempt, user_id: row.user_id }, trx)
  })
}

/** Cancels processing; it can be retried. @throws AppError `conflict` when nothing is in progress */
export async function cancelProcessing(deps: RunDeps, id: string): Promise<void> {
  const row = await find(deps, id)
  const attempt = { id: row.reading_id, attempt: row.attempt }
  if (!(await failReading(deps.db, attempt, { code: 'cancelled', values: {} })))
    throw new AppError('conflict', 'This document is not being processed.')
  await deps.jobs.cancel(jobKey(row.reading_id))
}

async function find({ db }: Pick<RunDeps, 'db'>, id: string): Promise<DocumentRow> {
  const row = await readDocument(db, id)
  if (!row) throw new AppError('not_found', 'Document not found')
  return row
}
