import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BenchCase, BenchFigures, BenchRun } from '#shared/knowledge/retrieval-bench/retrieval-bench.ts'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { RetrievalBench } from './retrieval-bench.tsx'

const set = { id: '11111111-1111-4111-8111-111111111111', name: 'Clauses', cases: 2, judged: 2 }
const at = `/retrieval-bench/sets/${set.id}`
const figures: BenchFigures = {
  ...{ questions: 2, recall_5: 0.875, recall_10: 0.917, mrr: 0.742, ndcg_10: 0.781, skipped: 0 },
  ...{ p50_ms: 126, p95_ms: 188, cost_per_1000: 0 },
}
const run = (n: number, more: Partial<BenchRun> = {}): BenchRun => ({
  ...{ id: `2222222${n}-2222-4222-8222-222222222222`, model: 'atrium/gte-small', state: 'ready' },
  setting: { type: 'hybrid', alpha: 0.5, reranker: null, candidates: 20 },
  ...{ done: 2, total: 2, problem: null, created_at: '2026-11-24T10:00:00.000Z', figures },
  ...more,
})
const [base, words] = [
  run(1),
  run(2, {
    setting: { type: 'keyword', alpha: 0.5, reranker: 'maxsim', candidates: 40 },
    figures: { ...figures, recall_5: 0.708, p50_ms: 9, cost_per_1000: null, skipped: 1, ndcg_10: 0.6 },
  }),
]
const chunk_id = '33333333-3333-4333-8333-333333333333'
const asked = (n: number, more: Partial<BenchCase> = {}): BenchCase => ({
  ...{ id: `4444444${n}-4444-4444-8444-444444444444`, question: `Question ${n}?`, origin: null },
  ...{ expected: [{ chunk_id, grade: 'answers' }], ranks: { [base.id]: 1, [words.id]: 1 } },
  ...more,
})
const missed = asked(2, { ranks: { [base.id]: 9, [words.id]: null } })

const draw = (answers: Answers = {}) =>
  renderPage(<RetrievalBench />, {
    path: '/debug/bench',
    answers: {
      'GET /retrieval-bench/sets': () => ({ sets: [set] }),
      [`GET ${at}/runs`]: () => ({ runs: [base, words] }),
      [`GET ${at}/cases`]: () => ({ items: [asked(1), missed], total: 2, has_more: false }),
      'GET /reranking/rerankers': () => ({ rerankers: [{ name: 'maxsim', description: '' }] }),
      ...answers,
    },
  })
const rowOf = (name: string) => screen.getByRole('row', { name: new RegExp(`^${name}`) })

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
})
afterEach(leavePage)

describe('retrieval bench', () => {
  it('shows the figures of runs side by side, with differences to the first', async () => {
    await draw()
    expect(await screen.findByText('Hybrid, α 0.5')).toBeTruthy()
    expect(screen.getByText('maxsim, 40')).toBeTruthy()
    expect(rowOf('Recall@5').textContent).toContain('0.875')
    expect(rowOf('Recall@5').textContent).toContain('0.708worse by0.167')
    expect(rowOf('Latency p50').textContent).toContain('9 msbetter by117 ms')
    expect(rowOf('Cost per 1,000').textContent).toContain('no price known')
    expect(screen.getByText('best').closest('th')?.textContent).toMatch(/^Abaseline/)
    expect(screen.getByText('Not put in order for 1 question')).toBeTruthy()
  })

  it('shows by question where runs differ, and which missed it', async () => {
    await draw()
    const table = within(await screen.findByRole('region', { name: 'By question' }))
    expect(table.getAllByRole('row')).toHaveLength(3)
    await userEvent.click(table.getByRole('button', { name: 'Missed 1' }))
    expect(table.getAllByRole('row')).toHaveLength(2)
    expect(table.getByText('not found in run B')).toBeTruthy()
    expect(table.getByText('rank 9 in run A')).toBeTruthy()
  })

  it('counts all questions of a set across pages', async () => {
    const all = Array.from({ length: 120 }, (_, n) => ({
      ...(n === 110 ? missed : asked(1)),
      ...{ id: crypto.randomUUID(), question: `Question ${n}?` },
    }))
    const pageOf = ({ query }: { query: URLSearchParams }) => {
      const [page, limit] = [Number(query.get('page')), Number(query.get('limit'))]
      return {
        items: all.slice((page - 1) * limit, page * limit),
        ...{ total: all.length, has_more: page * limit < all.length },
      }
    }
    await draw({ [`GET ${at}/cases`]: pageOf })
    const table = within(await screen.findByRole('region', { name: 'By question' }))
    expect(await table.findByRole('button', { name: 'All 120' })).toBeTruthy()
    expect(table.getAllByRole('row')).toHaveLength(51)
    await userEvent.click(table.getByRole('button', { name: 'Next page' }))
    await userEvent.click(table.getByRole('button', { name: 'Next page' }))
    expect(table.getAllByRole('row')).toHaveLength(21)
    expect(table.getByText('101–120 of 120')).toBeTruthy()
    await userEvent.click(table.getByRole('button', { name: 'Missed 1' }))
    expect(table.getByRole('button', { name: 'Question 110?' })).toBeTruthy()
  })

  it('starts several runs with different settings', async () => {
    const { sent } = await draw({ [`POST ${at}/runs`]: () => [202, { runs: [base] }] })
    await userEvent.click(await screen.findByRole('button', { name: 'New run' }))
    await screen.findByRole('option', { name: 'maxsim' })
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Order' }), 'maxsim')
    await userEvent.click(screen.getByRole('button', { name: 'Add a setting' }))
    await userEvent.click(screen.getByRole('button', { name: 'Run' }))
    const setting = { type: 'hybrid', alpha: 0.5, reranker: 'maxsim', candidates: 20 }
    await waitFor(() =>
      expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({
        settings: [setting, { ...setting, type: 'keyword', reranker: null }],
      }),
    )
  })

  it('shows the progress of a run, and why one failed', async () => {
    const under = run(3, { state: 'running', done: 1, total: 4, figures: null })
    const failed = run(4, { state: 'failed', problem: 'The provider is away.', figures: null })
    await draw({ [`GET ${at}/runs`]: () => ({ runs: [under, failed] }) })
    const bar = await screen.findByRole('progressbar', { name: 'Run A' })
    expect(bar.getAttribute('aria-valuenow')).toBe('25')
    expect(screen.getByText('The provider is away.')).toBeTruthy()
  })

  it('lets questions be judged: passages are found, graded and stored', async () => {
    const found = { id: chunk_id, content: 'Ends after two years.', properties: { file_name: 'lease.pdf' } }
    const { sent } = await draw({
      'POST /search_and_rerank/search_and_rerank': () => ({ objects: [found] }),
      [`POST ${at}/cases`]: () => [201, asked(3)],
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Add question' }))
    await userEvent.type(screen.getByRole('textbox', { name: 'Question' }), 'When does it end?')
    await userEvent.click(screen.getByRole('button', { name: 'Search' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Expect' }))
    await userEvent.click(screen.getByRole('button', { name: 'helps' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(sent.find(({ path, method }) => method === 'POST' && path === `${at}/cases`)?.body).toEqual({
        question: 'When does it end?',
        expected: [{ chunk_id, grade: 'helps' }],
      }),
    )
  })

  it('adds questions from feedback', async () => {
    const given = {
      ...{ message_id: chunk_id, user_id: chunk_id, question: 'Who pays?', rating: 'up', reason: null },
      ...{ comment: null, passages: 2, at: '2026-11-24T10:00:00.000Z' },
    }
    const { sent } = await draw({
      'GET /retrieval-bench/feedback': () => ({ items: [given], has_more: false }),
      [`POST ${at}/feedback`]: () => [201, asked(4)],
    })
    await userEvent.click(await screen.findByRole('button', { name: 'From feedback' }))
    expect(await screen.findByText(/2 passages/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Take' }))
    await waitFor(() =>
      expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({
        ...{ message_id: chunk_id, user_id: chunk_id },
      }),
    )
  })

  it('starts without a set, and creates one', async () => {
    const { sent } = await draw({
      'GET /retrieval-bench/sets': () => ({ sets: [] }),
      'POST /retrieval-bench/sets': () => [201, set],
    })
    await userEvent.click(await screen.findByRole('button', { name: 'New set' }))
    await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'Clauses')
    await userEvent.click(screen.getByRole('button', { name: 'Create' }))
    await waitFor(() =>
      expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({ name: 'Clauses' }),
    )
  })
})
