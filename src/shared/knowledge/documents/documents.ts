import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { atMost, Id, label, queryInt, TimeZone, text, trimmed } from '../../platform/primitives.ts'
import { SourceFilter } from '../connectors/source-filter.ts'
import { DocumentSource } from './document-source.ts'
import { Chunk, DocumentPart, Element, ProcessingInfo, Report, TextEncoding } from './parts.ts'
import { DocumentStatus, Progress } from './status.ts'

export * from './parts.ts'
export { DocumentStatus, Progress } from './status.ts'

/** Thoroughness of a document's reading. */
export const Pipeline = z.enum(['low_latency', 'normal', 'improved'])
export type Pipeline = z.infer<typeof Pipeline>
export const DEFAULT_PIPELINE: Pipeline = 'normal'

export const DocumentPhase = z.enum(['UPLOAD', 'PARSING', 'CHUNKING_ENRICHMENT', 'EMBEDDING'])
export type DocumentPhase = z.infer<typeof DocumentPhase>

/** Reason for a failed document: `code` is a key under `failures` in the document texts, `values` fill it. */
export const Failure = z.object({
  code: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type Failure = z.infer<typeof Failure>

/** Properties of a file and of its reading. */
export const DocumentMetadata = z.object({
  file_info: z.object({
    size: z.number(),
    name: z.string(),
    extension: z.string(),
    source_url: z.nullable(z.string()),
  }),
  parsing_metadata: z.object({
    file_info: z.object({ size: z.number(), name: z.string(), extension: z.string() }),
    timing: z.object({ total_seconds: z.nullable(z.number()) }),
  }),
  content_type: z.string(),
  title: z.nullable(z.string()),
  filename: z.string(),
  /** Original format, when the file was converted for the viewer. */
  converted_from: z.nullable(z.string()),
  chunking_metadata: z.object({ strategy: z.string(), chunks: z.int() }),
  chunking_strategy: z.string(),
  processing_pipeline: Pipeline,
  pages: z.nullable(z.int()),
  language: z.nullable(z.string()),
  /** Files for the viewers, by name: `view.pdf`, `view.png`, `mail.json`, `sheets.json`, `digitized.md`, `text.md`, `thumb.webp`. */
  files: z.array(z.string()),
  /** The whole document as Markdown, and as plain text. Null in lists, before reading, and above 256 kB, where files hold them. */
  markdown_content: z.nullable(z.string()),
  text_markdown_content: z.nullable(z.string()),
  /** Path of the PDF version, relative to the API base; null when there is none. */
  pdf_version: z.nullable(z.string()),
  /** Elements of a short document, and those of its PDF version; `elements` returns all of them. */
  parsed_data: z.nullable(z.array(Element)),
  pdf_parsed_data: z.nullable(z.array(Element)),
})
export type DocumentMetadata = z.infer<typeof DocumentMetadata>

export const Document = z.object({
  id: Id,
  name: z.string(),
  /** Lower-case extension without the dot. */
  extension: z.string(),
  /** Usual extension of the detected format; before reading, the extension of the name. */
  normalized_extension: z.string(),
  /** MIME type. */
  file_type: z.string(),
  mime_type: z.string(),
  /** Bytes. */
  size: z.number(),
  file_size: z.number(),
  date: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  /** Addresses of the uploaded file and of its viewer version; relative to the API base. */
  download_url: z.string(),
  content_url: z.string(),
  status: DocumentStatus,
  /** Null when completed; `UPLOAD` until the reading starts. For a failed document the phase that failed. */
  current_phase: z.nullable(DocumentPhase),
  progress: z.nullable(Progress),
  /** True once keyword search finds it. Semantic search finds it when its status is `completed`. */
  is_found_by_words: z.boolean(),
  is_starred: z.boolean(),
  user_id: Id,
  /** Company it is shared with; its members may read it. */
  company_id: z.nullable(Id),
  shared_access: z.boolean(),
  processing_pipeline: Pipeline,
  /** An English sentence; the interface translates `failure`. */
  error_message: z.nullable(z.string()),
  failure: z.nullable(Failure),
  /** Length of audio and video, in seconds. */
  duration: z.nullable(z.number()),
  /** Document that contains this one as an attachment or entry. */
  parent_id: z.nullable(Id),
  /** Absent for documents that no connector read. */
  source: z.optional(DocumentSource),
  /** Folders of the upload, and tags from the owner. */
  tags: z.array(z.string()),
  /** Counts from 1. A newer version replaces the file and keeps the id. */
  version: z.int(),
  /** Number of the version in use; differs from `version` when an older version was requested. */
  newest_version: z.int(),
  workspace_ids: z.array(Id),
  /** Same as in `doc_metadata`. */
  markdown_content: z.nullable(z.string()),
  text_markdown_content: z.nullable(z.string()),
  parsed_data: z.nullable(z.array(Element)),
  doc_metadata: DocumentMetadata,
})
export type Document = z.infer<typeof Document>

export const DocumentPage = z.object({
  items: z.array(Document),
  total: z.int(),
  page: z.int(),
  has_more: z.boolean(),
})
export type DocumentPage = z.infer<typeof DocumentPage>

export const DOCUMENTS_PER_PAGE = 50
export const Category = z.enum([
  'pdf',
  'office',
  'images',
  'media',
  'html',
  'markdown',
  'text',
  'mail',
  'archive',
])
export type Category = z.infer<typeof Category>
const Flag = z.pipe(
  z.enum(['true', 'false', '1', '0']),
  z.transform((value) => value === 'true' || value === '1'),
)

const optionalInt = (min: number, max: number) =>
  z.optional(z.pipe(z.coerce.number(), z.int().check(z.gte(min), z.lte(max))))

/** Filters of the list; all of them can appear in the address bar. */
export const DocumentNarrowing = z.object({
  q: z.optional(trimmed(0, 200)),
  type: z.optional(Category),
  status: z.optional(DocumentStatus),
  starred: z.optional(Flag),
  /** True: only documents from chats; false: only others. */
  from_chats: z.optional(Flag),
  language: z.optional(text(2, 10)),
  tag: z.optional(text(1, 200)),
  from: z.optional(z.iso.datetime({ offset: true })),
  to: z.optional(z.iso.datetime({ offset: true })),
  ...{ min_size: optionalInt(0, 1e15), max_size: optionalInt(0, 1e15) },
  /** Only attachments and entries of this document. */
  parent_id: z.optional(Id),
  class_id: z.optional(Id),
  ...SourceFilter.shape,
})

/** The filters with a sort order and a page. */
export const DocumentFilter = z.extend(DocumentNarrowing, {
  sort: z._default(
    z.enum(['date', 'name', 'size', 'type', 'status', 'workspace', 'star', 'language']),
    'date',
  ),
  order: z._default(z.enum(['asc', 'desc']), 'desc'),
  page: queryInt({ min: 1, max: 1_000_000, fallback: 1 }),
  limit: queryInt({ min: 1, max: 200, fallback: DOCUMENTS_PER_PAGE }),
})

export const listDocuments = route({
  method: 'GET',
  path: '/documents',
  access: 'user',
  fails: ['not_found'],
  scope: 'documents.read',
  summary: 'Documents, of everything, of a chat or of a workspace',
  query: z.extend(DocumentFilter, { chat_session_id: z.optional(Id), workspace_id: z.optional(Id) }),
  answer: DocumentPage,
})

export const listDocumentMonths = route({
  method: 'GET',
  path: '/documents/months',
  access: 'user',
  fails: ['not_found'],
  scope: 'documents.read',
  summary:
    'How many documents came in each month, the newest first: where a date stands in the list sorted by date',
  query: z.extend(DocumentNarrowing, {
    chat_session_id: z.optional(Id),
    workspace_id: z.optional(Id),
    time_zone: z._default(TimeZone, 'UTC'),
  }),
  answer: z.object({
    /** Such as `2026-11`, in the given time zone. */
    months: z.array(z.object({ month: z.string(), count: z.int() })),
  }),
})

export const uploadDocuments = route({
  method: 'POST',
  path: '/documents/upload',
  access: 'user',
  uses: 'feature uploads',
  fails: ['conflict', 'insufficient_balance', 'quota_exceeded', 'not_found'],
  scope: 'documents.write',
  upload: true,
  summary:
    'Store files: multipart with `file` (repeatable) and, before them, optional `chat_session_id`, `workspace_id`, `processing_pipeline`, `path` (the folder a file came from), `media_id` (the file of a reply that it is a copy of)',
  status: 201,
  answer: z.union([Document, z.array(Document)]),
})

const DocumentParams = z.object({ documentId: Id })
/** Default: the newest version. */
const Version = optionalInt(1, 1e6)

export const getDocument = route({
  method: 'GET',
  path: '/documents/:documentId',
  access: 'user',
  scope: 'documents.read',
  may: 'read document',
  summary: 'One document; with `version` as it was in that version',
  params: DocumentParams,
  query: z.object({ version: Version }),
  answer: Document,
})

export const changeDocument = route({
  method: 'PATCH',
  path: '/documents/:documentId',
  access: 'user',
  scope: 'documents.write',
  may: 'write document',
  summary: 'Star, rename, tag, share with your company (its administrators) or with nobody',
  params: DocumentParams,
  body: z.object({
    is_starred: z.optional(z.boolean()),
    name: z.optional(label(1, 255)),
    tags: z.optional(z.array(label(1, 200)).check(z.maxLength(50))),
    shared_access: z.optional(z.boolean()),
  }),
  answer: Document,
})

export const deleteDocument = route({
  method: 'DELETE',
  path: '/documents/:documentId',
  access: 'user',
  scope: 'documents.write',
  may: 'manage document',
  fails: ['held'],
  summary: 'Delete; with `workspace_id` only out of that workspace, and wholly when it is in no other',
  params: DocumentParams,
  query: z.object({ workspace_id: z.optional(Id) }),
  status: 204,
})

export const readDocumentContent = route({
  method: 'GET',
  path: '/documents/:documentId/content',
  access: 'user',
  fails: ['invalid'],
  sends: '*/*',
  alsoStatus: [206],
  scope: 'documents.read',
  may: 'read document',
  summary: 'Bytes for viewing, or of the file as it was uploaded (`original=true`); ranges are answered',
  params: DocumentParams,
  query: z.object({
    original: z.optional(Flag),
    version: Version,
  }),
})

export const readDocumentFile = route({
  method: 'GET',
  path: '/documents/:documentId/files/:name',
  access: 'user',
  fails: ['invalid'],
  sends: '*/*',
  alsoStatus: [206, 304],
  scope: 'documents.read',
  may: 'read document',
  summary: 'A file that was made for the viewers',
  params: z.object({ documentId: Id, name: z.string().check(atMost(100), z.regex(/^[a-z0-9][a-z0-9.-]*$/)) }),
  query: z.object({ version: Version }),
})

export const listElements = route({
  method: 'GET',
  path: '/documents/:documentId/elements',
  access: 'user',
  scope: 'documents.read',
  may: 'read document',
  summary: 'What was read, by page: elements with their places, and the words of pages that were read by OCR',
  params: DocumentParams,
  query: z.object({
    from: queryInt({ min: 1, max: 1e6, fallback: 1 }),
    to: queryInt({ min: 1, max: 1e6, fallback: 20 }),
    version: Version,
  }),
  answer: z.object({ parts: z.array(DocumentPart), total_parts: z.int() }),
})

export const listDocumentChunks = route({
  method: 'GET',
  path: '/documents/:documentId/chunks',
  access: 'user',
  scope: 'documents.read',
  may: 'read document',
  summary: 'What the document was cut into for search, in its order',
  params: DocumentParams,
  query: z.object({
    after: queryInt({ min: 0, max: 1e7, fallback: 0 }),
    limit: queryInt({ min: 1, max: 1000, fallback: 1000 }),
  }),
  answer: z.object({ chunks: z.array(Chunk), total: z.int(), processing_info: ProcessingInfo }),
})

export const getDocumentChunk = route({
  method: 'GET',
  path: '/documents/:documentId/chunks/:chunkId',
  access: 'user',
  scope: 'documents.read',
  may: 'read document',
  summary: 'One chunk with its places; of any version of the document',
  params: z.object({ documentId: Id, chunkId: Id }),
  answer: z.extend(Chunk, { version: z.int() }),
})

export const reprocessDocument = route({
  method: 'POST',
  path: '/documents/:documentId/reprocess',
  access: 'user',
  fails: ['conflict'],
  scope: 'documents.write',
  may: 'write document',
  summary: 'Read a completed or failed document again, with this pipeline, and a text in this encoding',
  params: DocumentParams,
  body: z.object({ pipeline: Pipeline, encoding: z.optional(TextEncoding) }),
  answer: Document,
})

export const retryDocument = route({
  method: 'POST',
  path: '/documents/:documentId/retry',
  access: 'user',
  fails: ['conflict'],
  scope: 'documents.write',
  may: 'write document',
  summary: 'Go on with a failed document from the phase that failed',
  params: DocumentParams,
  answer: Document,
})

export const cancelDocument = route({
  method: 'POST',
  path: '/documents/:documentId/cancel',
  access: 'user',
  fails: ['conflict'],
  scope: 'documents.write',
  may: 'write document',
  summary: 'Stop the processing of a document; it can be retried',
  params: DocumentParams,
  answer: Document,
})

export const getDocumentReport = route({
  method: 'GET',
  path: '/documents/:documentId/report',
  access: 'user',
  fails: ['conflict'],
  scope: 'documents.read',
  may: 'read document',
  summary: 'How well a document was read',
  params: DocumentParams,
  query: z.object({ version: Version }),
  answer: Report,
})

export const transcribeDocument = route({
  method: 'POST',
  path: '/documents/:documentId/transcribe',
  afterTerms: true,
  access: 'user',
  uses: 'feature transcription',
  fails: ['conflict'],
  may: 'read document',
  summary: 'What is said in a recording; waits for its reading',
  params: DocumentParams,
  answer: z.object({ text: z.string() }),
})
