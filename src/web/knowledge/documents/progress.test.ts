import { describe, expect, it } from 'vitest'
import { chipProgress } from '#shared/knowledge/documents/chip-progress.ts'
import { chipLabel } from '#shared/knowledge/documents/file-kinds.ts'
import { type LibraryStatus, libraryProgress, phaseShare } from './progress.ts'

describe('progress of a document', () => {
  it.each([
    ['PARSING', 25],
    ['CHUNKING_ENRICHMENT', 50],
    ['EMBEDDING', 75],
    ['UPLOAD', 0],
    [null, 0],
  ] as const)('is shown on a chip in %s as %i [TO-22]', (phase, percent) => {
    expect(chipProgress('processing', phase)).toBe(percent)
    expect(chipProgress('in_progress', phase)).toBe(percent)
    expect([chipProgress('completed', null), chipProgress('failed', phase)]).toEqual([100, 0])
  })

  it('is computed in the library by status, and by phase while in progress [DO-13]', () => {
    const statuses: LibraryStatus[] = ['uploading', 'queued', 'processing', 'parsing', 'completed', 'failed']
    expect(statuses.map((status) => libraryProgress(status, null))).toEqual([20, 40, 60, 80, 100, 0])
    expect(libraryProgress('in_progress', 'CHUNKING_ENRICHMENT')).toBe(50)
  })

  it('includes completed phases and the share of the current one', () => {
    const at = { status: 'in_progress', current_phase: 'CHUNKING_ENRICHMENT' } as const
    expect(phaseShare({ ...at, progress: { done: 13, total: 52, seconds_left: 9 } })).toEqual({
      ...{ done: 2, share: 0.25 },
    })
    expect(phaseShare({ status: 'queued', current_phase: null, progress: null })).toEqual({
      done: 1,
      share: 0,
    })
  })

  it('has a chip labelled by kind, with DOC as the default [TO-23]', () => {
    const names = ['docx', 'odt', 'xlsx', 'ods', 'pptx', 'md', 'txt', 'pdf', 'csv', 'mp4', '']
    expect(names.map(chipLabel)).toEqual([
      ...['DOC', 'DOC', 'XLS', 'XLS', 'PPT', 'TXT', 'TXT', 'PDF', 'CSV', 'DOC', 'DOC'],
    ])
  })
})
