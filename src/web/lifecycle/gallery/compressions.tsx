import type { ReactNode } from 'react'
import type { CompressedText } from '#shared/knowledge/corpus/corpus.ts'
import { citationTag } from '#shared/platform/citations/citation-tags.ts'
import type { ToolBlock, ToolEvent } from '#shared/runs/runs/blocks.ts'
import { ToolStep } from '../../tools/tools/tools.ts'

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const sources = [
  'Contrat-cadre Kessler 2023.pdf',
  'Contrat-cadre Dalkorne 2024.pdf',
  'Contrat Servia Énergie.pdf',
].map((name, at) => ({ id: id(at + 1), name }))
const input = { intent: 'Every notice period and penalty, with its article number' }
const event = (phase: string, status: string, data?: Record<string, unknown>): ToolEvent => ({
  ...{ type: 'text_compressor', phase, status },
  ...(data && { data }),
})
const prepared = event('ANALYSIS_PREP', 'completed', {
  ...{ total_documents: 3, chunk_size: 6_000, overlap: 0, total_chunks: 96, sources },
  cost: { tokens: 88_400, dollars: 0.28 },
})
const wave = (number: number, items: number, done: number) => [
  event('RECURSIVE_SUMMARIZATION', 'wave_started', { wave: number, items_in_wave: items }),
  event('REDUCTION_WAVE_PROGRESS', 'in_progress', {
    ...{ wave: number, total_items_in_wave: items, processed_count: done },
  }),
]
const cited = [1, 1, 2, 3].map((document, at) => ({
  ...{ chunk_id: id(100 + at), document_id: id(document), document_name: sources[document - 1]?.name ?? '' },
  ...{ heading_path: [], page_number: 4 + at, place: { page: 4 + at }, rank: at + 1, used_in_response: true },
}))
const tag = (at: number) => citationTag(id(100 + at), at + 1)
const response = `Kessler asks for three months of notice by registered letter ${tag(0)} and bills 2 % per week of late access ${tag(1)}. Dalkorne accepts e-mail and caps penalties at 10 % ${tag(2)}. Servia has neither a cap nor a penalty ${tag(3)}.`
const result: CompressedText = {
  ...{ response, passages: cited, doubts: [], coverage: { read: 96, total: 96 } },
  sources: sources.map((source, at) => ({ ...source, used_in_response: true, rank: at + 1 })),
}

/** The text compressor: before it is asked, reading, joining, writing, done, and failed. */
export function Compressions({ draw }: { draw: (name: string, content: ReactNode) => ReactNode }) {
  const show = (name: string, more: Partial<ToolBlock>) =>
    draw(`compressor-${name}`, <ToolStep block={{ ...block, ...more }} />)
  const running = { status: 'processing', input } as const
  const saying = event('tool_partial_update', '', undefined)
  return (
    <>
      {show('waiting', {})}
      {show('input', { input })}
      {show('analysis', { ...running, events: [event('ANALYSIS_PREP', 'started')] })}
      {show('reading', { ...running, events: [prepared, ...wave(1, 22, 9)] })}
      {show('joining', { ...running, events: [prepared, ...wave(1, 22, 22), ...wave(2, 22, 14)] })}
      {show('writing', {
        ...running,
        events: [
          prepared,
          event('FINAL_GENERATION', 'started'),
          { ...saying, data: { content: response.slice(0, 60) } },
        ],
      })}
      {show('done', { status: 'complete', input, result })}
      {show('part-read', {
        ...{ status: 'complete', input, result: { ...result, coverage: { read: 92, total: 96 } } },
      })}
      {show('failed', {
        status: 'error',
        input,
        error: 'There is nothing to read: name documents that have been read, or give a text.',
      })}
    </>
  )
}

const block: ToolBlock = {
  ...{ type: 'tool', id: 'gallery-compression', tool_id: 'text_compressor', tool_name: 'Text compressor' },
  ...{ input: null, status: 'pending', error: null, result: null, events: [] },
}
