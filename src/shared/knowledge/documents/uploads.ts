import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, label } from '../../platform/primitives.ts'
import { Document, Pipeline } from './documents.ts'

/** Part size of a large upload, in bytes; smaller files need only one request. */
export const PART_BYTES = 8 * 1024 * 1024

/** State of an upload in parts. It is deleted a day after its last part. */
export const Upload = z.object({ id: Id, name: z.string(), size: z.number(), received: z.number() })
export type Upload = z.infer<typeof Upload>

/** Target and pipeline of an upload. */
export const UploadOptions = z.object({
  chat_session_id: z.optional(Id),
  workspace_id: z.optional(Id),
  processing_pipeline: z.optional(Pipeline),
  /** Original folder path, with slashes. */
  path: z.optional(label(0, 1000)),
  /** Document whose file is replaced. */
  document_id: z.optional(Id),
})
export type UploadOptions = z.infer<typeof UploadOptions>

/** Options of a form. A file that a reply made gets the class of what the reply was made from. */
export const FormOptions = z.extend(UploadOptions, { media_id: z.optional(Id) })
export type FormOptions = z.infer<typeof FormOptions>

export const beginUpload = route({
  method: 'POST',
  path: '/documents/uploads',
  access: 'user',
  uses: 'feature uploads',
  fails: ['conflict', 'insufficient_balance', 'quota_exceeded', 'not_found'],
  scope: 'documents.write',
  summary: 'Begin an upload in parts, so that it can go on after a lost connection',
  status: 201,
  body: z.extend(UploadOptions, {
    name: label(1, 255),
    /** Bytes. */
    size: z.int().check(z.gte(1), z.lte(1e13)),
  }),
  answer: Upload,
})

export const listUploads = route({
  method: 'GET',
  path: '/documents/uploads',
  access: 'user',
  scope: 'documents.read',
  summary: 'Uploads in parts that are not over, the newest first',
  pages: 1_000,
  answer: z.object({ items: z.array(Upload) }),
})

const UploadParams = z.object({ uploadId: Id })

export const getUpload = route({
  method: 'GET',
  path: '/documents/uploads/:uploadId',
  access: 'user',
  scope: 'documents.read',
  may: 'read upload',
  summary: 'How much of an upload has come',
  params: UploadParams,
  answer: Upload,
})

/** Accepts one part as multipart form data (`file`) at `offset`. For a repeated part it returns the current state. */
export const sendPart = route({
  method: 'POST',
  path: '/documents/uploads/:uploadId/parts',
  access: 'user',
  scope: 'documents.write',
  may: 'write upload',
  upload: true,
  summary: 'The next part of an upload (multipart: `offset`, then `file`)',
  params: UploadParams,
  answer: Upload,
})

export const endUpload = route({
  method: 'POST',
  path: '/documents/uploads/:uploadId/complete',
  access: 'user',
  fails: ['conflict', 'quota_exceeded'],
  scope: 'documents.write',
  may: 'write upload',
  summary: 'Make a document of an upload that has come whole',
  status: 201,
  params: UploadParams,
  answer: Document,
})

export const cancelUpload = route({
  method: 'DELETE',
  path: '/documents/uploads/:uploadId',
  access: 'user',
  scope: 'documents.write',
  may: 'write upload',
  summary: 'Give an upload up; nothing of it stays',
  status: 204,
  params: UploadParams,
})
