import { OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { describe, expect, it } from 'vitest'
import { openGlyphNames, rereadBroken } from './broken-letters.ts'
import { textOfGlyph } from './glyph-names.ts'

describe('textOfGlyph', () => {
  it.each([
    ['f_f_i', 'ffi'],
    ['T_h', 'Th'],
    ['fl', 'fl'],
    ['uni00660069', 'fi'],
    ['u1F600', '😀'],
    ['eacute', 'é'],
    ['f_i.liga', 'fi'],
    ['seven.oldstyle', '7'],
  ])('reads %s as %s', (name, text) => expect(textOfGlyph(name)).toBe(text))

  it.each(['g12', 'cid_5', 'uniD800', '.notdef'])('returns null for %s', (name) =>
    expect(textOfGlyph(name)).toBeNull(),
  )
})

it('replaces control codes by the letters of their glyphs', async () => {
  const font = {
    differences: new Map([
      [28, 'f_i'],
      [30, 'f_f_i'],
      [29, 'g9'],
    ]),
  }
  const shown = [28, 30, 29].map((code) => ({ originalCharCode: code, unicode: String.fromCharCode(code) }))
  const page = {
    getOperatorList: async () => ({ fnArray: [OPS.setFont, OPS.showText], argsArray: [['F', 10], [shown]] }),
    commonObjs: { has: () => true, get: () => font },
  } as unknown as PDFPageProxy
  const named = await openGlyphNames(page, ['\u001crst'])
  expect(named('\u001crst di\u001ecult \u001d', 'F')).toBe('first difficult \u001d')
})

it('reads lines with lost letters by OCR', async () => {
  const run = {
    left: 10,
    right: 60,
    top: 10,
    bottom: 20,
    text: '\u0003ne',
    size: 10,
    baseline: 18,
    font: 'F',
    isRightToLeft: false,
  }
  const lost = { ...run, top: 50, bottom: 60, text: 'a\u0003' }
  const see = async () => ({
    confidence: 0.9,
    paragraphs: [
      {
        text: 'One',
        box: [0.1, 0.1, 0.6, 0.2] as const,
        words: [
          { text: 'One', box: [0.1, 0.1, 0.6, 0.2] as [number, number, number, number], confidence: 0.9 },
        ],
      },
    ],
  })
  const result = await rereadBroken(
    [{ turn: 0, runs: [run, lost] }],
    { width: 100, height: 100 },
    see as never,
  )
  expect([run.text, lost.text, result]).toEqual([
    'One',
    'a\ufffd',
    { reread: 1, unread: 1, replaced: ['\u0003ne', 'a\u0003'] },
  ])
})
