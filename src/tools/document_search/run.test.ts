import { describe, expect, it } from 'vitest'
import type { DocumentPort } from '#shared/knowledge/rag/document-port.ts'
import type { DocumentAnswer } from '#shared/knowledge/rag/rag.ts'
import { aToolContext } from '#tests/tool-context.ts'
import documentSearch from './contract.ts'
import run from './run.ts'

const searched = { documents: 2, passages: 1 }
const [example] = documentSearch.examples ?? []
const passages = example?.sources ?? []
const answer: DocumentAnswer = { ...example!, searched }

const documents: DocumentPort = {
  find: async ({ query }, told) => {
    told('RETRIEVAL')
    told('RERANKING')
    return { question: query, passages, searched, names: ['lease.pdf'] }
  },
  answer: async ({ question }, onText) => {
    onText('Three months')
    return { ...answer, question }
  },
}

describe('document_search', () => {
  it('runs its phases in order and reports its findings before the answer', async () => {
    const said: unknown[] = []
    const context = aToolContext({
      documents,
      phase: (name, status, data) => said.push([name, status, ...(data ? [data] : [])]),
      partial: (text) => said.push(text),
    })
    const output = await run(documentSearch.input.parse({ query: ' How long? ' }), context)
    expect(said).toEqual([
      ['SEARCH_PREPARATION', 'started'],
      ['RETRIEVAL', 'started'],
      ['RERANKING', 'started'],
      ['RERANKING', 'completed', { question: 'How long?', passages, searched }],
      ['GENERATION', 'started'],
      'Three months',
      ['GENERATION', 'completed'],
    ])
    expect(documentSearch.output.parse(output)).toEqual({ ...answer, question: 'How long?' })
  })

  it('searches and answers in separate steps', async () => {
    const steps: string[] = []
    const context = aToolContext({
      documents,
      step: (key, work) => {
        steps.push(key)
        return work()
      },
    })
    await run(documentSearch.input.parse({ query: 'a' }), context)
    expect(steps).toEqual(['find', 'answer'])
  })

  it.each([{}, { query: ' ' }, { query: 'a', document_ids: ['x'] }, { query: 'a'.repeat(4_001) }])(
    'rejects %j',
    (input) => {
      expect(documentSearch.input.safeParse(input).success).toBe(false)
    },
  )
})
