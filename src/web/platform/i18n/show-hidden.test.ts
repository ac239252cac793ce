import { expect, it } from 'vitest'
import { showHidden } from './show-hidden.ts'

it('shows invisible characters as codes, and leaves other text unchanged', () => {
  expect(showHidden('Zebra, 12 €\n\tétage 🙂')).toBe('Zebra, 12 €\n\tétage 🙂')
  expect(showHidden('a\u200bb\u202ec\u00a0d\ufe0e')).toBe('a⟨U+200B⟩b⟨U+202E⟩c⟨U+00A0⟩d⟨U+FE0E⟩')
  const tags = [...'hi'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
  expect(showHidden(tags)).toBe('⟨U+E0068⟩⟨U+E0069⟩')
})
