import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aDocument, anEmptyState, aPage } from '#tests/web/document-builder.ts'
import { anObject, collection, overlayOf } from '#tests/web/document-debug-builder.tsx'
import { leaveApp, prepareBrowser } from '#tests/web/render-app.tsx'

vi.setConfig({ testTimeout: 20_000 })
const user = userEvent.setup()
beforeEach(() => prepareBrowser())
afterEach(() => leaveApp())

const document_ = aDocument({ name: 'Lease.txt' })
const { open, openTab } = overlayOf(document_, {
  'GET /documents': ({ query }) => aPage([document_], query),
  'GET /documents/state': () => anEmptyState,
})

describe('document debug', () => {
  it('is only for super admins [VD-19]', async () => {
    await open({}, 'company_admin')
    expect(screen.queryByRole('button', { name: 'Debug' })).toBeNull()
  })

  it('searches within its chunks and shows how it was processed [DG-02, DG-03]', async () => {
    await openTab('Chunks')
    expect((await screen.findByText('Found 2 of 2 chunks')).getAttribute('role')).toBe('status')
    await user.type(screen.getByRole('searchbox', { name: 'Search within chunks' }), 'rent')
    expect(await screen.findByText('Found 1 of 2 chunks')).toBeTruthy()
    for (const words of ['processing_pipeline', 'chunking_strategy', '1.5 s', '0.25 s', '3 s'])
      expect(screen.getByText(words)).toBeTruthy()
  })

  it('shows the metadata if the chunks cannot be loaded, or says that they cannot [DG-05]', async () => {
    const chunks = {
      [`GET /documents/${document_.id}/chunks`]: () => [500, { code: 'broken', detail: 'Broken.' }],
    }
    const { unmount } = await openTab('Chunks', chunks)
    expect(await screen.findByText('Error fetching chunk data')).toBeTruthy()
    expect(screen.getByText('Check the chunks endpoint.')).toBeTruthy()
    expect(screen.queryByText('(Using fallback chunks from metadata)')).toBeNull()
    unmount()
    leaveApp()
    prepareBrowser()
    const parsed_data = [
      { element_id: 'e1', type: 'Title', text: 'Lease of Lyon', metadata: { page_number: 2 } },
      { element_id: 'e2', type: 'Paragraph', text: 'The term', metadata: { page_number: null } },
    ]
    const read = { ...document_, doc_metadata: { ...document_.doc_metadata, parsed_data } }
    await openTab('Chunks', { ...chunks, [`GET /documents/${document_.id}`]: () => read })
    const status = await screen.findByText(/^Found 2 of 2 chunks/)
    expect(status.textContent).toBe('Found 2 of 2 chunks (Using fallback chunks from metadata)')
    expect(screen.getByText('Error fetching chunk data')).toBeTruthy()
    expect(screen.getByText('Lease of Lyon')).toBeTruthy()
  })

  it('reads a chunk from DocumentChunkBIS, otherwise from Documents [DG-04]', async () => {
    let isTrial = true
    const { called } = await openTab('Chunks', {
      'POST /vector_db/objects/by-id': ({ body }) =>
        (body as { collection_name: string }).collection_name === 'Documents' || isTrial
          ? { object: anObject('a', 'The rent') }
          : [404, { code: 'not_found', detail: 'Collection not found' }],
    })
    await user.click(await screen.findByRole('button', { name: 'Open chunk 1' }))
    await screen.findByText('As stored in the collection DocumentChunkBIS:')
    isTrial = false
    await user.click(screen.getByRole('button', { name: 'Open chunk 2' }))
    await screen.findByText('As stored in the collection Documents:')
    const asked = called('POST /vector_db/objects/by-id').map(({ body }) => body)
    expect(asked).toEqual([
      { collection_name: 'DocumentChunkBIS', object_id: 'a' },
      { collection_name: 'DocumentChunkBIS', object_id: 'b' },
      { collection_name: 'Documents', object_id: 'b' },
    ])
  })

  it('says in the search that the collections cannot be loaded', async () => {
    await openTab('Search', {
      'GET /vector_db/collections': () => [422, { code: 'odd', detail: 'Not now.' }],
    })
    await screen.findByText('Failed to fetch vector DB collections: Not now.')
  })

  it('searches in the current document, by words [SR-09]', async () => {
    const { called } = await openTab('Search', {
      'POST /search_and_rerank/search_and_rerank': () => ({
        ...{ objects: [], search_type: 'keyword', documents: 1 },
        reranking: {
          status: 'off',
          reranker: null,
          detail: null,
          instead_of: null,
          original_count: 0,
          reranked_count: 0,
        },
      }),
    })
    const submit = await screen.findByRole('button', { name: 'Search' })
    expect((submit as HTMLButtonElement).disabled).toBe(true)
    await user.type(screen.getByRole('textbox', { name: 'Query' }), 'rent')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Search type' }), 'keyword')
    await user.click(submit)
    await screen.findByText('No results found for your search.')
    expect(called('POST /search_and_rerank/search_and_rerank')[0]?.body).toMatchObject({
      ...{ query: 'rent', use_bm25: true, hybrid_search: false, collection_name: 'Documents', limit: 20 },
      ...{ top_n: 5, reranker_name: 'bge_text_reranker' },
      filters: [{ property: 'document_id', operator: 'equal', value: document_.id }],
    })
  })

  it('shows an object with its readers and the first 50 numbers of its vectors [VD-04, VD-05]', async () => {
    await openTab('Vector DB')
    await user.click(await screen.findByRole('button', { name: 'Open object one' }))
    for (const words of ['user_id', 'ada', 'company_id', 'orsane', 'shared_access', 'company'])
      expect(screen.getByText(words)).toBeTruthy()
    expect(screen.queryByText(/0\.3333/)).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Show' }))
    const shown = screen.getByText(/0\.3333/).textContent ?? ''
    expect(shown).toContain('16.3333, ... 10 more]')
    expect(shown).not.toContain('16.6667')
    expect(screen.getByText('default')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Hide' }))
    expect(screen.queryByText(/0\.3333/)).toBeNull()
  })

  it('shows an error, and reloads', async () => {
    let isRefused = true
    await openTab('Vector DB', {
      'GET /vector_db/collections': () =>
        isRefused ? [422, { code: 'odd', detail: 'Not now.' }] : { collections: [collection] },
    })
    await screen.findByText('Failed to fetch collections: Not now.')
    isRefused = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Open object one' })).toBeTruthy())
  })
})
