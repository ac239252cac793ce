import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { TestApp } from './app.ts'
import type { TestUser } from './builders.ts'

const report = {
  ...{ pages: null, pages_without_text: 0, pages_by_ocr: 0, ocr_confidence: null },
  ...{ tables: 0, figures: 0, words: 1, languages: [], warnings: [] },
}

/** Creates a workspace with a failed, already split document, and a started upload, of one person. */
export async function aDocument(
  { deps: { db, files } }: { deps: Pick<TestApp['deps'], 'db' | 'files'> },
  { id: user_id }: Pick<TestUser, 'id'>,
) {
  const file_key = `blobs/${user_id}/${randomUUID()}`
  const { size, sha256 } = await files.write(file_key, Readable.from([randomBytes(8)]))
  const blob = await db
    .insertInto('blobs')
    .values({ user_id, sha256, size, file_key })
    .returning('id')
    .executeTakeFirstOrThrow()
  const reading = await db
    .insertInto('readings')
    .values({
      ...{ blob_id: blob.id, user_id, pipeline: 'normal', name: 'a.txt', status: 'failed' },
      ...{ files: ['text.md'], report: JSON.stringify(report) },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const reading_id = reading.id
  await files.write(`readings/${reading_id}/text.md`, Readable.from(['text']))
  const chunkId = randomUUID()
  const passage = { element_id: 'e1', type: 'NarrativeText', text: 'text', place: '{}' }
  await db
    .insertInto('chunks')
    .values({ id: chunkId, reading_id, position: 0, ...passage })
    .execute()
  const document = await db
    .insertInto('documents')
    .values({ user_id, name: 'a.txt', extension: 'txt', size, reading_id, status: 'failed' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const documentId = document.id
  const version = { document_id: documentId, version: 1, reading_id, name: 'a.txt' }
  await db.insertInto('document_versions').values(version).execute()
  const workspace = await db
    // The newest is the first, so that it is on the first page.
    .insertInto('workspaces')
    .values({ user_id, name: String(4e12 - Date.now()) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const workspaceId = workspace.id
  await db
    .insertInto('workspace_documents')
    .values({ workspace_id: workspaceId, document_id: documentId, added_by: user_id })
    .execute()
  const upload = await db
    .insertInto('uploads')
    .values({ user_id, name: 'b.txt', size: 4 })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { documentId, chunkId, workspaceId, uploadId: upload.id, name: 'text.md' }
}
