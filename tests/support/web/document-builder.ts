import type { Document, DocumentPage } from '#shared/knowledge/documents/documents.ts'
import { extensionOf } from '#shared/platform/file-extension.ts'

/** Returns a document as the server sends it, with defaults. */
export function aDocument(given: Partial<Document> = {}): Document {
  const { id = crypto.randomUUID(), name = 'Contract.pdf', size = 2_202_010 } = given
  const extension = extensionOf(name)
  const file = { size, name, extension }
  return {
    ...{ id, name, extension, normalized_extension: extension, size, file_size: size },
    ...{ file_type: 'application/pdf', mime_type: 'application/pdf' },
    ...{ date: '2026-11-14T08:00:00.000Z', created_at: '2026-11-14T08:00:00.000Z' },
    updated_at: '2026-11-14T08:00:00.000Z',
    download_url: `/documents/${id}/content?original=true`,
    content_url: `/documents/${id}/content`,
    ...{ status: 'completed', current_phase: null, progress: null, is_starred: false },
    is_found_by_words: (given.status ?? 'completed') === 'completed',
    ...{ user_id: crypto.randomUUID(), company_id: null, shared_access: false },
    processing_pipeline: 'normal',
    ...{ error_message: null, failure: null, duration: null, parent_id: null },
    ...{ tags: [], version: 1, newest_version: given.version ?? 1, workspace_ids: [] },
    ...{ markdown_content: null, text_markdown_content: null, parsed_data: null },
    doc_metadata: {
      file_info: { ...file, source_url: null },
      parsing_metadata: { file_info: file, timing: { total_seconds: null } },
      ...{ content_type: 'application/pdf', title: null, filename: name, converted_from: null },
      chunking_metadata: { strategy: 'structure', chunks: 0 },
      ...{ chunking_strategy: 'structure', processing_pipeline: 'normal', pages: 48, language: null },
      ...{ files: [], markdown_content: null, text_markdown_content: null },
      ...{ pdf_version: null, parsed_data: null, pdf_parsed_data: null },
    },
    ...given,
  }
}

/** Returns a page of a list of documents for the query of a call. */
export function aPage(all: readonly Document[], query: URLSearchParams): DocumentPage {
  const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 50)]
  const items = all.slice((page - 1) * limit, page * limit)
  return { items, total: all.length, page, has_more: page * limit < all.length }
}

export const anEmptyState = {
  storage: { used: 0, limit: null },
  max_upload: 524_288_000,
  counts: { total: 0, queued: 0, in_progress: 0, failed: 0, starred: 0, from_chats: 0 },
  languages: ['en', 'fr'],
  missing: [] as { program: string; package: string; formats: string[] }[],
}
