import { describe, expect, it } from 'vitest'
import type { WebHits, WebReading } from '#shared/knowledge/web-search/web-port.ts'
import { aToolContext } from '#tests/tool-context.ts'
import webSearch from './contract.ts'
import run from './run.ts'

const found: WebHits = { engine: 'brave', failures: [], hits: [] }
const reading: WebReading = { sources: [], passages: [] }

async function work(input: Record<string, unknown>) {
  const told: unknown[][] = []
  const asked: unknown[] = []
  const context = aToolContext({
    phase: (...phase) => void told.push(phase),
    web: {
      search: async (question) => {
        asked.push(question)
        return found
      },
      read: async (_, __, tell) => {
        tell({ read: 1, of: 2 })
        tell('RERANKING')
        return reading
      },
      answer: async (question) => ({
        ...{
          ...question,
          engine: 'brave',
          failures: [],
          response: 'So.',
          is_answered: true,
          sources: [],
          doubts: [],
        },
      }),
    },
  })
  const answer = webSearch.output.parse(await run(webSearch.input.parse(input), context))
  return { told, asked, answer }
}

describe('web_search', () => {
  it('reports each phase when it happens', async () => {
    expect((await work({ query: 'Rent?' })).told).toEqual([
      ['WEB_SEARCH', 'started'],
      ['WEB_SEARCH', 'completed', { engine: 'brave', failures: [], found: 0 }],
      ['SCRAPING_URLS', 'started'],
      ['SCRAPING_URLS', 'started', { read: 1, of: 2 }],
      ['RERANKING', 'started'],
      ['RERANKING', 'completed', { sources: [] }],
      ['GENERATION', 'started'],
      ['GENERATION', 'completed'],
    ])
  })

  it('accepts a known period or none, and rejects invalid input', async () => {
    expect((await work({ query: ' Rent? ', time_range: 'month' })).asked).toEqual([
      { query: 'Rent?', time_range: 'month' },
    ])
    expect((await work({ query: 'Rent?', time_range: '' })).answer.time_range).toBeNull()
    for (const input of [{ query: '' }, { query: 'x'.repeat(401) }, { query: 'x', time_range: 'decade' }, {}])
      expect(webSearch.input.safeParse(input).success).toBe(false)
  })
})
