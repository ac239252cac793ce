import { describe, expect, it } from 'vitest'
import { matchTokens, rateMatches, type Tokens } from './late-interaction.ts'

const directions: Record<string, number[]> = { cat: [1, 0], kitten: [0.8, 0.6], roof: [0, 1], rain: [-1, 0] }
const tokens = (...words: string[]): Tokens => ({
  ids: words.map((word) => Object.keys(directions).indexOf(word)),
  vectors: Float32Array.from(words.flatMap((word) => directions[word] ?? [])),
})

describe('late interaction', () => {
  it('finds the nearest token of the text for each token of the question', () => {
    const { nearest, isThere } = matchTokens(tokens('cat', 'roof'), tokens('rain', 'kitten', 'roof'))
    expect(Array.from(nearest, (value) => value.toFixed(2))).toEqual(['0.80', '1.00'])
    expect(Array.from(isThere)).toEqual([0, 1])
  })

  it('gives more weight to tokens that few texts contain', () => {
    const question = tokens('cat', 'roof')
    const texts = [tokens('cat', 'rain'), tokens('roof', 'rain'), tokens('roof'), tokens('roof', 'rain')]
    const [rare, common] = rateMatches(texts.map((text) => matchTokens(question, text)))
    expect(rare).toBeGreaterThan(common ?? 1)
  })

  it('rates texts and questions without tokens', () => {
    const none = tokens()
    expect(
      rateMatches([matchTokens(tokens('cat'), none), matchTokens(tokens('cat'), tokens('cat'))]),
    ).toEqual([0, 1])
    expect(rateMatches([matchTokens(none, tokens('cat'))])).toEqual([0])
    expect(rateMatches([])).toEqual([])
  })
})
