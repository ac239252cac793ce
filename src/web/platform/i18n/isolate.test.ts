import { describe, expect, it } from 'vitest'
import { isolate } from './isolate.ts'

describe('isolate', () => {
  it.each(['Lease 2026', 'Prix\u202f: 12 €', '契約書', '👩‍👧', ''])('leaves %j unchanged', (words) => {
    expect(isolate(words)).toBe(words)
  })

  it.each(['עברית', 'عقد 2026', 'Lease עברית'])('isolates %j', (words) => {
    expect(isolate(words)).toBe(`\u2068${words}\u2069`)
  })

  it('removes characters that would reverse the sentence', () => {
    expect(isolate('a\u202eb\u2069')).toBe('\u2068ab\u2069')
  })
})
