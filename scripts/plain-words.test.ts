import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findWords, proseOfCode, proseOfDocument, readRules } from './plain-words/find-words.ts'

const rules = readRules(join(import.meta.dirname, 'plain-words/words.txt'))
const wordsIn = (prose: Parameters<typeof findWords>[0]) =>
  findWords(prose, rules).map(({ line, word }) => [line, word.trim()])

describe('findWords', () => {
  it('finds avoided words in comments and test names, with their lines', () => {
    const code = [
      '/** Returns the ledger. Reckoned anew each time. */',
      'export const a = 1 // Nobody hears it.',
      '// The house `stands in for` nothing.',
      `${'it'}('goes on at once [AA-01]', () => {})`,
    ].join('\n')
    expect(wordsIn(proseOfCode('a.test.ts', code))).toEqual([
      [1, 'anew'],
      [2, 'Nobody'],
      [3, 'The house'],
      [4, 'goes on'],
    ])
  })

  it('rejects sentences that open with a clause, and accepts questions', () => {
    const code = '/** What a run has said. Of two runs the first. What is it? */'
    expect(wordsIn(proseOfCode('a.ts', code))).toEqual([
      [1, 'What'],
      [1, 'Of'],
    ])
  })

  it('reads documents without code, code spans, headings and addresses', () => {
    const document = [
      '# What is here',
      '```',
      'anew',
      '```',
      'Use `anew` or [this](anew.md).',
      '- Read anew.',
    ].join('\n')
    expect(wordsIn(proseOfDocument(document))).toEqual([[6, 'anew']])
  })

  it('leaves code alone', () => {
    expect(wordsIn(proseOfCode('a.ts', "export const anew = 'nobody'"))).toEqual([])
  })
})
