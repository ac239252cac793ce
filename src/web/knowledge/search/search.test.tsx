import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aDocument, anEmptyState, aPage } from '#tests/web/document-builder.ts'
import { overlayOf } from '#tests/web/document-debug-builder.tsx'
import { leaveApp, prepareBrowser } from '#tests/web/render-app.tsx'

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

const anObject = (id: string, more = {}) => ({
  ...{ id, score: 0.742, distance: 0.258, certainty: 0.871, keyword_score: 4, rerank_score: 0.968 },
  ...{ found_rank: 3, content: 'The rent is 900.' },
  properties: {
    ...{ document_id: document_.id, file_name: 'Lease.txt', file_type: 'txt', chunk_type: 'paragraph' },
    ...{ title: 'Lease', text: 'The rent is 900.', page_number: 17, heading_path: ['Rent'], place: {} },
  },
  ...more,
})
const answered = (objects: object[], reranking = {}) => ({
  ...{ objects, search_type: 'hybrid', documents: 1 },
  reranking: {
    ...{
      status: 'done',
      reranker: 'bge_text_reranker',
      detail: null,
      skipped_because: null,
      instead_of: null,
      original_count: 20,
      reranked_count: 2,
    },
    ...reranking,
  },
})
const SEARCH = 'POST /search_and_rerank/search_and_rerank'
const search = async () => {
  await user.type(await screen.findByRole('textbox', { name: 'Query' }), 'rent')
  await user.click(screen.getByRole('button', { name: 'Search' }))
}
const select = (name: string) => screen.getByRole('combobox', { name }) as HTMLSelectElement
const slider = (name: string) => screen.getByRole('slider', { name }) as HTMLInputElement

describe('search and rerank', () => {
  it('sends the configured parameters [SR-01, SR-02, SR-05]', async () => {
    const { called } = await openTab('Search', {
      [SEARCH]: refused,
      'GET /search/vector-info/Documents': () => ({
        ...{ is_multi_vector: false },
        vector_fields: [{ name: 'body', model: null, dimensions: 3, is_multi_vector: false }],
      }),
      'GET /reranking/rerankers': () => ({
        rerankers: [
          { name: 'bge_text_reranker', description: '' },
          { name: 'cosine_similarity_reranker', description: '' },
        ],
      }),
    })
    const asked = () => called(SEARCH).map(({ body }) => body)
    await screen.findByRole('checkbox', { name: 'body' })
    await search()
    const usual = {
      ...{ query: 'rent', collection_name: 'Documents', limit: 20, offset: 0, use_bm25: false },
      ...{ hybrid_search: true, hybrid_alpha: 0.5, join_strategy: 'minimum', top_n: 5 },
      reranker_name: 'bge_text_reranker',
      filters: [{ property: 'document_id', operator: 'equal', value: document_.id }],
    }
    await waitFor(() => expect(asked()).toEqual([usual]))
    const strategies = ['minimum', 'maximum', 'average', 'relative_score', 'manual_weights']
    expect([...select('Join strategy').options].map(({ value }) => value)).toEqual(strategies)
    expect([...select('Search type').options].map(({ text }) => text)).toEqual([
      ...['Vector', 'Keyword (BM25)', 'Hybrid'],
    ])
    await user.selectOptions(select('Join strategy'), 'average')
    await user.selectOptions(select('Reranker'), 'cosine_similarity_reranker')
    await user.click(screen.getByRole('checkbox', { name: 'body' }))
    fireEvent.change(slider('Threshold'), { target: { value: '0.35' } })
    fireEvent.change(slider('Hybrid alpha'), { target: { value: '0.85' } })
    for (const [name, value] of [
      ['Initial limit', '40'],
      ['Top N', '9'],
    ] as const) {
      await user.clear(screen.getByRole('spinbutton', { name }))
      await user.type(screen.getByRole('spinbutton', { name }), value)
    }
    for (const [type, sent] of [
      ['hybrid', { use_bm25: false, hybrid_search: true }],
      ['keyword', { use_bm25: true, hybrid_search: false }],
      ['vector', { use_bm25: false, hybrid_search: false }],
    ] as const) {
      await user.selectOptions(select('Search type'), type)
      const before = asked().length
      await user.click(screen.getByRole('button', { name: 'Search' }))
      await waitFor(() => expect(asked()).toHaveLength(before + 1))
      expect(asked().at(-1)).toEqual({
        ...{ ...usual, limit: 40, top_n: 9, hybrid_alpha: 0.85, join_strategy: 'average' },
        ...{ reranker_name: 'cosine_similarity_reranker', target_vectors: ['body'], ...sent },
        reranker_parameters: { threshold: 0.35 },
      })
      await screen.findByText('Not now.')
    }
  })

  it('requires a query and a collection [SR-03]', async () => {
    await openTab('Search')
    const button = (await screen.findByRole('button', { name: 'Search' })) as HTMLButtonElement
    expect([select('Collection').value, button.disabled]).toEqual(['Documents', true])
    await user.type(screen.getByRole('textbox', { name: 'Query' }), ' ')
    expect(button.disabled).toBe(true)
    await user.type(screen.getByRole('textbox', { name: 'Query' }), 'rent')
    expect(button.disabled).toBe(false)
    await user.selectOptions(select('Collection'), '')
    expect(button.disabled).toBe(true)
  })

  it('has a threshold and a vector share, the latter only for hybrid searches [SR-05, SR-06]', async () => {
    await openTab('Search')
    await screen.findByRole('slider', { name: 'Threshold' })
    expect(bounds(slider('Threshold'))).toEqual(['0', '0', '1', '0.05'])
    expect(bounds(slider('Hybrid alpha'))).toEqual(['0.5', '0', '1', '0.05'])
    await user.selectOptions(select('Search type'), 'vector')
    expect(screen.queryByRole('slider', { name: 'Hybrid alpha' })).toBeNull()
  })

  it('shows each passage with its ranks before and after, its scores and its place [SR-10]', async () => {
    await openTab('Search', {
      [SEARCH]: () =>
        answered([anObject('one'), anObject('two', { found_rank: 1, keyword_score: null, distance: null })]),
    })
    await search()
    const list = within(await screen.findByRole('list', { name: 'Results' }))
    const [first, second] = list.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(first).toBe(
      '1up 22TXTLease.txtp. 17 · paragraph · RentThe rent is 900.one' +
        'Score0.742Rerank0.968Keyword4.000Certainty0.871Distance0.258',
    )
    expect(second).toMatch(/^2down 11/)
    expect(second).not.toContain('Distance')
    expect(screen.getByText('2 of 20 found by Hybrid search, reranked by bge_text_reranker')).toBeTruthy()
    expect(screen.getByText('18 more were found and are not among the best 2.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Raw JSON' }))
    expect(screen.getByText(/"certainty": 0.871/)).toBeTruthy()
  })

  it('says why a reranker was skipped or replaced', async () => {
    const late = { skipped_because: 'late', detail: 'It did not answer within 2 s.' }
    let reranking: object = { status: 'skipped', ...late }
    await openTab('Search', { [SEARCH]: () => answered([anObject('one')], reranking) })
    await search()
    const told = await screen.findByText(/It did not answer in time\./)
    expect(told.textContent).toMatch(/^bge_text_reranker was passed over/)
    reranking = { instead_of: 'bge_text_reranker', reranker: 'maxsim' }
    await user.click(screen.getByRole('button', { name: 'Search' }))
    await screen.findByText('bge_text_reranker is not installed: maxsim was used instead.')
  })

  it('says why a chosen passage was not retrieved by the executed search [CX-15]', async () => {
    const { called } = await openTab('Search', {
      [SEARCH]: () => answered([anObject('one')]),
      'POST /search_and_rerank/explain': () => ({
        ...{ chunk_id: 'b', outcome: 'beyond_top', reranker: 'maxsim' },
        stages: [
          { stage: 'vector', rank: 1200, score: 0.5, of: 5000 },
          { stage: 'keyword', rank: null, score: null, of: 3 },
          { stage: 'search', rank: 7, score: 0.25, of: 20 },
          { stage: 'reranking', rank: 6, score: 0.1, of: 20 },
        ],
      }),
    })
    await search()
    const why = within(await screen.findByRole('region', { name: /^Why was a passage/ }))
    await user.selectOptions(why.getByRole('combobox'), '2 · The term')
    await user.click(why.getByRole('button', { name: 'Explain' }))
    expect((await why.findByRole('status')).textContent).toBe(
      'It was found, but is not among the best 5.By vectors1,200 of 5,0000.500By wordsnot among 3–' +
        'Search7 of 200.250Reranking · maxsim6 of 200.100',
    )
    const asked = called('POST /search_and_rerank/explain')[0]?.body
    expect(asked).toEqual({ ...(called(SEARCH)[0]?.body as object), chunk_id: 'b' })
  })

  it('has idle, loading, result, empty and error states [SR-11]', async () => {
    let answer: unknown = answered([])
    let go = () => {}
    const { called } = await openTab('Search', {
      [SEARCH]: async () => {
        await new Promise<void>((resolve) => {
          go = resolve
        })
        return answer
      },
    })
    await screen.findByText('Ask something')
    const results = () => screen.getByRole('region', { name: 'Results' })
    const isLoading = () => results().getAttribute('aria-busy')
    await search()
    await waitFor(() => expect([isLoading(), called(SEARCH).length]).toEqual(['true', 1]))
    expect(screen.queryByText('Ask something')).toBeNull()
    go()
    await screen.findByText('No results found for your search.')
    expect(isLoading()).toBe('false')
    answer = refused()
    await user.click(screen.getByRole('button', { name: 'Search' }))
    await waitFor(() => expect([isLoading(), called(SEARCH).length]).toEqual(['true', 2]))
    go()
    await screen.findByText('Not now.')
    expect(screen.queryByText('No results found for your search.')).toBeNull()
  })

  it('clamps limits [SR-04]', async () => {
    await openTab('Search')
    const number = async (name: string) =>
      bounds((await screen.findByRole('spinbutton', { name })) as HTMLInputElement)
    expect(await number('Initial limit')).toEqual(['20', '5', '100'])
    expect(await number('Top N')).toEqual(['5', '1', '50'])
  })

  it('uses the known rerankers if the server lists none, and shows the error [SR-07, SR-12]', async () => {
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

  it('offers the vectors of the collection, and uses the selected ones [SR-08]', async () => {
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
