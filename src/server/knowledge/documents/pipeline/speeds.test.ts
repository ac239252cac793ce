import { describe, expect, it } from 'vitest'
import { type Speed, secondsLeft, type UnderWay } from './speeds.ts'

const now = new Date('2026-01-01T12:00:00Z')
const speed: Speed = { PARSING: 0.1, CHUNKING_ENRICHMENT: 0.02, EMBEDDING: 0.3, largest: 10_000 }
const speeds = new Map([['pdf', speed]])

const document = (changes: Partial<UnderWay> & { seconds?: number }): UnderWay => ({
  ...{
    phase: 'PARSING',
    done: 0,
    total: 100,
    embedding_ms: null,
    size: 20_000,
    format: 'pdf',
    extension: 'pdf',
  },
  phase_began_at: new Date(now.getTime() - (changes.seconds ?? 0) * 1000),
  ...changes,
})

describe('secondsLeft [IN-06]', () => {
  it('adds the phases for the file format', () => {
    expect(secondsLeft(document({}), now, speeds)).toBe(2 + 0.4 + 6)
  })

  it('returns null for a format that was not read here before', () => {
    expect(secondsLeft(document({ format: 'mp3', extension: 'mp3' }), now, speeds)).toBeNull()
    expect(secondsLeft(document({ format: 'mp3', done: 50, seconds: 60 }), now, speeds)).toBeNull()
  })

  it('returns null for a large file when only small ones were measured', () => {
    expect(secondsLeft(document({ size: 4_000_000 }), now, speeds)).toBeNull()
  })

  it('ignores the speed at the start of a phase', () => {
    // One page in four seconds, mostly startup time.
    expect(secondsLeft(document({ done: 1, total: 100, seconds: 4 }), now, speeds)).toBe(0 + 0.4 + 6)
    expect(secondsLeft(document({ done: 50, total: 100, seconds: 4 }), now, speeds)).toBe(4 + 0.4 + 6)
  })

  it('needs no earlier documents in the last phase', () => {
    const last = document({ phase: 'EMBEDDING', done: 10, total: 40, embedding_ms: 5_000 })
    expect(secondsLeft(last, now, new Map())).toBe(15)
  })
})
