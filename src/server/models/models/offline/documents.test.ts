import { describe, expect, it } from 'vitest'
import { answerFromPassages } from './documents.ts'

const tell = (asked: string, text: string) => answerFromPassages(asked, [{ number: 1, text }])?.text

describe('answers from passages', () => {
  it('tell a sentence without the titles above it', () => {
    const text =
      'Lease of the house\nRent and charges\nThe monthly rent is 1,450 euros. It is due on the fifth.'
    expect(tell('How much is the monthly rent?', text)).toBe('The monthly rent is 1,450 euros. [1]')
  })

  it('find a sentence by what its title says', () => {
    const text = 'Termination of the lease\nSix weeks of notice are given in writing.'
    expect(tell('What notice does the lease say?', text)).toBe(
      'Six weeks of notice are given in writing. [1]',
    )
  })

  it('keep a line that has no sentence below it', () => {
    expect(tell('Who is the landlord?', 'The landlord is Ada Renard')).toBe('The landlord is Ada Renard [1]')
    expect(tell('What is the rent?', 'Rent and charges\nRent 1450')).toContain('Rent 1450 [1]')
  })
})
