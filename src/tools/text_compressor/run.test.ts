import { describe, expect, it } from 'vitest'
import type { Corpus, CorpusNote, CorpusPiece } from '#shared/knowledge/corpus/corpus-port.ts'
import type { ToolContext } from '#shared/tools/tools/tool.ts'
import { aToolContext } from '#tests/tool-context.ts'
import textCompressor from './contract.ts'
import run from './run.ts'

const ids = Array.from({ length: 4 }, () => crypto.randomUUID())
const [lease = '', menu = ''] = ids
const passage = (document_id: string, document_name: string, rank: number) => ({
  ...{ chunk_id: crypto.randomUUID(), document_id, document_name, heading_path: [] },
  ...{ page_number: null, place: {}, rank, used_in_response: true },
})
const pieces: CorpusPiece[] = ids.map((id) => ({ chunks: [id, id] }))
const nobody = { documents: 0, names: [] }
const corpus: Corpus = {
  ...{ pieces, passages: 8, documents: 2, piece_size: 6_000 },
  sources: [
    { id: lease, name: 'lease.pdf' },
    { id: menu, name: 'menu.txt' },
  ],
  left_out: { reading: nobody, failed: nobody },
  cost: { tokens: 900, dollars: 0.01, question: null },
}
const cited = passage(menu, 'menu.txt', 1)

type Played = { question?: string; answer?: unknown; waves?: number }

/** Runs the tool on four pieces; `waves` is how often notes are merged in pairs. */
async function play(input: Record<string, unknown>, { question, answer, waves = 0 }: Played = {}) {
  const told: unknown[][] = []
  const asked: unknown[] = []
  const read: unknown[] = []
  let left = waves
  const context = aToolContext({
    phase: (...phase) => void told.push(phase),
    partial: (text) => void told.push([text]),
    ask: async (...asking) => {
      asked.push(asking)
      return { input: answer, input_type: 'boolean' }
    },
    corpus: {
      fix: async (wish) => {
        asked.push(wish)
        return { ...corpus, cost: { ...corpus.cost, question: question ?? null } }
      },
      note: async (_, piece) => {
        read.push(piece)
        return { lines: [{ text: 'noted' }], read: 2 }
      },
      group: () =>
        left-- > 0
          ? [
              [0, 1],
              [2, 3],
            ]
          : null,
      join: async (_, notes) => ({ lines: [], read: sum(notes) }),
      answer: async (_, __, notes, onText) => {
        onText('The')
        onText(null)
        onText('The soup.')
        const coverage = { read: sum(notes), total: corpus.passages }
        return { response: 'The soup.', is_answered: true, passages: [cited], doubts: [], coverage }
      },
    } satisfies ToolContext['corpus'],
  })
  const result = await run(textCompressor.input.parse(input), context).catch((error) => error)
  return { result, told, asked, read }
}
const sum = (notes: readonly CorpusNote[]) => notes.reduce((all, { read }) => all + read, 0)

describe('text_compressor', () => {
  it('accepts an intent and documents, and returns a text with its sources [TC-01]', async () => {
    const { result, asked } = await play({ intent: ' What is served? ', document_ids: [lease, menu] })
    expect(asked).toEqual([{ document_ids: [lease, menu] }])
    expect(textCompressor.output.parse(result)).toEqual({
      response: 'The soup.',
      sources: [
        { id: menu, name: 'menu.txt', used_in_response: true, rank: 1 },
        { id: lease, name: 'lease.pdf', used_in_response: false, rank: null },
      ],
      ...{ passages: [cited], doubts: [], coverage: { read: 8, total: 8 } },
    })
    for (const input of [{}, { intent: ' ' }, { intent: 'a', document_ids: ['x'] }])
      expect(textCompressor.input.safeParse(input).success).toBe(false)
  })

  it('reports its phases as they happen, with the numbers of every wave [TC-06, TC-07, TC-08]', async () => {
    const { told, read } = await play({ intent: 'a' }, { waves: 1 })
    const progress = (wave: number, total_items_in_wave: number, processed_count: number) => [
      'REDUCTION_WAVE_PROGRESS',
      'in_progress',
      { wave, total_items_in_wave, processed_count },
    ]
    expect(told).toEqual([
      ['ANALYSIS_PREP', 'started'],
      [
        ...['ANALYSIS_PREP', 'completed'],
        {
          ...{ total_documents: 2, chunk_size: 6_000, overlap: 0, total_chunks: 8 },
          ...{ sources: corpus.sources, cost: { tokens: 900, dollars: 0.01 } },
        },
      ],
      ['RECURSIVE_SUMMARIZATION', 'wave_started', { wave: 1, items_in_wave: 4 }],
      ...[progress(1, 4, 1), progress(1, 4, 2), progress(1, 4, 3), progress(1, 4, 4)],
      ['REDUCTION_WAVE', 'wave_completed', { wave: 1, produced_summaries: 4 }],
      ['RECURSIVE_SUMMARIZATION', 'wave_started', { wave: 2, items_in_wave: 2 }],
      ...[progress(2, 2, 1), progress(2, 2, 2)],
      ['REDUCTION_WAVE', 'wave_completed', { wave: 2, produced_summaries: 2 }],
      ['RECURSIVE_SUMMARIZATION', 'completed'],
      ['FINAL_GENERATION', 'started'],
      ...[['The'], ['FINAL_GENERATION', 'started'], ['The soup.']],
      ['FINAL_GENERATION', 'completed', { response: 'The soup.' }],
    ])
    expect(read).toEqual(pieces)
  })

  it('asks before a large read, and reads nothing if the answer is no', async () => {
    const question = 'Read 2 documents in full?'
    const agreed = await play({ intent: 'a' }, { question, answer: true })
    expect(agreed.asked[1]).toEqual(['cost', { prompt: question, input_types: ['boolean'] }])
    expect(agreed.result.coverage).toEqual({ read: 8, total: 8 })
    const declined = await play({ intent: 'a' }, { question, answer: false })
    expect([declined.result.detail, declined.read]).toEqual(['The person declined this call.', []])
  })

  it('accepts a text instead of documents', async () => {
    expect((await play({ intent: 'a', text: 'Long.' })).asked).toEqual([{ text: 'Long.' }])
  })
})
