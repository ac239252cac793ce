import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, queryInt } from '../../platform/primitives.ts'
import { Document, DocumentStatus, Pipeline } from './documents.ts'

/** A version of a document: a file and the pipeline that read it. */
export const DocumentVersion = z.object({
  /** Counted from 1. */
  version: z.int(),
  name: z.string(),
  /** In bytes. */
  size: z.int(),
  /** Time at which it became the current version. */
  created_at: z.string(),
  processing_pipeline: Pipeline,
  status: DocumentStatus,
  /** True when the file equals that of the previous version and only the reading differs. */
  is_same_file: z.boolean(),
  /** True for the version in use. A restored reading appears twice; only the newest entry is in use. */
  is_in_use: z.boolean(),
})
export type DocumentVersion = z.infer<typeof DocumentVersion>

export const listDocumentVersions = route({
  method: 'GET',
  path: '/documents/:documentId/versions',
  access: 'user',
  scope: 'documents.read',
  may: 'read document',
  summary: 'What a document showed, the newest first',
  params: z.object({ documentId: Id }),
  query: z.object({
    page: queryInt({ min: 1, max: 1_000_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 100, fallback: 20 }),
  }),
  answer: z.object({
    items: z.array(DocumentVersion),
    total: z.int(),
    page: z.int(),
    has_more: z.boolean(),
  }),
})

export const restoreDocumentVersion = route({
  method: 'POST',
  path: '/documents/:documentId/versions/:version/restore',
  access: 'user',
  fails: ['conflict'],
  scope: 'documents.write',
  may: 'write document',
  summary: 'Show an older version again, as the newest one; nothing is read anew',
  params: z.object({
    documentId: Id,
    version: z.pipe(z.coerce.number(), z.int().check(z.gte(1), z.lte(1e6))),
  }),
  answer: Document,
})

export const replaceDocument = route({
  method: 'POST',
  path: '/documents/:documentId/versions',
  access: 'user',
  uses: 'feature uploads',
  fails: ['insufficient_balance', 'quota_exceeded'],
  scope: 'documents.write',
  may: 'write document',
  upload: true,
  summary:
    'Replace the file by a newer version (multipart, one part named `file`); its id, place and citations stay',
  params: z.object({ documentId: Id }),
  status: 201,
  answer: Document,
})
