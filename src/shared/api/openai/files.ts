import * as z from 'zod/mini'
import { route, WIRE_BASE } from '../../platform/http.ts'
import { queryInt, text } from '../../platform/primitives.ts'

/** Prefix of file ids on the wire, followed by the document id. */
export const FILE_PREFIX = 'file-'

/** Accepted purposes of a file. Fine-tuning and batch are not supported. */
export const FilePurpose = z.enum(['assistants', 'user_data', 'vision'])
export type FilePurpose = z.infer<typeof FilePurpose>

const FileId = text(1, 100)

/** A document of the library as a wire file. `processed` when it has been read, `error` when reading failed. */
export const WireFile = z.object({
  id: z.string(),
  object: z.literal('file'),
  bytes: z.number(),
  created_at: z.int(),
  filename: z.string(),
  purpose: FilePurpose,
  status: z.enum(['uploaded', 'processed', 'error']),
  status_details: z.nullable(z.string()),
  expires_at: z.null(),
})
export type WireFile = z.infer<typeof WireFile>

export const createWireFile = route({
  method: 'POST',
  base: WIRE_BASE,
  path: '/files',
  access: 'user',
  uses: 'feature uploads',
  fails: ['insufficient_balance', 'quota_exceeded', 'not_found'],
  scope: 'documents.write',
  upload: true,
  summary: 'Store a file in the library: multipart with `file` and `purpose`',
  answer: WireFile,
})

export const listWireFiles = route({
  method: 'GET',
  base: WIRE_BASE,
  path: '/files',
  access: 'user',
  fails: ['not_found'],
  scope: 'documents.read',
  summary: 'The files of the caller, page by page',
  query: z.object({
    purpose: z.optional(FilePurpose),
    order: z._default(z.enum(['asc', 'desc']), 'desc'),
    after: z.optional(FileId),
    limit: queryInt({ min: 1, max: 10_000, fallback: 1_000 }),
  }),
  answer: z.object({
    object: z.literal('list'),
    data: z.array(WireFile),
    first_id: z.nullable(z.string()),
    last_id: z.nullable(z.string()),
    has_more: z.boolean(),
  }),
})

const FileParams = z.object({ wireFileId: FileId })

export const getWireFile = route({
  method: 'GET',
  base: WIRE_BASE,
  path: '/files/:wireFileId',
  access: 'user',
  scope: 'documents.read',
  may: null,
  summary: 'One file',
  params: FileParams,
  answer: WireFile,
})

export const readWireFile = route({
  method: 'GET',
  base: WIRE_BASE,
  path: '/files/:wireFileId/content',
  access: 'user',
  sends: '*/*',
  alsoStatus: [206],
  scope: 'documents.read',
  may: null,
  summary: 'The bytes of a file as they were sent; ranges are answered',
  params: FileParams,
})

export const deleteWireFile = route({
  method: 'DELETE',
  base: WIRE_BASE,
  path: '/files/:wireFileId',
  access: 'user',
  scope: 'documents.write',
  may: null,
  summary: 'Delete a file from the library',
  params: FileParams,
  answer: z.object({ id: z.string(), object: z.literal('file'), deleted: z.literal(true) }),
})
