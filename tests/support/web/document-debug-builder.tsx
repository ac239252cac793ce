import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Document } from '#shared/knowledge/documents/documents.ts'
import { aServer, aUser, renderApp } from './render-app.tsx'
import type { Answers } from './render-page.tsx'

const user = userEvent.setup()

const aChunk = (id: string, text: string) => ({
  ...{ id, element_id: 'e1', type: 'Paragraph', text, content: text, heading_path: [], place: {} },
  ...{ page_number: null, has_embeddings: true, chunk_size: 1, certainty: null, distance: null },
  metadata: { timeline_position: null, start_time_from_meta: null, page_number: null },
})
const processing_info = {
  ...{ processing_pipeline: 'normal', chunking_strategy: 'structure', embedding_model: null },
  ...{ parse_time: 1.5, chunking_time: 0.25, embedding_time: 3 },
}
export const collection = {
  ...{ name: 'Documents', description: null, object_count: 2, index_type: 'hnsw' },
  vectors: [{ name: 'default', dimensions: 60, distance_metric: 'cosine', is_multi_vector: false }],
  ...{ is_library: true, is_missing: false },
}
export const anObject = (uuid: string, text: string) => ({
  uuid,
  properties: {
    ...{
      text,
      content: text,
      title: null,
      metadata: {},
      document_id: 'd',
      file_name: 'a.txt',
      file_type: 'txt',
    },
    ...{ chunk_type: 'Text', page_number: 1, position: 0, language: 'en' },
    ...{ user_id: 'ada', company_id: 'orsane', shared_access: ['company'] },
  },
  vectors: { default: Array.from({ length: 60 }, (_, at) => at / 3) },
})

/** Opens the overlay of the document Lease.txt; `library` answers the requests of the page behind it. */
export function overlayOf(document_: Document, library: Answers) {
  async function open(more: Answers = {}, role: 'super_admin' | 'company_admin' = 'super_admin') {
    const answers = aServer(
      {
        ...library,
        'GET /workspaces': () => ({ items: [], total: 0, has_more: false, page: 1 }),
        [`GET /documents/${document_.id}`]: () => document_,
        [`GET /documents/${document_.id}/chunks`]: () => ({
          ...{ chunks: [aChunk('a', 'The rent'), aChunk('b', 'The term')], total: 2, processing_info },
        }),
        'GET /vector_db/collections': () => ({ collections: [collection] }),
        'GET /vector_db/status': () => ({
          ...{ status: 'connected', engine: 'LanceDB', location: 'data_folder', objects: 2 },
          ...{ size_bytes: 2048, fragments: 1, collections: [] },
        }),
        'GET /reranking/rerankers': () => ({ rerankers: [{ name: 'bge_text_reranker', description: '' }] }),
        'GET /search/vector-info/Documents': () => ({ vector_fields: [], is_multi_vector: false }),
        'POST /vector_db/objects': () => ({ objects: [anObject('one', 'The rent')], next_cursor: null }),
        ...more,
      },
      aUser({ role }),
    )
    const page = await renderApp(`/documents/${document_.id}`, { token: 't', answers })
    await screen.findByRole('heading', { level: 1, name: 'Lease.txt' })
    return page
  }

  async function openTab(name: string, more: Answers = {}) {
    const page = await open(more)
    await user.click((await screen.findAllByRole('button', { name: 'Debug' }))[0] as HTMLElement)
    const dialog = await screen.findByRole('dialog', { name: 'Debug: Lease.txt' })
    await user.click(await within(dialog).findByRole('tab', { name: (shown) => shown.startsWith(name) }))
    return page
  }
  return { open, openTab }
}
