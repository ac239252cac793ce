import { describe, expect, it } from 'vitest'
import { mirrorBrackets } from './mirror-brackets.ts'

describe('mirrorBrackets', () => {
  it.each([
    ['מחיר )כולל מע"מ(', 'מחיר (כולל מע"מ)'],
    ['المادة ]١[', 'المادة [١]'],
    ['מחיר (כולל)', 'מחיר (כולל)'],
    ['סעיף א) ראשון', 'סעיף א) ראשון'],
  ])('reads %s as %s', (drawn, read) => {
    expect(mirrorBrackets(drawn)).toBe(read)
  })
})
