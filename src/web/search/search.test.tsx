import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { overlayOf } from '../document-debug/document-debug-builder.tsx'
import { aDocument, anEmptyState, aPage } from '../documents/document-builder.ts'
import { leaveApp, prepareBrowser } from '../render-app.tsx'

vi.setConfig({ testTimeout: 20_000 })
const user = userEvent.setup()
beforeEach(() => prepareBrowser())
afterEach(() => leaveApp())

const document_ = aDocument({ name: 'Lease.txt' })
const { openTab } = overlayOf(document_, {
  'GET /documents': ({ query }) => aPage([document_], query),
  'GET /documents/state': () => anEmptyState,
})

const bounds = ({ value, min, max, step }: HTMLInputElement) => [value, min, max, step].filter(Boolean)
const refused = () => [422, { code: 'odd', detail: 'Not now.' }]

describe('search and rerank', () => {
  it('SR-04 has limits, a threshold and a share of the vectors within their bounds', async () => {
    await openTab('Search')
    const number = async (name: string) =>
      bounds((await screen.findByRole('spinbutton', { name })) as HTMLInputElement)
    expect(await number('Initial limit')).toEqual(['20', '5', '100'])
    expect(await number('Top N')).toEqual(['5', '1', '50'])
    const slider = (name: string) => bounds(screen.getByRole('slider', { name }) as HTMLInputElement)
    expect(slider('Threshold')).toEqual(['0', '0', '1', '0.05'])
    expect(slider('Hybrid alpha')).toEqual(['0.5', '0', '1', '0.05'])
  })

  it('SR-07 works with the known rerankers when the server names none, and says what failed', async () => {
    await openTab('Search', {
      'GET /reranking/rerankers': refused,
      'GET /search/vector-info/Documents': refused,
      'POST /search_and_rerank/search_and_rerank': refused,
    })
    await screen.findByText('Failed to fetch rerankers: Not now.')
    await screen.findByText('Failed to fetch vector fields: Not now.')
    const reranker = screen.getByRole('combobox', { name: 'Reranker' }) as HTMLSelectElement
    expect(reranker.value).toBe('bge_text_reranker')
    expect([...reranker.options].map(({ value }) => value)).toEqual([
      '',
      'bge_text_reranker',
      'cosine_similarity_reranker',
    ])
    await user.type(screen.getByRole('textbox', { name: 'Query' }), 'rent')
    await user.click(screen.getByRole('button', { name: 'Search' }))
    await screen.findByText('Not now.')
  })

  it('SR-08 offers the vectors of the collection, and asks for those that are chosen', async () => {
    const { called } = await openTab('Search', {
      'GET /search/vector-info/Documents': () => ({
        vector_fields: [
          { name: 'body', model: 'e5-base-v2', dimensions: 768, is_multi_vector: false },
          { name: 'tokens', model: null, dimensions: 128, is_multi_vector: true },
        ],
        is_multi_vector: true,
      }),
      'POST /search_and_rerank/search_and_rerank': refused,
    })
    await screen.findByRole('checkbox', { name: 'body · e5-base-v2' })
    await user.click(screen.getByRole('checkbox', { name: 'tokens · multi' }))
    await user.type(screen.getByRole('textbox', { name: 'Query' }), 'rent')
    await user.click(screen.getByRole('button', { name: 'Search' }))
    await screen.findByText('Not now.')
    expect(called('POST /search_and_rerank/search_and_rerank')[0]?.body).toMatchObject({
      target_vectors: ['tokens'],
    })
  })
})
