import * as z from 'zod/mini'
import { Upload } from '../../knowledge/documents/uploads.ts'
import { route } from '../../platform/http.ts'
import { Id, label, queryInt } from '../../platform/primitives.ts'

/** Products whose exports can be imported, in display order. */
export const importFormats = ['chatgpt', 'claude', 'open_webui', 'librechat', 'atrium'] as const
export const ImportFormat = z.enum(importFormats)
export type ImportFormat = z.infer<typeof ImportFormat>

/**
 * `reading`: the preview is made. `ready`: it waits for the start. `stopped`: the person stopped it; it can be started again.
 */
export const ImportState = z.enum([
  ...(['reading', 'ready', 'importing', 'stopped', 'done', 'failed', 'undoing', 'undone'] as const),
])
export type ImportState = z.infer<typeof ImportState>

/** Contents of an export file. */
export const ImportPreview = z.object({
  chats: z.int(),
  /** Chats that are not here yet. */
  new_chats: z.int(),
  /** Chats with more than one branch. */
  branched: z.int(),
  archived: z.int(),
  messages: z.int(),
  files: z.int(),
  file_bytes: z.int(),
  assistants: z.int(),
  prompts: z.int(),
  /** Facts of the memory, without earlier versions and proposals. */
  facts: z.int(),
  schedules: z.int(),
  projects: z.int(),
  /** Times of the first and the last message; null without times. */
  first_at: z.nullable(z.string()),
  last_at: z.nullable(z.string()),
})
export type ImportPreview = z.infer<typeof ImportPreview>

/** Reason why a chat, a file or an assistant of an export cannot be imported. */
export const ProblemReason = z.enum([
  ...(['damaged', 'too_large', 'too_deep', 'too_many', 'loop', 'empty'] as const),
  ...(['file_missing', 'file_elsewhere', 'file_refused', 'limit', 'of_project'] as const),
])
export type ProblemReason = z.infer<typeof ProblemReason>

export const ImportProblem = z.object({
  kind: z.enum(['chat', 'file', 'assistant', 'prompt', 'fact', 'schedule', 'project']),
  /** Name of the chat, file or assistant; empty when it is unknown. */
  title: z.string(),
  reason: ProblemReason,
})
export type ImportProblem = z.infer<typeof ImportProblem>

/** Counts of things that an import added and that are still there. */
export const ImportedCounts = z.object({
  chats: z.int(),
  messages: z.int(),
  files: z.int(),
  assistants: z.int(),
  prompts: z.int(),
  facts: z.int(),
  schedules: z.int(),
  projects: z.int(),
})
export type ImportedCounts = z.infer<typeof ImportedCounts>

export const Import = z.object({
  id: Id,
  /** File name. */
  name: z.string(),
  size: z.int(),
  /** Null until it is recognized. */
  format: z.nullable(ImportFormat),
  state: ImportState,
  /** Finished entries of the file in this state. */
  done: z.int(),
  /** All entries, once they are counted. */
  total: z.nullable(z.int()),
  preview: z.nullable(ImportPreview),
  added: ImportedCounts,
  /** Things that cannot be imported. */
  problems: z.int(),
  /** Chats and assistants that an undo left, because the person changed them. */
  kept: z.int(),
  /** False once the file is removed; it must then be uploaded again. */
  has_file: z.boolean(),
  /** Reason of a failure, in one sentence. */
  error: z.nullable(z.string()),
  created_at: z.string(),
  finished_at: z.nullable(z.string()),
})
export type Import = z.infer<typeof Import>

/** States in which a job works on an import. */
export const isBusy = ({ state }: Pick<Import, 'state'>) =>
  state === 'reading' || state === 'importing' || state === 'undoing'

/** Maximum bytes of an export file. */
export const MAX_IMPORT_BYTES = 20_000_000_000
/** Hours that the file of an unfinished import is stored. */
export const IMPORT_FILE_HOURS = 24
/** Maximum listed imports and problems per page. */
const MAX_PAGE = 100

const ImportParams = z.object({ importId: Id })

export const beginImportUpload = route({
  method: 'POST',
  path: '/imports/uploads',
  access: 'user',
  uses: 'feature uploads',
  fails: ['conflict', 'quota_exceeded'],
  summary: 'Begin the upload of an export file; send its parts like those of a document',
  status: 201,
  body: z.object({ name: label(1, 255), size: z.int().check(z.gte(1), z.lte(1e13)) }),
  answer: Upload,
})

export const createImport = route({
  method: 'POST',
  path: '/imports',
  access: 'user',
  fails: ['conflict', 'not_found'],
  summary: 'Read an uploaded export file for a preview. Nothing is imported before `start`',
  status: 201,
  body: z.object({ upload_id: Id }),
  answer: Import,
})

export const listImports = route({
  method: 'GET',
  path: '/imports',
  access: 'user',
  summary: 'The imports of the caller, newest first',
  query: z.object({
    skip: queryInt({ min: 0, max: 100_000, fallback: 0 }),
    limit: queryInt({ min: 1, max: MAX_PAGE, fallback: 20 }),
  }),
  answer: z.object({ items: z.array(Import) }),
})

export const getImport = route({
  method: 'GET',
  path: '/imports/:importId',
  access: 'user',
  may: 'read import',
  summary: 'The preview, progress and result of an import',
  params: ImportParams,
  answer: Import,
})

export const listImportProblems = route({
  method: 'GET',
  path: '/imports/:importId/problems',
  access: 'user',
  may: 'read import',
  summary: 'Chats and files that cannot be imported, in the order of the export',
  params: ImportParams,
  query: z.object({
    skip: queryInt({ min: 0, max: 10_000_000, fallback: 0 }),
    limit: queryInt({ min: 1, max: MAX_PAGE, fallback: MAX_PAGE }),
  }),
  answer: z.object({ items: z.array(ImportProblem), total: z.int() }),
})

export const startImport = route({
  method: 'POST',
  path: '/imports/:importId/start',
  access: 'user',
  may: 'write import',
  fails: ['conflict'],
  summary: 'Start an import, or continue a stopped or failed one. What is already here is not added again',
  params: ImportParams,
  /** Absent: as before, at first with assistants. */
  body: z.object({ with_assistants: z.optional(z.boolean()) }),
  answer: Import,
})

export const stopImport = route({
  method: 'POST',
  path: '/imports/:importId/stop',
  access: 'user',
  may: 'write import',
  fails: ['conflict'],
  summary: 'Stop an import. What it added stays; it can be continued or undone',
  params: ImportParams,
  answer: Import,
})

export const undoImport = route({
  method: 'POST',
  path: '/imports/:importId/undo',
  access: 'user',
  may: 'manage import',
  fails: ['conflict'],
  summary: 'Delete everything that an import added, except chats and assistants that were changed afterwards',
  params: ImportParams,
  answer: Import,
})

export const removeImport = route({
  method: 'DELETE',
  path: '/imports/:importId',
  access: 'user',
  may: 'manage import',
  fails: ['conflict'],
  summary: 'Remove an import that added nothing, with its file',
  status: 204,
  params: ImportParams,
})
