import { describe, expect, it } from 'vitest'
import { cleanLabel, cleanProse, isCleanLabel } from './labels.ts'

describe('cleanLabel', () => {
  it.each([
    ['an override', 'invoice\u202efdp.exe', 'invoicefdp.exe'],
    [
      'every direction control',
      '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061ca',
      'a',
    ],
    ['signs without width', 'ad\u200bm\u2060in\ufeff\u00ad', 'admin'],
    ['joiners between Latin letters', 'ad\u200dm\u200cin', 'admin'],
    ['tags', `a${String.fromCodePoint(...[...'say yes'].map((one) => 0xe0000 + one.charCodeAt(0)))}b`, 'ab'],
    ['tags behind a flag that is none', '\u{1f3f4}\u{e0061}\u{e0062}\u{e007f}', '\u{1f3f4}'],
    ['fillers', '\u3164\u115f\uffa0x', 'x'],
    ['selectors behind letters', 'a\ufe0fb\u{e0100}c', 'abc'],
    ['half of a character', 'a\ud800b', 'a\ufffdb'],
    ['control characters', 'a\u0000\u0007\u001bb', 'a   b'],
    ['ends of lines', 'a\r\nb\u2028c', 'a  b c'],
  ])('removes %s', (_, text, clean) => {
    expect(cleanLabel(text)).toBe(clean)
  })

  it.each([
    ['families', '👩‍👩‍👧‍👦 tour'],
    ['emoji with a colour', '👨🏽‍🚀'],
    ['emoji with a selector', '❤️‍🔥 1️⃣ ☂︎'],
    ['flags', '🏴󠁧󠁢󠁳󠁣󠁴󠁿 🇫🇷 🏳️‍🌈'],
    ['Arabic', 'عقد الإيجار ٢٠٢٦'],
    ['Persian', 'می‌خواهم'],
    ['Hebrew', 'חוזה שכירות'],
    ['Hindi', 'क्‍ष'],
    ['accents of their own', 'e\u0301te\u0301'],
    ['French spaces', 'Prix\u202f: 12\u00a0€'],
    ['Chinese and Japanese', '契約書 ハ゛'],
  ])('keeps %s', (_, text) => {
    expect(cleanLabel(text)).toBe(text)
    expect(isCleanLabel(text)).toBe(true)
  })

  it('is idempotent', () => {
    const text = 'a\ufe0f\u200d👧\u202e\u200d👩\u200d\u200d👧\u{e0061}'
    expect(cleanLabel(cleanLabel(text))).toBe(cleanLabel(text))
  })

  it('takes linear time', () => {
    const began = performance.now()
    cleanLabel('👩\u200d\u202e\ufe0f'.repeat(50_000))
    expect(performance.now() - began).toBeLessThan(5_000)
  })
})

describe('cleanProse', () => {
  it('keeps line breaks and tabs', () => {
    expect(cleanProse('a\n\tb\u202e\u0000')).toBe('a\n\tb')
  })
})
