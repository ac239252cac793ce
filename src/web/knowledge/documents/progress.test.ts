import { describe, expect, it } from 'vitest'
import { chipProgress } from '#shared/knowledge/documents/chip-progress.ts'
import { chipLabel } from '#shared/knowledge/documents/file-kinds.ts'
import { type LibraryStatus, libraryProgress, phaseShare } from './progress.ts'

describe('how far a document is', () => {
  it.each([
    ['PARSING', 25],
    ['CHUNKING_ENRICHMENT', 50],
    ['EMBEDDING', 75],
    ['UPLOAD', 0],
    [null, 0],
  ] as const)('a chip of a document at work in %s stands at %i [TO-22]', (phase, percent) => {
    expect(chipProgress('processing', phase)).toBe(percent)
    expect(chipProgress('in_progress', phase)).toBe(percent)
    expect([chipProgress('completed', null), chipProgress('failed', phase)]).toEqual([100, 0])
  })

  it('the library counts by status, and by phase while a document is in progress [DO-13]', () => {
    const statuses: LibraryStatus[] = ['uploading', 'queued', 'processing', 'parsing', 'completed', 'failed']
    expect(statuses.map((status) => libraryProgress(status, null))).toEqual([20, 40, 60, 80, 100, 0])
    expect(libraryProgress('in_progress', 'CHUNKING_ENRICHMENT')).toBe(50)
  })

  it('knows the phases that are over and the share of the one under way', () => {
    const at = { status: 'in_progress', current_phase: 'CHUNKING_ENRICHMENT' } as const
    expect(phaseShare({ ...at, progress: { done: 13, total: 52, seconds_left: 9 } })).toEqual({
      ...{ done: 2, share: 0.25 },
    })
    expect(phaseShare({ status: 'queued', current_phase: null, progress: null })).toEqual({
      done: 1,
      share: 0,
    })
  })

  it('a chip is labelled by its kind, DOC when it is none of them [TO-23]', () => {
    const names = ['docx', 'odt', 'xlsx', 'ods', 'pptx', 'md', 'txt', 'pdf', 'csv', 'mp4', '']
    expect(names.map(chipLabel)).toEqual([
      ...['DOC', 'DOC', 'XLS', 'XLS', 'PPT', 'TXT', 'TXT', 'PDF', 'CSV', 'DOC', 'DOC'],
    ])
  })
})
