import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RagAnswer } from '#shared/knowledge/rag/rag.ts'
import type { RagEvent } from '#shared/knowledge/rag/rag-events.ts'
import { aDocument, anEmptyState, aPage } from '#tests/web/document-builder.ts'
import { collection, overlayOf } from '#tests/web/document-debug-builder.tsx'
import { WrittenStream } from '#tests/web/event-builder.ts'
import { leaveApp, prepareBrowser } from '#tests/web/render-app.tsx'

vi.setConfig({ testTimeout: 20_000 })
const user = userEvent.setup()
beforeEach(() => prepareBrowser())
afterEach(() => leaveApp())

const document_ = aDocument({ name: 'Lease.txt' })
const chunk = '00000000-0000-4000-8000-000000000001'
const other = '00000000-0000-4000-8000-000000000002'
const { openTab } = overlayOf(document_, {
  'GET /documents': ({ query }) => aPage([document_], query),
  'GET /documents/state': () => anEmptyState,
  [`GET /documents/${document_.id}/chunks/${chunk}`]: () => ({ text: 'The rent is 900.' }),
})
const openRag = (more = {}) => openTab('RAG', { 'GET /available-models': () => models, ...more })

const aModel = (provider: string, name: string, is_default = false) => ({
  ...{ id: `${provider}/${name}`, name, provider, provider_name: provider, is_default, local: false },
  ...{ context_tokens: null, max_output_tokens: null, input_price: null, output_price: null },
})
const models = [
  aModel('atrium', 'offline', true),
  aModel('openai', 'gpt-4o'),
  aModel('openai', 'o9'),
  aModel('anthropic', 'claude-9'),
]
const aSource = (chunk_id: string, text: string, rank: number) => ({
  ...{ chunk_id, document_id: document_.id, document_name: 'Lease.txt', heading_path: [], page_number: 17 },
  ...{
    place: {},
    text,
    title: 'Lease',
    score: 0.742,
    rerank_score: 0.968,
    rank,
    used_in_response: rank === 1,
  },
})
const stages = {
  search_results: { search_type: 'hybrid' as const, total: 10, documents: 1, seconds: 0.014 },
  reranking_results: {
    ...{
      reranker: 'bge_text_reranker',
      status: 'done' as const,
      detail: null,
      skipped_because: null,
      instead_of: null,
      total: 5,
      seconds: 0.112,
    },
  },
}
const anAnswer: RagAnswer = {
  ...stages,
  answer: `The rent is 900 <citation chunk="${chunk}">[1]</citation>.`,
  is_answered: true,
  citations: { [chunk]: { document_id: document_.id, text: 'The rent is 900.' } },
  processed_citations: [{ number: 1, chunk_id: chunk, document_id: document_.id, text: 'The rent is 900.' }],
  sources: [aSource(chunk, 'The rent is 900.', 1), aSource(other, 'The term is long.', 2)],
  doubts: [],
  prompt: 'You answer a question.',
  generation_results: {
    ...{ model: 'openai/gpt-4o', input_tokens: 1061, output_tokens: 223, total_tokens: 1284 },
    timing: { total_seconds: 1.92 },
  },
  total_tokens: 1284,
  metadata: { model: 'openai/gpt-4o', timing: { total_seconds: 2.05 } },
  left_out: { reading: { documents: 2, names: ['New.pdf'] }, failed: { documents: 0, names: [] } },
}

/** A server with answers written by the test. */
function aStream() {
  const stream = new WrittenStream()
  const say = ({ event, ...data }: RagEvent) =>
    stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  return { say, stream, answers: { 'POST /rag/generate': () => stream.response } }
}
const generate = async () => {
  await user.type(await screen.findByRole('textbox', { name: 'Query' }), ' rent? ')
  await user.click(screen.getByRole('button', { name: 'Generate' }))
}
const select = (name: string) => screen.getByRole('combobox', { name }) as HTMLSelectElement
const slider = (name: string) => screen.getByRole('slider', { name }) as HTMLInputElement
const stage = (at: number) =>
  within(screen.getByRole('list', { name: 'Stages' })).getAllByRole('listitem')[at]?.textContent

describe('manual question to the library', () => {
  it('is one of five tabs [DG-01]', async () => {
    await openRag()
    const tabs = within(await screen.findByRole('tablist')).getAllByRole('tab')
    const names = tabs.map(({ textContent }) => textContent?.replace(/\d+$/, ''))
    expect(names).toEqual(['Metadata', 'Chunks', 'Search & Rerank', 'RAG Test', 'Vector DB'])
  })

  it('sends every parameter [RG-01]', async () => {
    const { stream, answers } = aStream()
    const { called } = await openRag({
      ...answers,
      'GET /vector_db/collections': () => ({ collections: [collection, { ...collection, name: 'Trials' }] }),
    })
    await screen.findByRole('option', { name: 'Trials · 2 objects' })
    await user.selectOptions(select('Collection'), 'Trials')
    await user.selectOptions(select('Provider'), 'anthropic')
    await user.selectOptions(select('Model'), 'claude-9')
    for (const [name, value] of [
      ['Limit', '30'],
      ['Top N', '9'],
    ] as const) {
      await user.clear(screen.getByRole('spinbutton', { name }))
      await user.type(screen.getByRole('spinbutton', { name }), value)
    }
    await user.selectOptions(select('Reranker'), '')
    await user.click(screen.getByRole('checkbox', { name: 'Hybrid search' }))
    expect(screen.queryByRole('slider', { name: 'Hybrid alpha' })).toBeNull()
    await user.click(screen.getByRole('checkbox', { name: 'JSON output' }))
    await generate()
    const request = {
      ...{ query: 'rent?', collection_name: 'Trials', provider: 'anthropic', model: 'claude-9', limit: 30 },
      ...{ top_n: 9, hybrid_search: false, hybrid_alpha: 0.5, reranker_name: null, temperature: 0 },
      use_json_output: true,
      filters: [{ property: 'document_id', operator: 'equal', value: document_.id }],
    }
    const asked = () => called('POST /rag/generate').map(({ body }) => body)
    await waitFor(() => expect(asked()).toEqual([request]))
    stream.close()
    await user.click(await screen.findByRole('checkbox', { name: 'Only this document' }))
    await user.click(await screen.findByRole('button', { name: 'Generate' }))
    const { filters: _, ...everywhere } = request
    await waitFor(() => expect(asked()[1]).toEqual(everywhere))
    await user.click(screen.getByRole('button', { name: 'Advanced options' }))
    expect(screen.queryByRole('spinbutton', { name: 'Limit' })).toBeNull()
  })

  it('has a share of the vectors and a temperature from 0 to 1 in steps of 0.1 [RG-04]', async () => {
    await openRag()
    await screen.findByRole('slider', { name: 'Hybrid alpha' })
    const bounds = ({ value, min, max, step }: HTMLInputElement) => [value, min, max, step]
    expect(bounds(slider('Hybrid alpha'))).toEqual(['0.5', '0', '1', '0.1'])
    expect(bounds(slider('Temperature'))).toEqual(['0', '0', '1', '0.1'])
  })

  it('prefers gpt-4o of openai, and lists known models together with connected ones [RG-05]', async () => {
    await openRag()
    await waitFor(() =>
      expect([select('Provider').value, select('Model').value]).toEqual(['openai', 'gpt-4o']),
    )
    const optionsOf = (name: string) =>
      [...select(name).options].map(({ text, disabled }) => (disabled ? `${text} -` : text))
    expect(optionsOf('Provider')).toEqual(['openai', 'anthropic', 'google (not connected) -', 'atrium'])
    expect(optionsOf('Model')).toEqual(['gpt-4o', 'gpt-3.5-turbo (not connected) -', 'o9'])
    await user.selectOptions(select('Provider'), 'anthropic')
    expect(select('Model').value).toBe('claude-9')
    expect(optionsOf('Model')).toEqual([
      'claude-3-haiku-20240307 (not connected) -',
      'claude-3-opus-20240229 (not connected) -',
      'claude-9',
    ])
  })

  it('offers the known models if the connected ones are unknown, and the default one if they are not connected [RG-05]', async () => {
    await openRag({ 'GET /available-models': () => [500, { code: 'broken', detail: 'Oh.' }] })
    await waitFor(() => expect(select('Model').value).toBe('gpt-4o'))
    await user.selectOptions(select('Provider'), 'google')
    expect([...select('Model').options].map(({ text }) => text)).toEqual([
      'gemini-2.0-flash',
      'gemini-2.0-pro-exp-02-05',
    ])
    leaveApp()
    prepareBrowser()
    await openRag({ 'GET /available-models': () => models.slice(0, 1) })
    await waitFor(() =>
      expect([select('Provider').value, select('Model').value]).toEqual(['atrium', 'offline']),
    )
  })

  it('shows its progress, then the answer with its sources [RG-06, RG-09]', async () => {
    const { say, stream, answers } = aStream()
    const { called } = await openRag(answers)
    await screen.findByText('Ask the documents')
    await generate()
    expect(screen.queryByText('Ask the documents')).toBeNull()
    say({ event: 'rag_phase_started', phase: 'RETRIEVAL' })
    await waitFor(() => expect(stage(0)).toContain('under way'))
    say({ event: 'rag_passages_found', ...stages })
    say({ event: 'rag_phase_started', phase: 'GENERATION' })
    await waitFor(() => expect(stage(0)).toBe('Searchdone14 msHybrid, 10 passages of 1 document'))
    expect(stage(1)).toBe('Rerankingdone112 msbge_text_reranker, 10 to 5')
    expect(stage(2)).toBe('Generationunder way')
    say({ event: 'rag_text_written', text: `The rent is 900 <citation chunk="${chunk}">[1]</citation>.` })
    const result = within(screen.getByRole('region', { name: 'Answer and stages' }))
    const waiting = await result.findByRole('link', { name: /1/ })
    expect(waiting.getAttribute('aria-disabled')).toBe('true')
    say({ event: 'rag_answered', answer: anAnswer })
    stream.close()
    await waitFor(() =>
      expect(stage(2)).toBe('Generationdone1.92 sopenai/gpt-4o, 1,284 tokens (1,061 read, 223 written)'),
    )
    expect(screen.getByRole('article', { name: 'Answer' }).textContent).toMatch(/The rent is 900\s\[1\]\./)
    expect(screen.getByText('Still being read: New.pdf, 1 more')).toBeTruthy()
    const rows = within(screen.getByRole('table', { name: 'Sources' }))
      .getAllByRole('row')
      .slice(1)
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      '[1]Lease.txt · p. 17The rent is 900.0.7420.968Used',
      '–Lease.txt · p. 17The term is long.0.7420.968Not used',
    ])
    for (const [name, words] of [
      ['Citations', chunk],
      ['Prompt', 'You answer a question.'],
      ['Metadata', /"total_seconds": 2.05/],
    ] as const) {
      const fold = within(screen.getByRole('region', { name }))
      expect(fold.queryByText(words)).toBeNull()
      await user.click(fold.getByRole('button'))
      expect(fold.getByText(words)).toBeTruthy()
    }
    const [number] = within(screen.getByRole('article', { name: 'Answer' })).getAllByRole('link')
    await user.click(number as HTMLElement)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(called(`GET /documents/${document_.id}/chunks/${chunk}`).length).toBeGreaterThan(0)
  })

  it('says that there are no sources, and can be stopped [RG-09]', async () => {
    const { say, stream } = aStream()
    const next = aStream()
    const responses = [stream.response, next.stream.response]
    await openRag({ 'POST /rag/generate': () => responses.shift() })
    await generate()
    const none = { ...anAnswer, answer: 'Nothing.', is_answered: false, sources: [], processed_citations: [] }
    say({ event: 'rag_answered', answer: none })
    await screen.findByText('No sources found')
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull()
    expect(stream.isCancelled).toBe(false)
    await user.click(screen.getByRole('button', { name: 'Generate' }))
    await user.click(await screen.findByRole('button', { name: 'Stop' }))
    await screen.findByText('Ask the documents')
  })

  it('shows errors, and what is missing [RG-10]', async () => {
    const { say, stream, answers } = aStream()
    await openRag({ ...answers, 'GET /vector_db/collections': () => ({ collections: [] }) })
    await screen.findByText('No collections found. Please verify your vector database setup.')
    await user.click(screen.getByRole('button', { name: 'Generate' }))
    await screen.findByText('Please enter a query')
    await user.selectOptions(select('Collection'), '')
    await user.type(screen.getByRole('textbox', { name: 'Query' }), 'rent?')
    await screen.findByText('Please select a collection')
    await user.selectOptions(select('Collection'), 'Documents')
    await user.click(screen.getByRole('button', { name: 'Generate' }))
    say({ event: 'rag_phase_started', phase: 'GENERATION' })
    say({ event: 'rag_failed', code: 'provider_failed', detail: 'The model did not answer.' })
    await screen.findByText('The model did not answer.')
    expect(stage(2)).toContain('failed')
    stream.close()
    leaveApp()
    prepareBrowser()
    const cut = aStream()
    await openRag(cut.answers)
    await generate()
    cut.say({ event: 'rag_phase_started', phase: 'RETRIEVAL' })
    cut.stream.break()
    await screen.findByText('An error occurred during RAG')
    leaveApp()
    prepareBrowser()
    await openRag({ 'POST /rag/generate': () => [402, { code: 'insufficient_balance', detail: 'x' }] })
    await generate()
    await screen.findByText('Insufficient balance. Please top up to continue.')
  })
})
