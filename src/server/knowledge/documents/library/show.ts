import type { Document, DocumentMetadata, Progress } from '#shared/knowledge/documents/documents.ts'
import { mediaTypeOf } from '../../../platform/files/media-types.ts'
import { type Speeds, secondsLeft } from '../pipeline/speeds.ts'
import type { DocumentRow } from './store.ts'

/** Parsed contents, each null when it is too long. */
export type Contents = Pick<Document, 'markdown_content' | 'text_markdown_content' | 'parsed_data'>
const noContents: Contents = { markdown_content: null, text_markdown_content: null, parsed_data: null }

type Shown = {
  now: Date
  speeds: Speeds
  /** Only for a single document. */
  contents?: Contents
}

/** Converts a row to a document on the wire. */
export function showDocument(row: DocumentRow, { now, speeds, contents = noContents }: Shown): Document {
  const kind = row.format ?? row.extension
  const media_type = mediaTypeOf(kind)
  return {
    ...{ id: row.id, name: row.name, extension: row.extension, normalized_extension: kind },
    ...{ file_type: media_type, mime_type: media_type, size: row.size, file_size: row.size },
    date: row.created_at.toISOString(),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    download_url: `/documents/${row.id}/content?original=true`,
    content_url: `/documents/${row.id}/content`,
    status: row.status,
    current_phase: phaseOf(row),
    progress: progressOf(row, now, speeds),
    is_found_by_words: row.is_found_by_words,
    ...{ is_starred: row.is_starred, user_id: row.user_id },
    ...{ company_id: row.company_id, shared_access: row.company_id !== null },
    processing_pipeline: row.pipeline,
    error_message: row.failure ? sentenceOf(row.failure) : null,
    failure: row.failure,
    duration: numberOf(row.facts.duration),
    ...{ parent_id: row.parent_id, tags: row.tags, version: row.version },
    ...(row.source && { source: row.source }),
    newest_version: row.newest_version,
    workspace_ids: row.workspace_ids,
    ...contents,
    doc_metadata: { ...metadataOf(row, media_type), ...contents, ...pdfOf(row, contents) },
  }
}

function phaseOf({ status, phase }: DocumentRow): Document['current_phase'] {
  if (status === 'completed') return null
  return status === 'queued' && phase === 'PARSING' ? 'UPLOAD' : phase
}

type Pdf = Pick<DocumentMetadata, 'pdf_version' | 'pdf_parsed_data'>

function pdfOf(row: DocumentRow, { parsed_data }: Contents): Pdf {
  if (row.files.includes('view.pdf'))
    return { pdf_version: `/documents/${row.id}/files/view.pdf`, pdf_parsed_data: parsed_data }
  if (row.format !== 'pdf') return { pdf_version: null, pdf_parsed_data: null }
  return { pdf_version: `/documents/${row.id}/content`, pdf_parsed_data: parsed_data }
}

function metadataOf(
  row: DocumentRow,
  content_type: string,
): Omit<DocumentMetadata, keyof Contents | keyof Pdf> {
  const file_info = { size: row.size, name: row.name, extension: row.extension }
  const { facts } = row
  return {
    file_info: { ...file_info, source_url: row.source?.url ?? row.source_url ?? textOf(facts.source_url) },
    parsing_metadata: {
      file_info,
      timing: { total_seconds: row.parse_ms === null ? null : row.parse_ms / 1000 },
    },
    content_type,
    title: textOf(facts.title),
    filename: row.name,
    converted_from: textOf(facts.converted_from) ?? (hasView(row) ? (row.format ?? row.extension) : null),
    chunking_metadata: { strategy: CHUNKING, chunks: row.chunks },
    chunking_strategy: CHUNKING,
    processing_pipeline: row.pipeline,
    pages: row.report?.pages ?? numberOf(facts.pages),
    language: row.language,
    files: row.files,
  }
}

/** The only chunking strategy: along the elements, below their titles. */
export const CHUNKING = 'by_elements'

const hasView = ({ files }: DocumentRow) => files.some((name) => name.startsWith('view.'))

function progressOf(row: DocumentRow, now: Date, speeds: Speeds): Progress | null {
  const { status, done, total } = row
  if (status !== 'in_progress' || total <= 0) return null
  return { done: Math.min(done, total), total, seconds_left: secondsLeft(row, now, speeds) }
}

/** Sentences for API clients; the web translates the code. */
function sentenceOf({ code, values }: NonNullable<DocumentRow['failure']>): string {
  const sentences: Record<string, string> = {
    empty: 'The file is empty.',
    unsupported: 'Files of this kind cannot be read.',
    encrypted: 'The file is protected by a password.',
    damaged: 'The file is damaged and cannot be read.',
    too_many_pages: 'The file has too many pages.',
    too_large_inside: 'What the file unpacks to is too large.',
    program_missing: `Reading this file needs ${values.program}; install the package ${values.package} on the server.`,
    package_missing: `Reading this file needs the package ${values.package}, which is not installed on the server.`,
    took_too_long: 'Reading the file took too long.',
    took_too_much_memory: 'Reading the file took too much memory.',
    crashed: 'Reading the file stopped again and again.',
    cancelled: 'The processing was cancelled.',
    no_text: 'There is no text in the file.',
    transcription_failed: 'The recording could not be transcribed.',
    model_failed: 'The embedding model could not be reached.',
  }
  return sentences[code] ?? 'The file could not be processed.'
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : null)
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
