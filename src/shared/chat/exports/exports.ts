import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { Id, Language, queryInt, TimeZone } from '../../platform/primitives.ts'

/** What a chat can be taken out as, in the order in which it is offered. */
export const exportFormats = ['docx', 'pdf', 'md', 'json'] as const
export const ExportFormat = z.enum(exportFormats)
export type ExportFormat = z.infer<typeof ExportFormat>

/** How a chat leaves. */
export const ChatExportWish = z.object({
  format: ExportFormat,
  /** The branch on screen, or all of them. */
  what: z._default(z.enum(['branch', 'all']), 'branch'),
  /** Citations as footnotes; without them the numbers go too. */
  footnotes: z._default(z.boolean(), true),
  /** The words of the passage in each footnote, of documents the person may still read. */
  quotes: z._default(z.boolean(), true),
  /** Steps and calls of tools, a line each. */
  steps: z._default(z.boolean(), false),
  language: z._default(Language, 'en'),
  time_zone: z._default(TimeZone, 'UTC'),
})
export type ChatExportWish = z.infer<typeof ChatExportWish>

/** How all that is a person's leaves. */
export const AccountExportWish = z.object({
  /** With documents and other files; else only chats and what else is known. */
  documents: z._default(z.boolean(), true),
  language: z._default(Language, 'en'),
  time_zone: z._default(TimeZone, 'UTC'),
})
export type AccountExportWish = z.infer<typeof AccountExportWish>

export const ExportState = z.enum(['making', 'ready', 'failed'])

/** Something that is taken out: a chat, or all that a person has. */
export const Export = z.object({
  id: Id,
  kind: z.enum(['chat', 'account']),
  /** Of a chat. */
  session_id: z.nullable(Id),
  /** The name of its file. */
  name: z.string(),
  state: ExportState,
  /** How much of it is made, from 0 to 1. */
  progress: z.number(),
  /** What it is made of, and how far that is; null where nothing is counted. */
  stage: z.nullable(z.object({ what: z.enum(['chats', 'documents', 'files']), done: z.int(), of: z.int() })),
  /** Why it failed, in one sentence. */
  error: z.nullable(z.string()),
  /** Bytes, once it is ready. */
  size: z.nullable(z.int()),
  created_at: z.string(),
  /** Until then it can be had. */
  expires_at: z.string(),
})
export type Export = z.infer<typeof Export>

/** So many days a file that was made can be had. */
export const EXPORT_DAYS = 7
/** So many a person has at most: the oldest gives way. */
export const EXPORTS_MOST = 20
/** Text of a chat up to which it is made while one waits. */
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
    skip: queryInt({ min: 0, max: EXPORTS_MOST, fallback: 0 }),
    limit: queryInt({ min: 1, max: EXPORTS_MOST, fallback: EXPORTS_MOST }),
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
