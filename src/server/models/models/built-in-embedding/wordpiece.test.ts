import { describe, expect, it } from 'vitest'
import { createWordPiece } from './wordpiece.ts'

const words = ['[UNK]', '[CLS]', '[SEP]', 'cafe', '##s', 'un', '##believ', '##able', '!', '猫', 'a', '€']
const { encode } = createWordPiece(Object.fromEntries(words.map((word, number) => [word, number])))
const tokens = (text: string, most = 100) => encode(text, most).map((number) => words[number])

describe('WordPiece', () => {
  it.each([
    ['capitals and accents as plain letters', 'CAFÉ cafés', ['cafe', 'cafe', '##s']],
    ['a word as its longest known pieces', 'unbelievable', ['un', '##believ', '##able']],
    ['each punctuation mark as a token', 'cafe!!a', ['cafe', '!', '!', 'a']],
    ['each Chinese character as a token', 'a猫猫', ['a', '猫', '猫']],
    ['a word without its invisible characters', 'ca\u00adf\u200be\ufeff\u0000', ['cafe']],
    ['an unknown word as one unknown token', 'cafez € a€', ['[UNK]', '€', '[UNK]']],
    ['an overlong word as unknown', 'a'.repeat(101), ['[UNK]']],
    ['names of special tokens as text', '[CLS]', ['[UNK]', '[UNK]', '[UNK]']],
    ['an empty text as no tokens', ' \n', []],
  ])('encodes %s', (_, text, expected) => {
    expect(tokens(text)).toEqual(['[CLS]', ...expected, '[SEP]'])
  })

  it('cuts long texts and keeps the end token', () => {
    expect(tokens('cafes cafes cafes', 6)).toEqual(['[CLS]', 'cafe', '##s', 'cafe', '##s', '[SEP]'])
  })
})
