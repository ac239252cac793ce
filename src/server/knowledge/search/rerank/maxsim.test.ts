import { describe, expect, it } from 'vitest'
import { READ_MAX } from './first.ts'
import { maxsimReranker } from './maxsim.ts'
import type { Candidate } from './port.ts'

const candidates = (count: number): Candidate[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ id: `passage ${at}`, title: '', text: String(at), vector: null },
    score: 1 - at / (count - 1),
  }))
const question = { text: 'why?', vector: null }
const never = new AbortController().signal

describe('maxsim', () => {
  it('promotes passages that match by token, and ranks unread ones after them in their given order', async () => {
    const asked: string[][] = []
    const rerank = maxsimReranker(async (_, texts) => {
      asked.push(texts)
      return texts.map((text) => (text === '7' ? 0.9 : 0.1))
    })
    const rates = await rerank.rate(question, candidates(READ_MAX + 5), never)
    expect(asked.map(({ length }) => length)).toEqual([READ_MAX])
    expect(rates.indexOf(Math.max(...rates))).toBe(7)
    const rest = rates.slice(READ_MAX)
    expect(rest).toEqual(rest.toSorted((a, b) => b - a))
    expect(Math.max(...rest)).toBeLessThanOrEqual(Math.min(...rates.slice(0, READ_MAX)))
    for (const rate of rates) expect(rate >= 0 && rate <= 1).toBe(true)
  })

  it('reads the title before the text', async () => {
    const [first] = candidates(2)
    const asked: string[] = []
    const rerank = maxsimReranker(async (_, texts) => {
      asked.push(...texts)
      return texts.map(() => 0)
    })
    await rerank.rate(question, [{ ...first, title: 'Lease' } as Candidate], never)
    expect(asked).toEqual(['Lease\n0'])
    expect(await rerank.rate(question, [], never)).toEqual([])
  })
})
