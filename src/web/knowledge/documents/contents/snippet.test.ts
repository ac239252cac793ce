import { describe, expect, it } from 'vitest'
import { snippetOf, wordsToMark } from './snippet.ts'

const hitsIn = (passage: string, query: string) =>
  snippetOf(passage, wordsToMark(query)).flatMap(({ text, isHit }) => (isHit ? [text] : []))

describe('snippet', () => {
  it('marks every word of the search, whatever its case', () => {
    expect(hitsIn('The Notice period of the lease. Notice again.', 'notice lease')).toEqual([
      ...['Notice', 'lease', 'Notice'],
    ])
  })

  it('begins shortly before the first hit and says what was cut', () => {
    const passage = `${'before '.repeat(100)}notice ${'after '.repeat(100)}`
    const text = snippetOf(passage, ['notice'])
      .map((part) => part.text)
      .join('')
    expect(text).toMatch(/^….*notice.*…$/)
    expect(text.length).toBeLessThan(230)
  })

  it('shows the beginning of a passage without the words, such as a translation', () => {
    expect(snippetOf('Kündigung zum Monatsende.', ['notice'])).toEqual([
      { text: 'Kündigung zum Monatsende.', isHit: false },
    ])
  })

  it('leaves out excluded words, quotes and names of fields', () => {
    expect(wordsToMark('"notice period" -draft title:lease')).toEqual(['notice', 'period', 'lease'])
  })
})
