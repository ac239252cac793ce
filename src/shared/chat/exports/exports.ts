import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, Language, queryInt, TimeZone } from '../../platform/primitives.ts'

/** Export formats of a chat, in display order. */
export const exportFormats = ['docx', 'pdf', 'md', 'json'] as const
export const ExportFormat = z.enum(exportFormats)
export type ExportFormat = z.infer<typeof ExportFormat>

/** Options of a chat export. */
export const ChatExportWish = z.object({
  format: ExportFormat,
  /** The branch on screen, or all branches. */
  what: z._default(z.enum(['branch', 'all']), 'branch'),
  /** Writes citations as footnotes; false also removes their numbers. */
  footnotes: z._default(z.boolean(), true),
  /** Quotes the passage in each footnote, for documents the person may still read. */
  quotes: z._default(z.boolean(), true),
  /** Includes steps and tool calls, one line each. */
  steps: z._default(z.boolean(), false),
  language: z._default(Language, 'en'),
  time_zone: z._default(TimeZone, 'UTC'),
})
export type ChatExportWish = z.infer<typeof ChatExportWish>

/** Options of an account export. */
export const AccountExportWish = z.object({
  /** Includes documents and other files; otherwise only chats and other account data. */
  documents: z._default(z.boolean(), true),
  language: z._default(Language, 'en'),
  time_zone: z._default(TimeZone, 'UTC'),
})
export type AccountExportWish = z.infer<typeof AccountExportWish>

export const ExportState = z.enum(['making', 'ready', 'failed'])

/** An export of one chat or of a whole account. */
export const Export = z.object({
  id: Id,
  kind: z.enum(['chat', 'account']),
  /** Set for a chat export. */
  session_id: z.nullable(Id),
  /** File name. */
  name: z.string(),
  state: ExportState,
  /** Progress from 0 to 1. */
  progress: z.number(),
  /** The part in progress and its counts; null when nothing is counted. */
  stage: z.nullable(z.object({ what: z.enum(['chats', 'documents', 'files']), done: z.int(), of: z.int() })),
  /** Reason of a failure, in one sentence. */
  error: z.nullable(z.string()),
  /** Bytes, once it is ready. */
  size: z.nullable(z.int()),
  created_at: z.string(),
  /** The file can be downloaded until then. */
  expires_at: z.string(),
})
export type Export = z.infer<typeof Export>

/** Days that a finished file can be downloaded. */
export const EXPORT_DAYS = 7
/** Exports per person; a new one replaces the oldest. */
export const MAX_EXPORTS = 20
/** Maximum text of a chat that is exported synchronously, in bytes. */
export const SHORT_BYTES = 300_000

const ExportParams = z.object({ exportId: Id })

export const exportChat = route({
  method: 'POST',
  path: '/sessions/:sessionId/exports',
  access: 'user',
  uses: 'feature exports',
  fails: ['conflict', 'quota_exceeded'],
  may: 'read session',
  summary:
    'Take a chat out as a document. A short one is ready with the answer; a long one is made by a job, and `export_changed` says how far it is',
  status: 201,
  params: z.object({ sessionId: Id }),
  body: ChatExportWish,
  answer: Export,
})

export const exportAccount = route({
  method: 'POST',
  path: '/exports',
  access: 'user',
  fails: ['conflict', 'quota_exceeded', 'not_found'],
  summary: 'Take out all that is the caller’s, as one archive made by a job; one at a time',
  status: 201,
  body: AccountExportWish,
  answer: Export,
})

export const listExports = route({
  method: 'GET',
  path: '/exports',
  access: 'user',
  fails: ['not_found'],
  summary: 'What the caller has taken out, newest first',
  query: z.object({
    kind: z.optional(z.enum(['chat', 'account'])),
    skip: queryInt({ min: 0, max: MAX_EXPORTS, fallback: 0 }),
    limit: queryInt({ min: 1, max: MAX_EXPORTS, fallback: MAX_EXPORTS }),
  }),
  answer: z.object({ items: z.array(Export) }),
})

export const getExport = route({
  method: 'GET',
  path: '/exports/:exportId',
  access: 'user',
  may: 'read export',
  summary: 'How far something is that is taken out',
  params: ExportParams,
  answer: Export,
})

export const readExport = route({
  method: 'GET',
  path: '/exports/:exportId/file',
  access: 'user',
  fails: ['conflict', 'invalid'],
  sends: '*/*',
  alsoStatus: [206],
  may: 'read export',
  summary: 'The file that was made; ranges are answered',
  params: ExportParams,
})

export const removeExport = route({
  method: 'DELETE',
  path: '/exports/:exportId',
  access: 'user',
  may: 'manage export',
  summary: 'Stop what is being made, or remove its file',
  status: 204,
  params: ExportParams,
})
