import { expect, it } from 'vitest'
import { trimEndSlashes, trimSlashes } from './trim-slashes.ts'

it.each([
  ['', '', ''],
  ['/', '', ''],
  ['///', '', ''],
  ['a/b', 'a/b', 'a/b'],
  ['//a/b//', 'a/b', '//a/b'],
])('trims the slashes of %j', (text, both, end) => {
  expect([trimSlashes(text), trimEndSlashes(text)]).toEqual([both, end])
})
