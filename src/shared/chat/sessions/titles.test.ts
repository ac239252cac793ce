import { describe, expect, it } from 'vitest'
import { defaultTitle, titleFromMessage } from './titles.ts'

describe('titles', () => {
  it('starts with Chat and 8 characters of the id [SE-06, G-10]', () => {
    expect(defaultTitle('0123456789ab-cdef')).toBe('Chat 01234567')
  })

  it.each([
    ['Hello there', 'Hello there'],
    ['What is 21 * 2? Please explain.', 'What is 21 * 2?'],
    ['\n\n# **Plan** for `Q3`\nmore', 'Plan for Q3'],
    ['- buy snake_case milk', 'buy snake_case milk'],
    ['Version 3.14 is out. Why?', 'Version 3.14 is out'],
    ['   ', ''],
    ['!!!\nReally', 'Really'],
    // The title is searched only in the beginning of a long message.
    [`${'\n'.repeat(3_000)}late`, ''],
    [
      'Quelle est la différence entre un bilan et un compte de résultat dans une PME',
      'Quelle est la différence entre un bilan et un…',
    ],
    ['x'.repeat(80), `${'x'.repeat(49)}…`],
    ['😀'.repeat(40), `${'😀'.repeat(24)}…`],
  ])('makes a title of %j [SE-23]', (text, title) => {
    expect(titleFromMessage(text)).toBe(title)
    expect(titleFromMessage(text).length).toBeLessThanOrEqual(50)
  })
})
