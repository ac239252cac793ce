import { describe, expect, it } from 'vitest'
import { answerFromPassages } from './documents.ts'

const tell = (asked: string, text: string) => answerFromPassages(asked, [{ number: 1, text }])?.text

describe('answerFromPassages', () => {
  it('quotes a sentence without the titles above it', () => {
    const text =
      'Lease of the house\nRent and charges\nThe monthly rent is 1,450 euros. It is due on the fifth.'
    expect(tell('How much is the monthly rent?', text)).toBe('The monthly rent is 1,450 euros. [1]')
  })

  it('finds a sentence by its title', () => {
    const text = 'Termination of the lease\nSix weeks of notice are given in writing.'
    expect(tell('What notice does the lease say?', text)).toBe(
      'Six weeks of notice are given in writing. [1]',
    )
  })

  it('keeps a line that has no sentence below it', () => {
    expect(tell('Who is the landlord?', 'The landlord is Ada Renard')).toBe('The landlord is Ada Renard [1]')
    expect(tell('What is the rent?', 'Rent and charges\nRent 1450')).toContain('Rent 1450 [1]')
  })
})

describe('answerFromPassages with a named order, period or year', () => {
  const passages = [
    'Order A-1105 was placed by Kessler on 3 March 2024. The total is 1,250 euros.',
    'Order A-1106 was placed by Meyer on 4 March 2024. The total is 980 euros.',
    'The firm was founded in 1921. During the war of 1939-1945 the works were closed. In 1952 it moved to Lyon.',
    'La société a été fondée à Lille en 1921.',
    'The harbour opens at six. Ships pay a fee of 20 euros.',
  ].map((text, at) => ({ number: at + 1, text }))
  const read = (asked: string) => answerFromPassages(asked, passages)?.text ?? null

  it.each([
    ['What is the total of order A-1106?', /^- Order A-1106 .* \[2\]\n- The total is 980 euros\. \[2\]$/],
    ['What is the status of order A-1105?', /^- Order A-1105 .*\n- The total is 1,250 euros\. \[1\]$/],
    ['In what year was the firm founded?', /^The firm was founded in 1921\. \[3\]$/],
    ['En quelle année la société a-t-elle été fondée ?', /^La société a été fondée à Lille en 1921\. \[4\]$/],
    ['What happened in 1939–1945?', /^During the war of 1939-1945 the works were closed\. \[3\]$/],
    ['Summarise the documents about the harbour', /^- The harbour .* \[5\]\n- Ships .* \[5\]$/],
  ])('quotes only matching sentences: %s', (asked, answer) => {
    expect(read(asked)).toMatch(answer)
  })

  it('finds the date in the sentence after the one that names the order', () => {
    const invoices = ['017', '018'].map((number, at) => ({
      number: at + 1,
      text: `Invoice INV-2024-${number} was issued to Corti SpA. It is due on ${at + 12} April 2024.`,
    }))
    expect(answerFromPassages('When is invoice INV-2024-018 due?', invoices)?.text).toContain(
      'It is due on 13 April 2024. [2]',
    )
  })

  it.each([
    'What is the total of order A-9999?',
    'What was the total of the orders in 2023?',
    'Summarise the documents about unicorns',
    'What is 1914-1918?',
  ])('returns null for an unknown subject: %s', (asked) => {
    expect(read(asked)).toBeNull()
  })
})
