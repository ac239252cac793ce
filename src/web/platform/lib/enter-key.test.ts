import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isComposing } from './enter-key.ts'

describe('key of an input method', () => {
  it.each([
    ['while a word is composed', { isComposing: true }, true],
    ['that ends a word in Safari', { keyCode: 229 }, true],
    ['outside a composition', { keyCode: 13 }, false],
  ])('is recognized %s', (_, given, expected) => {
    expect(isComposing(new KeyboardEvent('keydown', { key: 'Enter', ...given }))).toBe(expected)
  })
})

/** Handlers of Enter on elements that are not text fields. */
const withoutText = ['chat/branches/branch-map.tsx', '../viewers/media/segment-view.tsx']

describe('text fields', () => {
  const web = `${import.meta.dirname}/../..`
  const files = globSync(['**/*.{ts,tsx}', '../viewers/**/*.tsx', '../tools/**/*.tsx'], { cwd: web }).filter(
    (file) => !/\.test\.tsx?$|enter-key\.ts$/.test(file) && !withoutText.includes(file),
  )
  it('ask one function whether an input method composes before they act on Enter', () => {
    const wrong = files.filter((file) => {
      const text = readFileSync(`${web}/${file}`, 'utf8')
      const actsOnEnter = /\bkey [!=]== 'Enter'/.test(text) && !/\bisComposing\(/.test(text)
      return actsOnEnter || /\.isComposing\b/.test(text)
    })
    expect(files.length).toBeGreaterThan(500)
    expect(wrong).toEqual([])
  })
})
