import { describe, expect, it } from 'vitest'
import { directionOf, directionOfBlocks } from './direction.ts'
import { parseMarkdown } from './document.ts'

describe('direction of a text', () => {
  it.each([
    ['مرحبا world', 'rtl'],
    ['(שלום) world', 'rtl'],
    ['12. عنصر', 'rtl'],
    ['R1 مرحبا', 'ltr'],
    ['\u200fEnglish first', 'rtl'],
    ['1,200 € — 50 %', null],
    ['', null],
  ])('follows the first letter of %j', (text, direction) => expect(directionOf(text)).toBe(direction))

  it.each([
    ['`npm install` يثبت الحزم', 'rtl'],
    ['$x$ قيمة', 'rtl'],
    ['- 1\n- عنصر', 'rtl'],
    ['> **شرح** English', 'rtl'],
    ['| 1 | الاسم |\n|---|---|\n| a | b |', 'rtl'],
    ['```\nمرحبا\n```', null],
  ])('skips code, formulas and numbers in %j', (text, direction) =>
    expect(directionOfBlocks(parseMarkdown(text))).toBe(direction),
  )
})
