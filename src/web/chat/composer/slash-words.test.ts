import { expect, it } from 'vitest'
import { slashWordsAt } from './slash-words.ts'

it.each([
  ['/', { words: '', start: 0, end: 1 }],
  ['/rel', { words: 'rel', start: 0, end: 4 }],
  ['/relance four', { words: 'relance four', start: 0, end: 13 }],
  ['See /rel', { words: 'rel', start: 4, end: 8 }],
  ['Line\n/rel', { words: 'rel', start: 5, end: 9 }],
  ['See /rel four', null],
  ['/etc/hosts', null],
  ['and/or', null],
  ['https://', null],
  ['', null],
])('finds the words after a slash in %j', (text, found) => {
  expect(slashWordsAt(text, text.length)).toEqual(found)
})

it('ends at the caret', () => {
  expect(slashWordsAt('/relance', 4)).toEqual({ words: 'rel', start: 0, end: 4 })
})
