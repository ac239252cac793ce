import { describe, expect, it } from 'vitest'
import { createWordPiece } from './wordpiece.ts'

const words = ['[UNK]', '[CLS]', '[SEP]', 'cafe', '##s', 'un', '##believ', '##able', '!', '猫', 'a', '€']
const { encode } = createWordPiece(Object.fromEntries(words.map((word, number) => [word, number])))
const tokens = (text: string, most = 100) => encode(text, most).map((number) => words[number])

describe('WordPiece', () => {
  it.each([
    ['without capitals and accents', 'CAFÉ cafés', ['cafe', 'cafe', '##s']],
    ['in the longest known pieces', 'unbelievable', ['un', '##believ', '##able']],
    ['punctuation by itself', 'cafe!!a', ['cafe', '!', '!', 'a']],
    ['Chinese characters by themselves', 'a猫猫', ['a', '猫', '猫']],
    ['without what cannot be seen', 'ca\u00adf\u200be\ufeff\u0000', ['cafe']],
    ['what is unknown as such, whole', 'cafez € a€', ['[UNK]', '€', '[UNK]']],
    ['a word without end as unknown', 'a'.repeat(101), ['[UNK]']],
    ['names of special tokens as text', '[CLS]', ['[UNK]', '[UNK]', '[UNK]']],
    ['nothing as nothing', ' \n', []],
  ])('takes %s', (_, text, expected) => {
    expect(tokens(text)).toEqual(['[CLS]', ...expected, '[SEP]'])
  })

  it('cuts what is too long, and keeps its end', () => {
    expect(tokens('cafes cafes cafes', 6)).toEqual(['[CLS]', 'cafe', '##s', 'cafe', '##s', '[SEP]'])
  })
})
