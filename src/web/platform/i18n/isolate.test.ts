import { describe, expect, it } from 'vitest'
import { isolate } from './isolate.ts'

describe('isolate', () => {
  it.each(['Lease 2026', 'Prix\u202f: 12 €', '契約書', '👩‍👧', ''])('leaves %j as it is', (words) => {
    expect(isolate(words)).toBe(words)
  })

  it.each(['עברית', 'عقد 2026', 'Lease עברית'])('keeps %j together', (words) => {
    expect(isolate(words)).toBe(`\u2068${words}\u2069`)
  })

  it('takes out what would turn the sentence around', () => {
    expect(isolate('a\u202eb\u2069')).toBe('\u2068ab\u2069')
  })
})
